#include "reports/html/plots.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>

#include "reports/html/time_plots.hpp"

using namespace shakedown;

namespace {

/// How often a text stands in a drawing.
std::size_t drawn(const std::string& svg, std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1)) ++count;
  return count;
}

/// Written where PLOTS names a folder, to be looked at.
std::string kept(const std::string& name, std::string svg) {
  if (const char* folder = std::getenv("PLOTS"))  // NOLINT(concurrency-mt-unsafe)
    std::ofstream(std::string(folder) + "/" + name + ".html")
        << "<style>.axis,.ideal{stroke:#888}.limit{stroke:#000;stroke-width:2}.median{stroke:#27c}.dot{fill:#"
           "27c}"
           ".bar{fill:#27c}.open{fill:#ddd;stroke:#888}text{font:12px sans-serif}path{fill:none}</style>"
        << svg;
  return svg;
}

}  // namespace

TEST_CASE("a strip of dots has a dot for each result, the median and the limit, all on the axis") {
  const std::string svg = kept("strip", dot_strip({.metric = "rmax_gflops",
                                                   .points = {92.1, 93.4, 92.8, 90.2, 93.0},
                                                   .limit = 88.0,
                                                   .published = {},
                                                   .predicted = {}}));
  CHECK(drawn(svg, "<circle") == 5);
  CHECK(drawn(svg, "median 92.80 GFLOP/s") == 2);  // beside its line, and for readers who don't see it
  CHECK(drawn(svg, "limit 88.00 GFLOP/s") == 2);
  CHECK(drawn(svg, "cx=\"466.0\"") == 1);   // the highest, at the right end
  CHECK(drawn(svg, "M14.0 26.0") == 1);     // the limit, the lowest of all, at the left end
  CHECK(drawn(svg, "90.20 GFLOP/s") == 0);  // limit and median are the scale
  const std::string alone = dot_strip({"rmax_gflops", {50, 52, 54}, {}, {}, {}});
  CHECK(drawn(alone, ">50.00 GFLOP/s<") + drawn(alone, ">54.00 GFLOP/s<") == 2);
  CHECK(drawn(dot_strip({"rmax_gflops", {50, 50}, {}, {}, {}}), "nan") == 0);
}

TEST_CASE("bars are as long as their values are large") {
  const std::string svg = kept(
      "bars",
      bar_chart({{"ior-easy-write", 40, "40 GiB/s"}, {"<find>", 20, "20 GiB/s, invalid", true}}, "phases"));
  const std::regex widths("<rect class=\"bar(?: open)?\"[^>]* width=\"([0-9.]+)\"");
  std::vector<double> wide;
  for (auto it = std::sregex_iterator(svg.begin(), svg.end(), widths); it != std::sregex_iterator(); ++it)
    wide.push_back(std::stod((*it)[1]));
  REQUIRE(wide.size() == 2);
  CHECK(wide[0] == Approx(2 * wide[1]).margin(0.1));
  CHECK(drawn(svg, "20 GiB/s, invalid") == 1);
  CHECK(drawn(svg, "<find>") == 0);
  CHECK(drawn(svg, "&lt;find&gt;") == 1);
  CHECK(drawn(bar_chart({{"none", 0, "0 GiB/s"}}, "phases"), "nan") == 0);
}

TEST_CASE("a long remark on a run without a bar takes no length from the bars of the others") {
  const std::string remark = "aborted after 1 min 05 s (1.075 min), dropped";
  const std::string svg =
      bar_chart({{"result_0.txt", 1.52, "1.520 min"}, {"result_6.txt", 0, remark, true}}, "runs");
  const std::regex width("<rect class=\"bar\"[^>]* width=\"([0-9.]+)\"");
  std::smatch found;
  REQUIRE(std::regex_search(svg, found, width));
  CHECK(std::stod(found[1]) > 240);  // half of the picture
}

TEST_CASE("a scaling plot states each value and its share of what the fewest nodes promise") {
  const std::string svg =
      kept("scaling", scaling_plot({{1, 50}, {2, 98}, {4, 188}, {8, 350}}, "rmax_gflops"));
  CHECK(drawn(svg, "<circle") == 4);
  CHECK(drawn(svg, "50.00 GFLOP/s, 100 %") == 1);
  CHECK(drawn(svg, "350.0 GFLOP/s, 88 %") == 1);
}

TEST_CASE("a strip's axis holds limit, published value and predicted range, and says each in words") {
  const std::string svg = kept("beside", dot_strip({"rmax_gflops", {92}, 60.0, 120.0, ValueRange{80, 100}}));
  CHECK(drawn(svg, "cx=\"255.1\"") == 1);  // 92 on 60 to 120
  CHECK(drawn(svg, "limit 60.00 GFLOP/s") == 2);
  CHECK(drawn(svg, "published 120.0 GFLOP/s") == 2);
  CHECK(drawn(svg, "predicted 80") == 2);
  CHECK(drawn(svg, "measured 92.00 GFLOP/s") == 2);
  const std::string scored =
      dot_strip({"time_to_train_min", {26, 27, 30}, std::nullopt, 28.4, std::nullopt, 27.5});
  CHECK(drawn(scored, "score 27") == 2);
  CHECK(drawn(scored, "median") == 1);  // the line's class
  // What prints alike lies side by side.
  const std::string alike = dot_strip({"score", {181.91}, std::nullopt, 181.9, std::nullopt});
  CHECK(drawn(alike, "cx=\"14.0\"") + drawn(alike, "cx=\"466.0\"") == 0);
}

TEST_CASE("the bars of a histogram count every value once") {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(100 + i % 10);
  const HistogramBins bins = histogram_bins(values);
  int counted = 0;
  for (const int each : bins.counts) counted += each;
  CHECK(counted == 1000);
  CHECK(bins.counts.size() <= 24);
  CHECK(histogram_bins({5, 5, 5}).counts == std::vector<int>{3});
  const std::string svg = kept("histogram", histogram({"rmax_gflops", values, 99.0, {}, {}}));
  CHECK(drawn(svg, "limit 99.00 GFLOP/s") == 2);
  CHECK(drawn(svg, "nan") == 0);
}

TEST_CASE("the counts below a histogram's bars are those of its values") {
  const std::string svg = histogram({"rmax_gflops", {1, 1, 1, 1, 1, 1, 1, 2.2, 5, 5, 5}, {}, {}, {}});
  for (const char* count : {">7</text>", ">1</text>", ">3</text>"}) CHECK(drawn(svg, count) == 1);
}

TEST_CASE("the rate over progress ends at the result, and a campaign's runs lie on its time axis") {
  const std::string rate =
      kept("progress", progress_plot({{0.1, 90, 95}, {0.5, 100, 99}, {1, 98, 96}}, 98.0));
  CHECK(drawn(rate, "result 98.00 GFLOP/s") == 1);
  CHECK(drawn(rate, "class=\"thin\"") == 1);
  CHECK(drawn(progress_plot({{0.1, 90, {}}, {1, 98, {}}}, {}), "class=\"thin\"") == 0);
  const std::string load = kept("load", disturbance_plot({{"a", 0, 10, 0.5, 0, true, 0.1, 0.02},
                                                          {"b", 10, 20, 0, 0.1, false, 0.1, 0.02}}));
  CHECK(drawn(load, "class=\"band\"") == 2);
  CHECK(drawn(load, "bar beyond") == 1);
  CHECK(drawn(load, "bar open") == 1);
  CHECK(drawn(load, "class=\"limit\"") == 4);  // of either kind in both runs
  CHECK(drawn(disturbance_plot({{"a", 0, 10, 0.5, 0, true, {}, {}}, {"b", 10, 20, 0, 0, false, {}, {}}}),
              "class=\"limit\"") == 0);
}

TEST_CASE("runs at the same time lie in rows, so that none hides another") {
  const std::vector<TimedRun> runs = {{"a", 0, 10, 0.5, 0, true, {}, {}},
                                      {"b", 0, 10, 0.5, 0, true, {}, {}},
                                      {"c", 10, 20, 0, 0, false, {}, {}},
                                      {"d", 15, 20, 0, 0, false, {}, {}}};
  CHECK(rows_without_overlap(runs) == std::vector<std::size_t>{0, 1, 0, 1});
  const std::string svg = kept("rows", disturbance_plot(runs));
  const std::regex places("<rect class=\"band\" x=\"([0-9.]+)\" y=\"([0-9.]+)\"");
  std::set<std::pair<std::string, std::string>> seen;
  for (auto it = std::sregex_iterator(svg.begin(), svg.end(), places); it != std::sregex_iterator(); ++it)
    seen.emplace((*it)[1], (*it)[2]);
  CHECK(seen.size() == runs.size());
}

TEST_CASE("of more runs than can be seen the worst of each span of time is drawn, and none is lost") {
  std::vector<TimedRun> runs;
  for (int i = 0; i < 200; ++i)
    runs.push_back({"run", 10.0 * i, 10.0 * i + 8, i == 63 ? 0.8 : 0.01, 0, i == 63, 0.1 + 0.001 * i, {}});
  const std::vector<TimedRun> spans = worst_of_spans(runs, 20);
  REQUIRE(spans.size() == 20);
  CHECK(std::ranges::count(spans, true, &TimedRun::beyond_limit) == 1);
  CHECK(spans[6].others_cores == 0.8);
  CHECK(spans[6].limit_cores == 0.1 + 0.001 * 60);
  CHECK(spans[6].from_s <= 630);
  CHECK(spans[6].to_s > 630);
  runs.resize(10);
  runs.push_back({"late", 1900, 1990, 0.2, 0.3, false, {}, {}});
  CHECK(worst_of_spans(runs, 20).size() == 2);  // where nothing ran nothing is shown
}

TEST_CASE("no name and no value of a bar is cut, however long they are") {
  const std::string svg = kept("bars", bar_chart({{"mdtest-hard-delete", 0.9, "0.8728 kIOPS", false},
                                                  {"find", 5110, "5110 kIOPS, from the cache", true}},
                                                 "phases"));
  const std::regex texts("<text x=\"([0-9.]+)\" y=\"[0-9.]+\" text-anchor=\"(start|end)\">([^<]*)");
  int seen = 0;
  for (auto it = std::sregex_iterator(svg.begin(), svg.end(), texts); it != std::sregex_iterator(); ++it) {
    INFO((*it)[3]);
    const double x = std::stod((*it)[1]);
    const double wide =
        7.8 * static_cast<double>((*it)[3].length());  // DejaVu Sans at 13 px, as a browser draws it
    CHECK(((*it)[2] == "end" ? x - wide : 480 - x - wide) >= 0);
    ++seen;
  }
  CHECK(seen == 4);
}
