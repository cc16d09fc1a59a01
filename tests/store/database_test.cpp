#include "orchestrator/store/database.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "orchestrator/core/file.hpp"
#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/store/record.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

CampaignRecord example() {
  CampaignRecord campaign;
  campaign.id = "2026-01-02T03-04-05Z-node1";
  campaign.system = "testbed";
  campaign.kind = "screening";
  campaign.created_s = 1767323045;
  campaign.tool_version = "0.1.0";
  campaign.inventory.system = "testbed";
  NodeGroup group;
  group.hosts = "node[1-4]";
  group.memory_bytes = group.usable.memory_bytes = std::int64_t{16} << 30;
  campaign.inventory.groups.push_back(group);
  campaign.criteria_text = "schema = \"x\"\n";
  campaign.warnings = {"a warning"};
  campaign.refused = {{"mlperf", "gpt3", "ML-09", "too few GPUs", "8 nodes"}};
  Case planned;
  planned.id = "hpl-reference-1n";
  planned.suite = "hpl";
  planned.implementation = "reference";
  planned.argv = {"/bin/true"};
  planned.parameters = {{"N", std::int64_t{8000}}, {"fraction", 0.25}, {"PMAP", std::string("row")}};
  campaign.cases.push_back({planned, {}});
  campaign.commitment = Commitment{"aa", {{"plan.json", "bb"}, {"program /bin/true", "cc"}}, {"program x"}};
  campaign.criteria_revisions = {{2, "b.toml", "title = 'B'\n", "amendment 1", 1767330000}};
  return campaign;
}

AttemptRecord attempt() {
  AttemptRecord record;
  record.index = 2;
  record.state = AttemptState::finished;
  record.exit_code = 0;
  record.started_s = 10;
  record.finished_s = 20.5;
  record.wall_s = 10.5;
  record.host = "node1";
  record.run_folder = "hpl-reference-1n/attempt-2";
  record.program = "/bin/true";
  record.program_sha256 = std::string(64, 'c');
  record.conditions = Conditions{2, 0.01, 0.25, 1.9, 0.5};
  record.files = {{"stdout.log", std::string(64, 'a'), 12, "hello <b>&\n"}};
  ResultRecord result;
  result.parsed.suite = "hpl";
  result.parsed.implementation = "reference";
  result.parsed.complete = true;
  result.parsed.parameters = {{"N", std::int64_t{8000}}, {"TV", std::string("WR11C2R4")}};
  result.parsed.metrics = {{"rmax_gflops", 92.125, 40},
                           {"residual", std::numeric_limits<double>::quiet_NaN(), 41}};
  result.parsed.facts = {{"residual_check", "PASSED", 41}};
  result.parsed.phases = {
      {"ior-easy-write", 20.5, "GiB/s", 301.25, true, true, 3},
      {"find-easy", std::numeric_limits<double>::quiet_NaN(), "kIOPS", 1, false, false, 9}};
  result.parsed.warnings = {"odd"};
  result.file = "results/result.txt";
  result.rules = {{"HPL-03", "title", "source", Severity::validity, RuleStatus::pass, "0.003", 41, "text"}};
  result.validity = Validity::valid;
  record.results.push_back(result);
  NodeState node;
  node.node = "node1";
  node.before_s = 9.5;
  node.after_s = 21;
  node.readings = {{"", "governor", "performance", "performance"}, {"gpu0", "ecc", "on", std::nullopt}};
  node.other_processes = {{4711, 1001, "python3", "88", 0.75}};
  NodeState silent;
  silent.node = "node2";
  silent.before_s = 9.5;
  record.nodes = {node, silent};
  return record;
}

}  // namespace

TEST_CASE("a campaign is read back as it was stored, attempt, result, metric and rule") {
  const TemporaryFolder temporary;
  auto database = Database::open(temporary.path / "results.sqlite");
  REQUIRE(database);
  const CampaignRecord stored = example();
  REQUIRE(database->add_campaign(stored));
  REQUIRE(database->record_attempt(stored.id, "hpl-reference-1n", attempt()));
  REQUIRE(database->add_environment(stored.id, {{"node1", "kernel", "6.1"}}));
  REQUIRE(database->set_state(stored.id, CampaignState::finished, 20.5));

  const auto read = database->campaign(stored.id);
  INFO((read ? "" : to_string(read.error())));
  REQUIRE(read);
  CHECK(read->system == "testbed");
  CHECK(read->state == CampaignState::finished);
  CHECK(read->inventory == stored.inventory);
  CHECK(read->warnings == stored.warnings);
  CHECK(read->refused == stored.refused);
  CHECK(read->commitment == stored.commitment);
  CHECK(read->criteria_revisions == stored.criteria_revisions);
  REQUIRE(read->cases.size() == 1);
  CHECK(read->cases[0].planned == stored.cases[0].planned);
  REQUIRE(read->cases[0].attempts.size() == 1);
  const AttemptRecord& got = read->cases[0].attempts[0];
  const AttemptRecord want = attempt();
  CHECK(got.index == 2);
  CHECK(got.state == want.state);
  CHECK(got.conditions == want.conditions);
  CHECK(got.program == want.program);
  CHECK(got.program_sha256 == want.program_sha256);
  CHECK(got.nodes == want.nodes);
  CHECK(got.files[0].excerpt == want.files[0].excerpt);
  REQUIRE(got.results.size() == 1);
  CHECK(got.results[0].parsed.parameters == want.results[0].parsed.parameters);
  CHECK(got.results[0].parsed.metrics[0] == want.results[0].parsed.metrics[0]);
  CHECK(std::isnan(got.results[0].parsed.metrics[1].value));
  CHECK(got.results[0].rules == want.results[0].rules);
  REQUIRE(got.results[0].parsed.phases.size() == 2);
  CHECK(got.results[0].parsed.phases[0] == want.results[0].parsed.phases[0]);
  CHECK(std::isnan(got.results[0].parsed.phases[1].value));
  CHECK_FALSE(got.results[0].parsed.phases[1].valid);
  CHECK_FALSE(got.results[0].parsed.phases[1].scored);
  CHECK(got.results[0].file == "results/result.txt");
  CHECK(got.results[0].validity == Validity::valid);
  CHECK(read->environment.at(0).value == "6.1");
}

TEST_CASE("a revision of the criteria that is stored is never changed") {
  const TemporaryFolder temporary;
  auto database = Database::open(temporary.path / "results.sqlite");
  REQUIRE(database->add_campaign(example()));
  std::vector<CriteriaRevision> revisions = example().criteria_revisions;
  revisions[0].text = "title = 'Another'\n";
  revisions.push_back({3, "c.toml", "title = 'C'\n", "amendment 2", 1767340000});
  REQUIRE(database->add_criteria_revisions(example().id, revisions));
  const auto stored = database->campaign(example().id)->criteria_revisions;
  REQUIRE(stored.size() == 2);
  CHECK(stored[0] == example().criteria_revisions[0]);
  CHECK(stored[1] == revisions[1]);
}

TEST_CASE("storing an attempt again replaces it: one result remains") {
  const TemporaryFolder temporary;
  auto database = Database::open(temporary.path / "results.sqlite");
  REQUIRE(database->add_campaign(example()));
  for (int i = 0; i < 3; ++i) REQUIRE(database->record_attempt(example().id, "hpl-reference-1n", attempt()));
  CHECK(database->campaign(example().id)->cases[0].attempts.size() == 1);
  CHECK(database->result_suites(example().id).value() == std::vector<std::string>{"hpl"});
  CHECK(database->result_suites("no such campaign").value().empty());
  CHECK(database->has_attempt(example().id, "hpl-reference-1n", 2).value());
  CHECK_FALSE(database->has_attempt(example().id, "hpl-reference-1n", 1).value());
}

TEST_CASE("an attempt is stored with the hash of its rows") {
  const TemporaryFolder temporary;
  auto database = Database::open(temporary.path / "results.sqlite");
  REQUIRE(database);
  const CampaignRecord campaign = example();
  const std::string id = campaign.cases[0].planned.id;
  REQUIRE(database->add_campaign(campaign));
  REQUIRE(database->record_attempt(campaign.id, id, attempt()));
  const AttemptRecord stored = database->campaign(campaign.id)->cases[0].attempts[0];
  CHECK_FALSE(stored.stored.record.empty());
  CHECK(stored.stored == record_hash(stored));
  CHECK(stored.stored == database->stored_hash(campaign.id, id, stored.index).value());
  CHECK(record_sha256(database->campaign(campaign.id, Excerpts::skip)->cases[0].attempts[0]) ==
        stored.stored.record);
}

TEST_CASE("what is stored is there for another process, and a campaign is added once") {
  const TemporaryFolder temporary;
  const auto path = temporary.path / "results.sqlite";
  {
    auto database = Database::open(path);
    REQUIRE(database->add_campaign(example()));
    REQUIRE(database->add_campaign(example()));
  }
  auto again = Database::open(path);
  REQUIRE(again);
  const auto list = again->campaigns();
  REQUIRE(list);
  REQUIRE(list->size() == 1);
  CHECK(list->at(0).cases == 1);
  CHECK(list->at(0).finished_cases == 0);
}

TEST_CASE("a file that is no database, and an unknown campaign, are said with their place") {
  const TemporaryFolder temporary;
  const auto path = temporary.path / "results.sqlite";
  std::ofstream(path) << "this is no database, but it is long enough to look like a header of one file\n";
  const auto broken = Database::open(path);
  REQUIRE_FALSE(broken);
  CHECK(broken.error().where == path.string());
  CHECK(broken.error().fault == Fault::environment);
  CHECK(broken.error().hint.find("shakedown import") != std::string::npos);

  auto good = Database::open(temporary.path / "other.sqlite");
  const auto missing = good->campaign("nope");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().what == "no campaign 'nope'");
}

TEST_CASE("a case is added whole behind the others, and once") {
  const TemporaryFolder temporary;
  auto database = Database::open(temporary.path / "results.sqlite");
  REQUIRE(database->add_campaign(example()));
  CaseRecord record;
  record.planned.id = "hpl-nvidia-HPL";
  record.planned.suite = "hpl";
  record.planned.origin = "/data/HPL.out";
  record.planned.nodes = record.planned.ranks = record.planned.ranks_per_node = 0;
  record.planned.threads_per_rank = 0;
  record.attempts = {attempt()};
  record.attempts[0].state = AttemptState::imported;
  for (int i = 0; i < 2; ++i) REQUIRE(database->add_case(example().id, record));
  const auto read = database->campaign(example().id);
  REQUIRE(read);
  REQUIRE(read->cases.size() == 2);
  CHECK(read->cases[1].planned == record.planned);
  REQUIRE(read->cases[1].attempts.size() == 1);
  CHECK(read->cases[1].attempts[0].state == AttemptState::imported);
  CHECK(database->case_ids(example().id).value() ==
        std::vector<std::string>{"hpl-reference-1n", "hpl-nvidia-HPL"});
  CHECK(database->case_ids("none")->empty());
  CHECK(database->campaigns()->at(0).finished_cases == 1);
}

TEST_CASE("a list counts cases as the report does: neither repeats of a suspect nor a replaced case") {
  const TemporaryFolder temporary;
  auto database = Database::open(temporary.path / "results.sqlite");
  REQUIRE(database->add_campaign(example()));
  CaseRecord record;
  record.planned = example().cases.front().planned;
  record.attempts = {attempt()};
  record.planned.id = "hpl-reference-1n-r2";
  record.planned.confirms = true;
  REQUIRE(database->add_case(example().id, record));
  record.planned.id = "hpl-reference-1n-on-n2";
  record.planned.confirms = false;
  record.planned.stands_for = "hpl-reference-1n";
  REQUIRE(database->add_case(example().id, record));
  CHECK(database->campaigns()->at(0).cases == 1);
  CHECK(database->campaigns()->at(0).finished_cases == 1);
}

TEST_CASE("a damaged document of one case fails no list of campaigns") {
  const TemporaryFolder temporary;
  const auto path = temporary.path / "results.sqlite";
  REQUIRE(Database::open(path)->add_campaign(example()));
  SQLite::Database(path.string(), SQLite::OPEN_READWRITE).exec("UPDATE planned_case SET document = '{'");
  const auto database = Database::open_existing(path);
  REQUIRE(database);
  const auto list = database->campaigns();
  REQUIRE(list);
  CHECK(list->at(0).cases == 1);
  CHECK_FALSE(database->campaign(example().id));
}

TEST_CASE("a case that can't be stored whole is not stored at all") {
  const TemporaryFolder temporary;
  auto database = Database::open(temporary.path / "results.sqlite");
  REQUIRE(database->add_campaign(example()));
  CaseRecord record;
  record.planned.id = "twice";
  record.planned.origin = "/data/x";
  record.attempts = {attempt(), attempt()};  // two attempts of one number
  CHECK_FALSE(database->add_case(example().id, record));
  CHECK(database->case_ids(example().id)->size() == 1);
}

TEST_CASE("the logs of a campaign that was made elsewhere come back with note and without an inventory") {
  const TemporaryFolder temporary;
  auto database = Database::open(temporary.path / "results.sqlite");
  CampaignRecord external = example();
  external.kind = "external";
  external.note = "from the vendor, <b>unsigned</b>";
  external.inventory = {};
  REQUIRE(database->add_campaign(external));
  const auto read = database->campaign(external.id);
  REQUIRE(read);
  CHECK(read->note == external.note);
  CHECK(read->inventory.groups.empty());
  CHECK(read->inventory.source == made_elsewhere);
}

TEST_CASE("set scores come back as they were stored, and replace what was there") {
  const TemporaryFolder temporary;
  auto database = Database::open(temporary.path / "results.sqlite");
  REQUIRE(database->add_campaign(example()));
  SetScore score;
  score.schema = "shakedown.mlperf-score/1";
  score.suite = "mlperf";
  score.benchmark = "gpt3";
  score.name = "eos_n32";
  score.score_min = 96.6645;
  score.runs = 3;
  score.converged = 2;
  score.files = {"result_0.txt", "result_1.txt", "result_2.txt"};
  score.dropped = {"result_2.txt", "result_0.txt"};
  score.validity = Validity::invalid;
  score.rules = attempt().results[0].rules;
  score.warnings = {"two runs with one seed"};
  SetScore without = score;
  without.score_min.reset();
  without.validity = Validity::unknown;
  REQUIRE(database->record_set_scores(example().id, {score, score, score}));
  REQUIRE(database->record_set_scores(example().id, {score, without}));
  const auto read = database->campaign(example().id);
  REQUIRE(read);
  REQUIRE(read->set_scores.size() == 2);
  const SetScore& got = read->set_scores[0];
  CHECK(got.schema == score.schema);
  CHECK(got.suite == score.suite);
  CHECK(got.benchmark == score.benchmark);
  CHECK(got.name == score.name);
  CHECK(got.score_min == score.score_min);
  CHECK(got.runs == 3);
  CHECK(got.converged == 2);
  CHECK(got.files == score.files);
  CHECK(got.dropped == score.dropped);
  CHECK(got.validity == Validity::invalid);
  CHECK(got.rules == score.rules);
  CHECK(got.warnings == score.warnings);
  CHECK_FALSE(read->set_scores[1].score_min);
  CHECK(read->set_scores[1].validity == Validity::unknown);
}

TEST_CASE("predictions are stored as the model made them, without the system's calibration") {
  const TemporaryFolder temporary;
  auto database = Database::open(temporary.path / "results.sqlite");
  REQUIRE(database);
  CampaignRecord campaign = example();
  Case& planned = campaign.cases.front().planned;
  planned.predicted = {{"time_s", 60, 50, 70}, {"rmax_gflops", 80, 70, 90}};
  planned.why = {{std::string(calibration_reason) + "rmax_gflops", 0.5, "as measured", "[[calibration]]"}};
  REQUIRE(database->add_campaign(campaign));
  const auto stored = database->predictions_of("testbed");
  REQUIRE(stored);
  REQUIRE(stored->size() == 2);
  CHECK((*stored)[0].metric == "rmax_gflops");
  CHECK((*stored)[0].value == 160);
  CHECK((*stored)[1].value == 60);
}
