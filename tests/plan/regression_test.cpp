#include "orchestrator/plan/regression.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

namespace {

const std::string regression_least =
    "[budget]\nminutes = 20\n[[runs]]\nsuite = \"hpl\"\n[[runs]]\nsuite = \"gemm\"\n";

Error refusal(const std::string& more, const std::string& base = regression_least) {
  const auto read = regression_from_toml(more + base, "r.toml");
  REQUIRE_FALSE(read);
  return read.error();
}

}  // namespace

TEST_CASE("a budget and runs make a regression.toml; the rest has its defaults") {
  const auto read = regression_from_toml(regression_least, "r.toml");
  REQUIRE(read);
  CHECK(read->checks_per_week == 7);
  CHECK(read->nodes == 1);
  CHECK(read->days == 0);
  CHECK(read->alarm.effect == 0.02);
  CHECK(read->alarm.false_alarms_per_year == 0.2);
  CHECK_FALSE(read->floor.stated());
  CHECK(read->notice.command.empty());
}

TEST_CASE("runs without a time share the budget, each with as many repetitions as the alarm wants") {
  const auto read = regression_from_toml(
      "[alarm]\nruns = 5\n[budget]\nminutes = 20\n[[runs]]\nsuite = \"hpl\"\n[[runs]]\nsuite = "
      "\"hpcg\"\nminutes = 3\n",
      "r.toml");
  REQUIRE(read);
  CHECK(read->facts.runs.at(0).minutes == Approx(2));
  CHECK(read->facts.runs.at(1).minutes == Approx(3));
}

TEST_CASE("all that a regression.toml can say is read") {
  const auto read = regression_from_toml(
      "title = \"Nightly\"\nsystem = \"sakuraone\"\nchecks_per_week = 14\n"
      "[site]\npartition = \"batch\"\n[settings]\ngovernor = \"performance\"\n"
      "[coverage]\ndays = 25\n"
      "[floor]\nrelative_to = \"accepted\"\nfactor = 0.9\n"
      "[[floor.limits]]\nsuite = \"hpl\"\nmetric = \"rmax_gflops\"\nlimit = 1e6\n"
      "[notify]\ncommand = [\"/usr/bin/logger\", \"-t\", \"hpc\"]\nurl = \"https://hooks.example.org/x\"\n"
      "header = \"X-Token\"\nsecret_file = \"/etc/token\"\ntimeout_seconds = 5\nalways = true\n" +
          regression_least,
      "r.toml");
  REQUIRE(read);
  CHECK(read->facts.system == "sakuraone");
  CHECK(read->facts.site.partition == "batch");
  CHECK(read->facts.settings.size() == 1);
  CHECK(read->checks_per_week == 14);
  CHECK(read->days == 25);
  CHECK(read->floor.relative_to == "accepted");
  CHECK(read->floor.factor == 0.9);
  CHECK(read->floor.limits.at(0).limit == 1e6);
  CHECK(read->notice.command.size() == 3);
  CHECK(read->notice.header == "X-Token");
  CHECK(read->notice.always);
}

TEST_CASE("a key that nobody knows is refused with its line and the nearest name") {
  const Error error = refusal("[alarm]\nefect = 0.03\n");
  CHECK(error.where == "r.toml:2");
  CHECK(error.what.find("did you mean 'effect'?") != std::string::npos);
}

TEST_CASE("an alarm below 2 % is refused") {
  CHECK(refusal("[alarm]\neffect = 0.01\n").what == "'effect' is 0.01, outside 0.02 to 1");
}

TEST_CASE("a check without a budget or without runs is refused") {
  CHECK(refusal("", "[[runs]]\nsuite = \"hpl\"\n").what == "'minutes' is missing");
  CHECK(refusal("", "[budget]\nminutes = 1\n").what == "there are no [[runs]]");
}

TEST_CASE("a check has no stages and repetitions of its own, and no more nodes than its budget") {
  CHECK(refusal("", regression_least + "repetitions = 3\n").what == "'repetitions' has no place in a check");
  CHECK(refusal("", regression_least + "stage = 1\n").what == "'stage' has no place in a check");
  CHECK(refusal("", regression_least + "hosts = \"cn[1-4]\"\n").what == "'hosts' has no place in a check");
  CHECK(refusal("", regression_least + "exclude = \"cn4\"\n").what == "'exclude' has no place in a check");
  CHECK(refusal("", regression_least + "nodes = [4]\n").what == "4 nodes, and the budget has 1");
}

TEST_CASE("IO500 is short in a check, or refused") {
  const std::string io500 = "[budget]\nminutes = 20\n[[runs]]\nsuite = \"io500\"\nminutes = ";
  CHECK(regression_from_toml(io500 + "5\n", "r.toml"));
  CHECK(refusal("", io500 + "60\n").what == "a check makes short, labelled IO500 runs only");
  CHECK(refusal("[site.io500]\nallow_full_io500 = true\n").what ==
        "a check makes short, labelled IO500 runs only");
}

TEST_CASE("half a floor and a floor at zero are refused") {
  CHECK(refusal("[floor]\nrelative_to = \"accepted\"\n").what ==
        "'relative_to' and 'factor' belong together");
  CHECK(refusal("[floor]\nfactor = 0.9\n").what == "'relative_to' and 'factor' belong together");
  CHECK(refusal("[[floor.limits]]\nsuite = \"hpl\"\nmetric = \"rmax_gflops\"\nlimit = 0\n").what ==
        "'limit' is 0: rates and times lie above 0");
}

TEST_CASE("a secret stands in a file or a variable, for a webhook that there is") {
  CHECK(refusal("[notify]\nsecret_file = \"/etc/token\"\n").what == "is of a webhook, and there is none");
  CHECK(refusal("[notify]\nurl = \"https://x\"\nsecret_file = \"a\"\nsecret_environment = \"B\"\n").what ==
        "'secret_file' and 'secret_environment' contradict each other");
  CHECK(refusal("[notify]\nurl = \"https://x\"\nheader = \"Authorization\"\n").what ==
        "'header' carries a secret, and none is stated");
  CHECK(refusal("[notify]\nurl = \"https://x\"\nsecret = \"hunter2\"\n").where == "r.toml:3");
  CHECK(refusal("[notify]\nurl = \"ftp://x\"\n").what == "'url' is no http or https address");
  CHECK(refusal("[notify]\ncommand = []\n").what == "'command' is empty");
  CHECK(refusal("[notify]\nalways = true\n").what == "'always' notifies nobody");
}

TEST_CASE("a single run a check has no repeats, and both together are refused") {
  const auto read = regression_from_toml("[alarm]\nruns = 1\n" + regression_least, "r.toml");
  REQUIRE(read);
  CHECK(read->alarm.repeats == 0);
  CHECK(refusal("[alarm]\nruns = 1\nrepeats = 4\n").hint.find("runs = 2") == 0);
  CHECK(regression_from_toml("[alarm]\nruns = 1\nrepeats = 0\n" + regression_least, "r.toml"));
}

TEST_CASE("a webhook's address may stand elsewhere, and in one place only") {
  const auto read = regression_from_toml(
      "[notify]\nurl_file = \"/etc/hook\"\nsecret_file = \"/etc/token\"\nalways = true\n" + regression_least,
      "r.toml");
  REQUIRE(read);
  CHECK(read->notice.url_file == "/etc/hook");
  CHECK(read->notice.notifies_anyone());
  CHECK(refusal("[notify]\nurl = \"https://x\"\nurl_file = \"/etc/hook\"\n").what.find("contradict") !=
        std::string::npos);
  CHECK(refusal("[notify]\nurl_file = \"/a\"\nurl_environment = \"HOOK\"\n").hint == "keep one of them");
}
