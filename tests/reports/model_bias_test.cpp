#include "reports/compare/model_bias.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

namespace {

struct Made {
  SystemSeries series;
  std::vector<StoredPrediction> predictions;
};

/// Campaigns whose runs are the ratios times what was predicted.
Made campaigns(const std::vector<std::vector<double>>& ratios) {
  Made made;
  MetricSeries hpl{"hpl", "reference", 1, "", "N=1", "rmax_gflops", "", {}};
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    const std::string id = "c" + std::to_string(i);
    made.predictions.push_back({id, "hpl", "rmax_gflops", 200});
    for (const double ratio : ratios[i]) {
      made.series.runs.push_back(
          {id, "hpl", 1, 100.0 * static_cast<double>(i), "cn1", Validity::valid, true});
      hpl.points.push_back({static_cast<std::uint32_t>(made.series.runs.size() - 1), 200 * ratio});
    }
  }
  made.series.series = {hpl};
  return made;
}

}  // namespace

TEST_CASE("a campaign is one point, however many runs it has") {
  const Made made = campaigns({{0.8, 0.9, 1.0}, {0.7}});
  const auto biases = model_biases(made.series, made.predictions);
  REQUIRE(biases.size() == 1);
  CHECK(biases.front().points.size() == 2);
  CHECK(biases.front().points.front().ratio == Approx(0.9));
  CHECK(biases.front().points.front().n == 3);
  CHECK(biases.front().bias == Approx(0.8));
  CHECK_FALSE(biases.front().interval);
  CHECK(biases.front().claim() == "1 factor from 2 points: 1 degree of freedom");
}

TEST_CASE("a node that was repeated because it is slow counts once") {
  Made made = campaigns({{.97, .98, .99, 1.0, 1.01, 1.02, 1.03, .90, .90, .90, .90}});
  for (std::size_t i = 0; i < 8; ++i) made.series.runs[i].hosts = "cn" + std::to_string(i);
  for (std::size_t i = 8; i < made.series.runs.size(); ++i) made.series.runs[i].hosts = "cn7";
  const ModelPoint point = model_biases(made.series, made.predictions).front().points.front();
  CHECK(point.ratio == Approx(0.995));
  CHECK(point.n == 11);
}

TEST_CASE("one point leaves no degree of freedom, and nothing is fitted") {
  const Made made = campaigns({{0.8}});
  const auto biases = model_biases(made.series, made.predictions);
  CHECK(biases.front().claim() == "1 factor from 1 point: 0 degrees of freedom: nothing is claimed");
  CHECK_FALSE(fitted(biases.front(), "sys"));
}

TEST_CASE("from six points on the median has an exact interval") {
  const Made made = campaigns({{0.8}, {0.81}, {0.82}, {0.83}, {0.84}, {0.85}});
  const auto biases = model_biases(made.series, made.predictions);
  REQUIRE(biases.front().interval);
  CHECK(biases.front().interval->first == Approx(0.8));
  CHECK(biases.front().interval->second == Approx(0.85));
  const auto fit = fitted(biases.front(), "sys");
  REQUIRE(fit);
  CHECK(fit->factor == Approx(0.825));
  CHECK(fit->points == 6);
}

TEST_CASE("runs that are invalid, incomplete, or were not predicted are no points") {
  Made made = campaigns({{0.8}, {0.9}, {1.0}});
  made.series.runs[0].validity = Validity::invalid;
  made.series.runs[1].complete = false;
  CHECK(model_biases(made.series, made.predictions).front().points.size() == 1);
  made.predictions.clear();
  CHECK(model_biases(made.series, made.predictions).empty());
}
