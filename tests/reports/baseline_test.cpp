#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>

#include "orchestrator/core/units.hpp"
#include "tests/reports/fixture.hpp"

using namespace shakedown;

namespace {

/// What one printed unit is in the row's own: "43.31 TFLOP/s" of a row in GFLOP/s, "55.9B" of a bare number.
double printed_scale(const BaselineValue& value) {
  const std::string& printed = value.printed;
  if (const size_t at = printed.find(" x 10^"); at != std::string::npos)
    return std::pow(10, std::stod(printed.substr(at + 6)));
  if (value.unit == "GFLOP/s" && printed.ends_with("PFLOP/s")) return 1e6;
  if (value.unit == "GFLOP/s" && printed.ends_with("TFLOP/s")) return 1e3;
  if (value.unit.empty() && printed.ends_with('%')) return 0.01;
  if (printed.ends_with('B')) return printed.ends_with("GB") ? 1 : 1e9;
  return printed.ends_with('T') ? 1e12 : 1;
}

/// The columns of one table or submission: how many rows of the file name it as their source.
std::ptrdiff_t rows_from(const Baseline& baseline, std::string_view source) {
  return std::count_if(baseline.values.begin(), baseline.values.end(),
                       [&](const BaselineValue& value) { return value.source.starts_with(source); });
}

const BaselineValue& row(const Baseline& baseline, std::string_view id) {
  const auto it = std::find_if(baseline.values.begin(), baseline.values.end(),
                               [&](const BaselineValue& value) { return value.id == id; });
  INFO(id);
  REQUIRE(it != baseline.values.end());
  return *it;
}

double condition(const BaselineValue& value, std::string_view name) {
  const Value* found = find_parameter(value.conditions, name);
  INFO(value.id << " " << name);
  REQUIRE(found != nullptr);
  return value_number(*found);
}

/// Reads a baseline whose file is the shipped one with `from` replaced by `to`.
Result<Baseline> altered(std::string_view from, std::string_view to) {
  std::string text = fixture::project_file("reports/baselines/sakuraone.toml");
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  const auto path =
      std::filesystem::temp_directory_path() / ("baseline-" + sha256(text).substr(0, 12) + ".toml");
  REQUIRE(write_file(path, text));
  auto baseline = read_baseline(path);
  std::filesystem::remove(path);
  return baseline;
}

}  // namespace

TEST_CASE("SAKURAONE's HPL rows carry the published values with their table and conditions") {
  const Baseline baseline = fixture::sakuraone();
  const BaselineValue* rmax = baseline.find("hpl", "rmax_gflops");
  REQUIRE(rmax != nullptr);
  CHECK(rmax->value == 33950000);
  CHECK(rmax->printed == "33.95 PFLOP/s");
  CHECK(rmax->source == "Table 5, row 'Sustained performance (Rmax)'");
  CHECK(rmax->runs == "1");
  CHECK(rmax->score_rule == "one published run");
  CHECK(condition(*rmax, "nodes") == 98);
  CHECK(condition(*rmax, "N") == 2706432);
  CHECK(baseline.find("hpl", "efficiency_gemm")->value == 0.783);
  CHECK(baseline.find("hpl", "rating_gflops") == nullptr);
  CHECK(baseline.sha256.size() == 64);
}

TEST_CASE("every table of the paper's evaluation is held row by row") {
  const Baseline baseline = fixture::sakuraone();
  CHECK(rows_from(baseline, "Table 5") == 5);  // the other rows are conditions
  CHECK(rows_from(baseline, "Table 6") == 8);
  CHECK(rows_from(baseline, "Table 7") == 5);
  CHECK(rows_from(baseline, "Table 8") == 2 * (12 * 2 + 3));
  CHECK(rows_from(baseline, "IO500 submission-data") == 2 * (12 * 2 + 3));
  CHECK(rows_from(baseline, "Table 9") == 3 * 4);
  CHECK(rows_from(baseline, "Table 10") == 2 * 8);
  CHECK(rows_from(baseline, "Table 11") == 4);
  CHECK(rows_from(baseline, "Table 12") == 5 * 2);
}

TEST_CASE("rows of every table carry the published value") {
  struct Published {
    std::string_view id;
    double value;
    std::string_view status;
  };
  const Baseline baseline = fixture::sakuraone();
  for (const Published& published :
       std::initializer_list<Published>{{"hpcg-rating", 396295, "ok"},
                                        {"hpcg-bandwidth", 3.316, "unit-suspect"},
                                        {"mxp-rmax", 3.3986e8, "legacy-rule"},
                                        {"mxp-residual", 5.01e-5, "ok"},
                                        {"io500-10n-score", 181.91, "ok"},
                                        {"io500-96n-bandwidth", 139.80, "rounding"},
                                        {"io500-96n-ior-hard-write-time", 491.75, "ok"},
                                        {"io500-10n-submitted-score", 181.907263, "ok"},
                                        {"io500-96n-submitted-bandwidth", 139.801942, "ok"},
                                        {"io500-96n-submitted-iops", 327.841782, "ok"},
                                        {"io500-96n-submitted-score", 214.086239, "ok"},
                                        {"gpt3-32n-ttt", 105.31, "unverified"},
                                        {"gpt3-64n-tokens", 758, "ok"},
                                        {"gpt3-96n-tokens", 714.23, "inconsistent"},
                                        {"gpt3-96n-tflops", 710.73, "inconsistent"},
                                        {"gpt3-32n-profile-overlap", 72.3, "ok"},
                                        {"lora-96n-ttt", 1.26, "unverified"},
                                        {"eos-ratio-gpt3-64n", 1.17, "unverified"}}) {
    INFO(published.id);
    CHECK(row(baseline, published.id).value == published.value);
    CHECK(to_string(row(baseline, published.id).status) == published.status);
  }
}

TEST_CASE("MLPerf rows carry parallelism and batch as conditions, and that the number of runs is unknown") {
  struct Scale {
    std::string_view id;
    std::array<double, 7> published;  ///< GPUs, DP, TP, PP, CP, GBS, MBS
  };
  static constexpr std::array<std::string_view, 7> names = {"gpus", "DP", "TP", "PP", "CP", "GBS", "MBS"};
  const Baseline baseline = fixture::sakuraone();
  for (const Scale& scale : std::initializer_list<Scale>{{"gpt3-32n-ttt", {256, 4, 4, 16, 1, 1024, 2}},
                                                         {"gpt3-64n-ttt", {512, 8, 4, 16, 1, 1536, 2}},
                                                         {"gpt3-96n-ttt", {768, 6, 8, 16, 1, 2304, 6}},
                                                         {"lora-1n-ttt", {8, 2, 4, 1, 1, 8, 1}},
                                                         {"lora-8n-ttt", {64, 8, 4, 1, 2, 8, 1}},
                                                         {"lora-64n-ttt", {512, 64, 4, 1, 2, 64, 1}},
                                                         {"lora-96n-ttt", {768, 96, 4, 1, 2, 96, 1}}}) {
    const BaselineValue& value = row(baseline, scale.id);
    for (size_t i = 0; i < names.size(); ++i) CHECK(condition(value, names.at(i)) == scale.published.at(i));
    CHECK(value.runs == "unknown");
    CHECK(value.score_rule == "unknown");
  }
  CHECK(condition(row(baseline, "gpt3-96n-ttt"), "VP") == 6);
  CHECK(row(baseline, "gpt3-32n-ttt").note.find("outside the closed division") != std::string::npos);
}

TEST_CASE("Eos is Table 12 as printed, marked as of another aggregation") {
  const auto eos = read_baseline(std::string(PROJECT_FOLDER) + "/reports/baselines/eos.toml");
  REQUIRE(eos);
  const Baseline ours = fixture::sakuraone();
  struct Line {
    std::string_view scale;
    double sakuraone;
    double eos;
    double ratio;
  };
  for (const Line& line : std::initializer_list<Line>{{"gpt3-32n", 105.31, 96.66, 1.09},
                                                      {"gpt3-64n", 58.30, 49.80, 1.17},
                                                      {"gpt3-96n", 41.86, 33.20, 1.26},
                                                      {"lora-1n", 28.44, 27.93, 1.02},
                                                      {"lora-8n", 4.79, 4.57, 1.05}}) {
    const std::string scale(line.scale);
    const BaselineValue& ratio = row(*eos, "eos-" + scale + "-ratio");
    CHECK(row(*eos, "eos-" + scale + "-ttt").value == line.eos);
    CHECK(ratio.value == line.ratio);
    CHECK(ratio.note.starts_with("unlike aggregation"));
    CHECK(condition(ratio, "sakuraone_time_to_train_min") == line.sakuraone);
    CHECK(row(ours, "eos-ratio-" + scale).value == line.ratio);
    CHECK(row(ours, "eos-ratio-" + scale + "-ours").value == line.sakuraone);
    CHECK(row(ours, "eos-ratio-" + scale).note.starts_with("unlike aggregation"));
  }
  CHECK(row(*eos, "eos-gpt3-32n-ttt").runs == "3");
  CHECK(row(*eos, "eos-gpt3-96n-ttt").status == BaselineStatus::unverified);
}

TEST_CASE("every published value agrees with the value as printed") {
  const auto baselines = shipped_baselines(std::filesystem::path(BUILD_FOLDER) / "share/shakedown");
  REQUIRE(baselines);
  for (const Baseline& baseline : *baselines)
    for (const BaselineValue& value : baseline.values) {
      INFO(value.id);
      std::string digits = value.printed.substr(0, value.printed.find_first_not_of("0123456789.,"));
      std::erase(digits, ',');
      CHECK(value.value == Approx(parsed_number(digits).value() * printed_scale(value)));
    }
}

TEST_CASE("a misspelled key or status of a baseline is refused with its line") {
  const auto key = altered("printed = \"33.95", "printd = \"33.95");
  REQUIRE_FALSE(key);
  CHECK(key.error().what == "unknown key 'printd' in [runs.values] (did you mean 'printed'?)");
  const auto status = altered("status = \"ok\" }", "status = \"inconsistant\" }");
  REQUIRE_FALSE(status);
  CHECK(status.error().what == "'inconsistant' is no status (did you mean 'inconsistent'?)");
  CHECK(status.error().where.ends_with(".toml:30"));
}

TEST_CASE("a run without its number of runs, or with one that is no number, is refused") {
  const auto missing = altered("runs = 1\n", "");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().what == "'runs' is missing");
  const auto many = altered("runs = 1\n", "runs = \"many\"\n");
  REQUIRE_FALSE(many);
  CHECK(many.error().what == "'many' is no number of runs");
  const auto twice = altered("id = \"gemm\"", "id = \"hpl\"");
  REQUIRE_FALSE(twice);
  CHECK(twice.error().what == "two runs are called 'hpl'");
}

TEST_CASE("shipped baselines are found by their folder") {
  const auto share = std::filesystem::path(BUILD_FOLDER) / "share/shakedown";
  const auto baselines = shipped_baselines(share);
  REQUIRE(baselines);
  std::vector<std::string> names;
  for (const Baseline& each : *baselines) names.push_back(each.name);
  CHECK(names == std::vector<std::string>{"aicr", "eos", "io500", "mlperf-v4.1", "mlperf-v5.0", "mlperf-v5.1",
                                          "sakuraone", "top500-2025-06", "top500-2026-06"});
  CHECK_FALSE(shipped_baselines("/nowhere"));
}
