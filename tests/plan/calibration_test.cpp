#include "orchestrator/plan/calibration.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

namespace {

const Calibration fit{"sys", "hpl", "reference", "rmax_gflops", 0.9, 0.8, 1.0, 7};

Result<std::vector<Calibration>> calibration_read(const std::string& text) {
  auto table = TomlTable::parse(text, "a.toml");
  if (!table) return failure_of(table);
  auto found = calibrations_from_toml(*table);
  if (auto ok = table->finished(); !ok) return failure_of(ok);
  return found;
}

}  // namespace

TEST_CASE("a time is predicted from start to end, else as the benchmark's own, by its range alone") {
  struct Row {
    std::vector<Prediction> predicted;
    bool is_predicted;
  };
  const Row rows[] = {{{{"wall_time_s", 100, 80, 120}}, true},
                      {{{"wall_time_s", 100, 10, 120}}, false},
                      {{{"time_s", 26, 22, 31}, {"wall_time_s", 206, 22, 211}}, true},
                      {{{"time_s", 25, 5, 100}}, false},
                      {{}, false}};
  for (const Row& row : rows) {
    Case planned;
    planned.predicted = row.predicted;
    CHECK(is_time_predicted(planned) == row.is_predicted);
  }
}

TEST_CASE("a calibration survives its TOML") {
  const auto back = calibration_read(calibration_toml(fit));
  REQUIRE(back);
  CHECK(*back == std::vector<Calibration>{fit});
}

TEST_CASE("a calibration multiplies what was predicted of its suite, and is named as the source") {
  Case planned;
  planned.suite = "hpl";
  planned.implementation = "reference";
  planned.predicted = {{"rmax_gflops", 100, 95, 105}, {"time_s", 60, 50, 70}};
  planned.model = {"peak x 0.8", "spec", 0, 0};
  Case elsewhere = planned;
  calibrate(elsewhere, "other", {{fit}});
  CHECK(elsewhere == planned);
  calibrate(planned, "sys", {{fit}});
  CHECK(planned.predicted[0] == Prediction{"rmax_gflops", 90, 80, 100});
  CHECK(planned.predicted[1] == Prediction{"time_s", 60, 50, 70});
  CHECK(planned.model.source == "fit");
  CHECK(planned.model.parameters == 1);
  CHECK(planned.model.points == 7);
  CHECK(planned.model.text ==
        "peak x 0.8; rmax_gflops x 0.9 as measured: 1 factor from 7 points: 6 degrees of freedom");
  CHECK(planned.why.front().what == "calibration rmax_gflops");
}

TEST_CASE("what a calibration has slower than its model gets a longer time limit, and never a shorter one") {
  Case planned;
  planned.suite = "hpl";
  planned.implementation = "reference";
  planned.time_limit_s = 600;
  planned.why = {{"time_limit_s", std::int64_t{600}, "10 x 60 s", ""}};
  planned.predicted = {{"rmax_gflops", 100, 95, 105}, {"time_s", 60, 50, 70}};
  Calibration slow = fit;
  slow.factor = 0.5;
  Calibration times = fit;
  times.metric = "time_s";
  Case faster = planned;
  times.factor = 0.8;
  calibrate(faster, "sys", {{times}});
  CHECK(faster.time_limit_s == 600);
  times.factor = 1.5;
  calibrate(planned, "sys", {{slow, times}});
  CHECK(planned.time_limit_s == 1200);  // the slower of both, once
  CHECK(planned.why.front().value == Value(std::int64_t{1200}));
  CHECK(planned.why.front().because == "10 x 60 s; x 2, as [[calibration]] has it slower");
}

TEST_CASE("a calibration without a degree of freedom, or outside of its points, is refused") {
  Calibration one = fit;
  one.points = 1;
  CHECK(calibration_read(calibration_toml(one)).error().what ==
        "1 factor from 1 point has no degree of freedom: it claims nothing");
  Calibration outside = fit;
  outside.factor = 1.1;
  CHECK_FALSE(calibration_read(calibration_toml(outside)));
  Calibration none = fit;
  none.factor = none.low = 0;
  CHECK_FALSE(calibration_read(calibration_toml(none)));
  CHECK_FALSE(calibration_read(calibration_toml(fit) + "facter = 1\n"));
}

TEST_CASE("a range wider than a factor of four is no prediction, and what is missing is said") {
  const Prediction narrow{"rmax_gflops", 100, 50, 200};
  const Prediction wide{"rmax_gflops", 100, 50, 201};
  CHECK(is_useful(narrow));
  CHECK_FALSE(is_useful(wide));
  CHECK_FALSE(is_useful({"rmax_gflops", 1, 0, 1}));
  CHECK(is_useful(0.5, 2));
  CHECK_FALSE(is_useful(0, 0));  // nothing is known
  NodeGroup node;
  Case planned;
  CHECK(no_useful_prediction(narrow, planned, &node).empty());
  CHECK(no_useful_prediction(wide, planned, nullptr) == "no useful prediction: the node is not described");
  CHECK(no_useful_prediction(wide, planned, &node) == "no useful prediction: clock not known");
  node.cpu.base_mhz = 2000;
  CHECK(no_useful_prediction(wide, planned, &node) == "no useful prediction: processor model not identified");
  node.cpu.fp64_flop_per_cycle = 16;
  CHECK(no_useful_prediction(wide, planned, &node) ==
        "no useful prediction: its inputs are assumed, not measured");
  planned.gpus_per_node = 8;
  node.gpus.resize(8);
  CHECK(no_useful_prediction(wide, planned, &node) ==
        "no useful prediction: the peak of its GPUs is not known");
  node.gpus.front().peak.fp64_vector_tflops = 10;
  CHECK(no_useful_prediction(wide, planned, &node) ==
        "no useful prediction: published results of such GPUs and networks are too few");
}

TEST_CASE("a time that its assumed start makes too wide is not blamed on too few results") {
  Case planned;
  planned.suite = "hpl";
  planned.gpus_per_node = 1;
  NodeGroup node;
  node.gpus.resize(1);
  node.gpus.front().peak.fp64_vector_tflops = 67;
  const Prediction wall{"wall_time_s", 205, 22, 211};
  planned.predicted = {{"time_s", 25, 22, 31}, wall};
  CHECK(own_time(planned) == planned.predicted.front());
  CHECK(no_useful_prediction(wall, planned, &node) ==
        "no useful prediction: its start is assumed, not measured, and long beside the benchmark's own time");
  planned.predicted = {{"time_to_train_min", 2, 1, 3}, wall};
  CHECK(own_time(planned) == Prediction{"time_s", 120, 60, 180});
  planned.predicted = {wall};
  CHECK_FALSE(own_time(planned));
  CHECK(no_useful_prediction(wall, planned, &node) ==
        "no useful prediction: published results of such GPUs and networks are too few");
  planned.suite = "stream";
  CHECK(no_useful_prediction(wall, planned, &node) ==
        "no useful prediction: its length is assumed, not measured");
}
