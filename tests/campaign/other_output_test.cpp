#include "orchestrator/campaign/other_output.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/campaign/collect.hpp"
#include "orchestrator/core/file.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

/// An attempt at HPL that wrote its log into `log_name`, and `output` to the terminal.
AttemptRecord with_output(const std::string& output, const std::string& result_file = "HPL.out",
                          const std::string& log_name = "HPL.out", const std::string& stream = "stdout.log") {
  const TemporaryFolder temporary;
  const fs::path folder = temporary.path / "hpl" / "attempt-1";
  REQUIRE(make_folder(folder));
  const std::string log = file_content(fs::path(TEST_FOLDER) / "fixtures/hpl/reference-passed.out").value();
  REQUIRE(write_file(folder / log_name, log));
  REQUIRE(write_file(folder / stream, output));
  REQUIRE(write_file(folder / "started.json", R"({"host":"n1","pid":1,"started_s":100.0})"));
  REQUIRE(
      write_file(folder / "finished.json",
                 R"({"state":"finished","exit_code":0,"started_s":100.0,"finished_s":110.0,"wall_s":10.0})"));
  Case planned;
  planned.id = "hpl";
  planned.suite = "hpl";
  planned.parser = "hpl";
  planned.implementation = "reference";
  planned.ranks = 2;
  planned.result_file = result_file;
  return collected_attempt({temporary.path, &planned, 1}, Inventory());
}

const RuleResult* other_output_rule(const AttemptRecord& attempt) {
  for (const RuleResult& rule : attempt.results.at(0).rules)
    if (rule.id == "IMPL-04") return &rule;
  return nullptr;
}

std::string slow_log() {
  std::string log = file_content(fs::path(TEST_FOLDER) / "fixtures/hpl/reference-passed.out").value();
  const std::string row = "0.01             5.0413e+01";
  const std::size_t at = log.find(row);
  REQUIRE(at != std::string::npos);
  return log.replace(at, row.size(), "0.02             2.9413e+01");
}

}  // namespace

TEST_CASE("a result file beside another result on standard output is invalid") {
  const AttemptRecord attempt = with_output(slow_log());
  REQUIRE(other_output_rule(attempt) != nullptr);
  CHECK(other_output_rule(attempt)->status == RuleStatus::fail);
  CHECK(other_output_rule(attempt)->text.find("29.4") != std::string::npos);
  CHECK(attempt.results.at(0).validity == Validity::invalid);
}

TEST_CASE("a log on standard output beside another result on standard error is invalid") {
  const AttemptRecord attempt = with_output(slow_log(), "", "stdout.log", "stderr.log");
  REQUIRE(other_output_rule(attempt) != nullptr);
  CHECK(other_output_rule(attempt)->text.find("in stderr.log, line ") != std::string::npos);
  CHECK(attempt.results.at(0).validity == Validity::invalid);
}

TEST_CASE("the same result on standard output, or none, is as it should be") {
  const std::string log = file_content(fs::path(TEST_FOLDER) / "fixtures/hpl/reference-passed.out").value();
  const AttemptRecord same = with_output(log);
  REQUIRE(other_output_rule(same) != nullptr);
  CHECK(other_output_rule(same)->status == RuleStatus::pass);
  CHECK(same.results.at(0).validity == Validity::valid);
  CHECK(other_output_rule(with_output("started\n")) == nullptr);
  CHECK(other_output_rule(with_output(slow_log(), "")) == nullptr);  // standard output is the result
}
