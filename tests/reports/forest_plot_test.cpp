#include "reports/html/forest_plot.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>
#include <vector>

using namespace shakedown;

namespace {

std::size_t drawn_count(const std::string& svg, std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1)) ++count;
  return count;
}

ForestRow forest_row(std::string name, double shift) {
  ForestRow row;
  row.group = "HPL, hpl-1n";
  row.name = std::move(name);
  row.shift = shift;
  return row;
}

/// Where the circle of a plot's only plain row lies.
double circle_x(const std::string& svg) {
  const std::size_t at = svg.find("cx=\"");
  REQUIRE(at != std::string::npos);
  return std::strtod(svg.c_str() + at + 4, nullptr);
}

/// Where the line of no change lies.
double none_x(const std::string& svg) {
  const std::size_t at = svg.find("class=\"none\" d=\"M");
  REQUIRE(at != std::string::npos);
  return std::strtod(svg.c_str() + at + 17, nullptr);
}

}  // namespace

TEST_CASE("a forest plot has a point for each shift, its interval, the line of none and the gate") {
  ForestRow worse = forest_row("Rmax", -0.051);
  worse.low = -0.06;
  worse.high = -0.045;
  worse.look = ForestRow::Look::worse;
  ForestRow better = forest_row("time", -0.03);
  better.look = ForestRow::Look::better;
  const std::string svg = forest_plot(
      {.rows = {worse, better, forest_row("rate", 0.001)}, .gate = 0.02, .label = "three <rows>"});
  CHECK(drawn_count(svg, "<path class=\"point worse\"") == 1);  // a diamond
  CHECK(drawn_count(svg, "<rect class=\"point better\"") == 1);
  CHECK(drawn_count(svg, "<circle class=\"point plain\"") == 1);
  CHECK(drawn_count(svg, "class=\"range worse\"") == 1);
  CHECK(drawn_count(svg, "class=\"none\"") == 1);
  CHECK(drawn_count(svg, "class=\"gate\"") == 1);
  CHECK(drawn_count(svg, ">HPL, hpl-1n<") == 1);  // once for all rows of a case
  CHECK(drawn_count(svg, ">\u22125.1 %<") + drawn_count(svg, ">-5.1 %<") == 1);
  CHECK(drawn_count(svg, "three &lt;rows&gt;") == 1);
}

TEST_CASE("half as much lies as far from none as twice as much") {
  const std::string half =
      forest_plot({.rows = {forest_row("a", -0.5), forest_row("b", 1)}, .gate = {}, .label = ""});
  const std::size_t second = half.find("cx=\"", half.find("cx=\"") + 1);
  const double left = circle_x(half);
  const double right = std::strtod(half.c_str() + second + 4, nullptr);
  CHECK(none_x(half) - left == Approx(right - none_x(half)).margin(0.2));
  CHECK(drawn_count(half, "class=\"gate\"") == 0);
}

TEST_CASE("a shift of nothing lies on the line, and of everything at the axis' end") {
  const std::string none = forest_plot({.rows = {forest_row("a", 0)}, .gate = 0.02, .label = ""});
  CHECK(circle_x(none) == Approx(none_x(none)).margin(0.1));
  ForestRow gone = forest_row("a", -1);
  gone.low = -1.2;  // beyond what can be lost
  gone.high = 0;
  const std::string svg = forest_plot({.rows = {gone}, .gate = 0.02, .label = ""});
  CHECK(drawn_count(svg, "nan") == 0);
  CHECK(drawn_count(svg, "inf") == 0);
  CHECK(circle_x(svg) < none_x(svg));
}

TEST_CASE("labels of the axis never stand in each other") {
  for (const double shift : {0.0005, 0.021, 0.3, 7.0, 300.0, -0.9}) {
    const std::string svg = forest_plot({.rows = {forest_row("a", shift)}, .gate = 0.02, .label = ""});
    double last = -100;
    std::vector<double> places;
    for (std::size_t at = svg.find("class=\"tick\" x=\""); at != std::string::npos;
         at = svg.find("class=\"tick\" x=\"", at + 1))
      places.push_back(std::strtod(svg.c_str() + at + 16, nullptr));
    std::sort(places.begin(), places.end());
    CHECK(places.size() >= 2);
    for (const double place : places) {
      CHECK(place - last >= 46);
      last = place;
    }
  }
}

TEST_CASE("a name that does not fit beside the axis stands whole in a line of its own") {
  const std::string name = "IOR hard read bandwidth of ten client nodes, per client";
  const std::string one = forest_plot({.rows = {forest_row("Rmax", 0.1)}, .gate = {}, .label = ""});
  const std::string svg = forest_plot({.rows = {forest_row(name, 0.1)}, .gate = {}, .label = ""});
  CHECK(drawn_count(svg, ">" + name + "<") == 1);
  CHECK(drawn_count(svg, "…") == 0);
  CHECK(svg.size() > one.size());
}
