// A limit on a training's rate that follows from what must be trained, and until when.
#include "reports/judge/criterion.hpp"

#include <catch2/catch.hpp>

#include "reports/judge/criteria.hpp"

using namespace shakedown;

namespace {

/// A criterion on MLPerf with a requirement.
std::string training_requirement_training(const std::string& metric, const std::string& requirement) {
  return "title = 'T'\n[[criteria]]\nid = 'a'\ntitle = 'A'\nsuite = 'mlperf'\nmetric = '" + metric +
         "'\ndirection = '>='\naggregation = 'median'\nseverity = 'mandatory'\nrequirement = { " +
         requirement + " }\n";
}

const std::string in_four_months = "parameters = 70e9, tokens = 300e9, days = 120";

std::string training_requirement_refusal(const std::string& text) {
  const auto read = read_criteria(text, "c.toml");
  return read ? "" : to_string(read.error());
}

}  // namespace

TEST_CASE("70e9 parameters on 300e9 tokens in four months ask for 29k tokens/s, with the derivation") {
  const auto read = read_criteria(training_requirement_training("tokens_per_s", in_four_months), "c.toml");
  REQUIRE(read);
  const Criterion& criterion = read->criteria[0];
  CHECK(*criterion.limit == Approx(300e9 / (120 * 86400.0)));
  CHECK(*criterion.limit == Approx(28935).epsilon(1e-4));
  CHECK(
      criterion.limit_source ==
      "300e9 tokens / (120 d x 86400 s) = 28935.2 tokens/s; 6 FLOP x 70e9 parameters x that = 12.15 PFLOP/s");
}

TEST_CASE("as FLOP/s, for another model, and per GPU the same requirement is the same work") {
  const TrainingRequirement training{70e9, 300e9, 120, std::nullopt, std::nullopt};
  CHECK(derived_limit(training, "model_gflops")->value == Approx(6 * 70 * (300e9 / (120 * 86400.0))));
  TrainingRequirement other = training;
  other.measured_parameters = 175e9;
  const auto slower = derived_limit(other, "tokens_per_s");
  CHECK(slower->value == Approx(300e9 / (120 * 86400.0) * 70 / 175));
  CHECK(slower->arithmetic.find("with the 175e9 parameters that are measured is 11574.1 tokens/s") !=
        std::string::npos);
  other.gpus = 768;
  CHECK(derived_limit(other, "tokens_per_s_per_gpu")->value == Approx(slower->value / 768));
  CHECK_FALSE(derived_limit(training, "rmax_gflops"));
}

TEST_CASE("a requirement that can't be derived is refused") {
  CHECK(training_requirement_refusal(training_requirement_training("time_to_train_min", in_four_months))
            .find("no training asks for a limit on") != std::string::npos);
  CHECK(training_requirement_refusal(
            training_requirement_training("tokens_per_s", "parameters = 70e9, tokens = 300e9"))
            .find("'days' is missing") != std::string::npos);
  CHECK(training_requirement_refusal(
            training_requirement_training("tokens_per_s", "parameters = 70e9, tokens = 300e9, days = 0"))
            .find("'days' must be a number above 0") != std::string::npos);
  CHECK(training_requirement_refusal(training_requirement_training("tokens_per_s_per_gpu", in_four_months))
            .find("'gpus' is missing") != std::string::npos);
  CHECK(training_requirement_refusal(training_requirement_training("tokens_per_s", in_four_months) +
                                     "limit = 5\n")
            .find("a criterion has one limit") != std::string::npos);
}

TEST_CASE("a training asks for a rate at least, in a time that ends") {
  CHECK(training_requirement_refusal(
            training_requirement_training("tokens_per_s", "parameters = 70e9, tokens = 300e9, days = inf"))
            .find("'days' must be a number above 0, not inf") != std::string::npos);
  CHECK(training_requirement_refusal(
            training_requirement_training("tokens_per_s", "parameters = 70e9, tokens = nan, days = 120"))
            .find("'tokens' must be a number above 0") != std::string::npos);
  std::string most = training_requirement_training("tokens_per_s", in_four_months);
  most.replace(most.find(">="), 2, "<=");
  CHECK(training_requirement_refusal(most).find("a training asks for a rate at least, and not at most") !=
        std::string::npos);
}
