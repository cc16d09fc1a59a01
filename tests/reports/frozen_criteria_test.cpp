#include <catch2/catch.hpp>

#include "reports/judge/criteria.hpp"

using namespace shakedown;

namespace {

std::vector<Baseline> frozen_criteria_published() {
  Baseline baseline;
  baseline.name = "paper";
  BaselineValue rmax;
  rmax.id = "hpl-rmax";
  rmax.suite = "hpl";
  rmax.metric = "rmax_gflops";
  rmax.value = 1000;
  rmax.unit = "GFLOP/s";
  rmax.source = "Table 1";
  rmax.status = BaselineStatus::ok;
  BaselineValue doubtful = rmax;
  doubtful.id = "hpl-odd";
  doubtful.status = BaselineStatus::inconsistent;
  doubtful.note = "contradicts its own time";
  baseline.values = {rmax, doubtful};
  return {baseline};
}

std::string frozen_criterion(const std::string& rest) {
  return "title = 'T'\n[[criteria]]\nid = 'a'\ntitle = 'A \"quoted\" title'\nsuite = 'hpl'\nmetric = "
         "'rmax_gflops'\n"
         "direction = '>='\naggregation = 'median'\nseverity = 'mandatory'\napprover = 'board'\n" +
         rest;
}

std::string refusal_of(const std::string& text) {
  const auto frozen = frozen_criteria(text, "c.toml", frozen_criteria_published());
  return frozen ? std::string() : to_string(frozen.error());
}

}  // namespace

TEST_CASE("a limit relative to a published value becomes a number with its arithmetic") {
  const auto frozen =
      frozen_criteria("system = 'x'\n" + frozen_criterion("relative_to = 'paper/hpl-rmax'\nfactor = 0.95\n") +
                          "[site]\nmpi = 'pmix'\n",
                      "c.toml", frozen_criteria_published());
  REQUIRE(frozen);
  const auto read = read_criteria(*frozen, "frozen");
  REQUIRE(read);
  REQUIRE(read->criteria.size() == 1);
  CHECK(read->criteria[0].limit == Approx(950));
  CHECK(read->criteria[0].relative_to.empty());
  CHECK(read->criteria[0].title == "A \"quoted\" title");
  CHECK(read->criteria[0].approver == "board");
  CHECK(read->criteria[0].limit_source ==
        "0.95 x 1000.00 GFLOP/s = 950.000 GFLOP/s (paper/hpl-rmax, Table 1)");
}

TEST_CASE("frozen criteria read back as they were") {
  const std::string text = frozen_criterion("limit = 5.5\nlimit_source = 'contract, 4.2'\n") +
                           "[disturbance.steal]\nlimit = 0.02\nreason = 'a \\ b'\n";
  const auto before = read_criteria(text, "c.toml");
  const auto frozen = frozen_criteria(text, "c.toml", {});
  REQUIRE(frozen);
  const auto after = read_criteria(*frozen, "frozen");
  REQUIRE(before);
  REQUIRE(after);
  CHECK(after->criteria[0].limit == before->criteria[0].limit);
  CHECK(after->criteria[0].limit_source == before->criteria[0].limit_source);
  CHECK(after->steal->reason == before->steal->reason);
}

TEST_CASE("a limit can't come from a value that is missing, of another metric, or doubtful") {
  const std::string ending = "factor = 0.9\n";
  CHECK(refusal_of(frozen_criterion("relative_to = 'paper/hpl-rmaxx'\n" + ending))
            .find("paper has no value 'hpl-rmaxx' (did you mean 'hpl-rmax'?)") != std::string::npos);
  CHECK(refusal_of(frozen_criterion("relative_to = 'papers/hpl-rmax'\n" + ending))
            .find("no baseline 'papers'") != std::string::npos);
  CHECK(refusal_of(frozen_criterion("relative_to = 'hpl-rmax'\n" + ending))
            .find("names no value of a baseline") != std::string::npos);
  CHECK(refusal_of(frozen_criterion("relative_to = 'paper/hpl-odd'\n" + ending))
            .find("can't carry a limit: its status is inconsistent") != std::string::npos);
  CHECK(refusal_of(frozen_criterion("relative_to = 'paper/hpl-rmax'\nlimit = 3\n" + ending))
            .find("a criterion has a limit or is relative to a baseline, not both") != std::string::npos);
  CHECK(refusal_of(frozen_criterion("relative_to = 'paper/hpl-rmax'\nfactor = 0\n"))
            .find("the factor must be above 0") != std::string::npos);
}
