#include "orchestrator/plan/regression.hpp"

#include <cmath>

#include "orchestrator/core/toml.hpp"
#include "orchestrator/plan/secrets.hpp"
#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {
namespace {

constexpr double least_effect = 0.02;
constexpr double most_checks_per_week = 7 * 24 * 60;

/// A number within its limits; the fallback, with an objection, where it is not.
double within(TomlTable& table, std::string_view key, double fallback, double least, double most) {
  const double value = table.real(key, fallback);
  if (value >= least && value <= most) return value;
  table.reject(key, fmt::format("'{}' is {}, outside {} to {}", key, value, least, most));
  return fallback;
}

int whole_within(TomlTable& table, std::string_view key, int fallback, int least, int most) {
  const std::int64_t value = table.integer(key, fallback);
  if (value >= least && value <= most) return static_cast<int>(value);
  table.reject(key, fmt::format("'{}' is {}, outside {} to {}", key, value, least, most));
  return fallback;
}

void put_budget(Regression& regression, TomlTable table) {
  if (!table.has("minutes"))
    table.reject("", "'minutes' is missing", "[budget] minutes = 20: how long a check may take");
  regression.minutes = within(table, "minutes", 1, 1.0 / 60, 7 * 24 * 60);
  regression.nodes = whole_within(table, "nodes", 1, 1, 1'000'000);
}

RegressionAlarm alarm_from(TomlTable table) {
  RegressionAlarm alarm;
  alarm.effect = table.real("effect", least_effect);
  if (!(alarm.effect >= least_effect) || !(alarm.effect < 1))
    table.reject("effect", fmt::format("'effect' is {}, outside {} to 1", alarm.effect, least_effect),
                 "losses below 2 % are within what machines do by themselves");
  alarm.false_alarms_per_year = within(table, "false_alarms_per_year", alarm.false_alarms_per_year, 1e-3, 12);
  alarm.runs = whole_within(table, "runs", alarm.runs, 1, 100);
  const bool alone = alarm.runs == 1;
  alarm.repeats = whole_within(table, "repeats", alone ? 0 : alarm.repeats, 0, 100);
  if (alone && alarm.repeats > 0)
    table.reject(
        "repeats",
        "'repeats' would confirm nothing: with one run per check, the variance that runs share is unknown",
        "runs = 2, or leave 'repeats' out: then the checks themselves confirm");
  return alarm;
}

std::optional<double> disturbance_limit(TomlTable disturbance, std::string_view key) {
  TomlTable table = disturbance.table(key);
  if (!disturbance.has(key)) return std::nullopt;
  const double limit = table.required_real("limit");
  table.required_text("reason");
  if (table.has("limit") && (!(limit > 0) || !std::isfinite(limit)))
    table.reject("limit", fmt::format("the limit must be a number above 0, not {}", limit));
  return limit;
}

RegressionFloor floor_from(TomlTable table) {
  RegressionFloor floor;
  floor.relative_to = table.text("relative_to", "");
  if (floor.relative_to.empty() != !table.has("factor"))
    table.reject(table.has("factor") ? "factor" : "relative_to", "'relative_to' and 'factor' belong together",
                 "relative_to = \"accepted\" and factor = 0.9: 90 % of the last accepted campaign");
  if (table.has("factor")) floor.factor = within(table, "factor", 1, 0.01, 10);
  for (TomlTable& each : table.tables("limits")) {
    FloorLimit limit;
    limit.suite = each.required_text("suite");
    limit.metric = each.required_text("metric");
    limit.limit = each.required_real("limit");
    if (!(limit.limit > 0) || !std::isfinite(limit.limit))
      each.reject("limit", fmt::format("'limit' is {}: rates and times lie above 0", limit.limit));
    floor.limits.push_back(std::move(limit));
  }
  return floor;
}

RegressionNotice notice_from(TomlTable table) {
  RegressionNotice notice;
  notice.command = table.texts("command");
  notice.url = table.text("url", "");
  notice.url_file = table.text("url_file", "");
  notice.url_environment = table.text("url_environment", "");
  if (static_cast<int>(!notice.url.empty()) + static_cast<int>(!notice.url_file.empty()) +
          static_cast<int>(!notice.url_environment.empty()) >
      1)
    table.reject(notice.url_file.empty() ? "url_environment" : "url_file",
                 "'url', 'url_file' and 'url_environment' contradict each other", "keep one of them");
  if (table.has("command") && (notice.command.empty() || notice.command.front().empty()))
    table.reject("command", "'command' is empty",
                 "a program and its arguments: [\"/usr/bin/logger\", \"-t\", \"hpc\"]");
  if (!notice.url.empty() && !notice.url.starts_with("https://") && !notice.url.starts_with("http://"))
    table.reject("url", "'url' is no http or https address");
  notice.header = table.text("header", notice.header);
  if (notice.header.empty() || notice.header.find_first_of(": \t\r\n\"\\") != std::string::npos)
    table.reject("header", fmt::format("'{}' is no name of a header", notice.header));
  notice.secret_file = table.text("secret_file", "");
  notice.secret_environment = table.text("secret_environment", "");
  if (!notice.secret_file.empty() && !notice.secret_environment.empty())
    table.reject("secret_environment", "'secret_file' and 'secret_environment' contradict each other",
                 "leave one out");
  const bool secret = !notice.secret_file.empty() || !notice.secret_environment.empty();
  for (const auto& [key, given] :
       {std::pair("header", table.has("header")), std::pair("secret_file", secret)})
    if (given && !notice.has_webhook())
      table.reject(table.has(key) ? key : "secret_environment", "is of a webhook, and there is none",
                   "url = \"https://...\", url_file or url_environment; or leave it out");
  if (table.has("header") && !secret)
    table.reject(
        "header", "'header' carries a secret, and none is stated",
        "name its place with secret_file or secret_environment; the secret itself never stands here");
  notice.timeout_s = within(table, "timeout_seconds", notice.timeout_s, 1, 600);
  notice.always = table.boolean("always", false);
  if (table.has("always") && !notice.notifies_anyone())
    table.reject("always", "'always' notifies nobody", "add command or url");
  return notice;
}

std::string short_only(std::string_view suite) {
  return fmt::format("a check makes short, labelled {} runs only", suite);
}

/// The runs, each with the time of one of it.
void put_runs(Regression& regression, TomlTable& table) {
  auto runs = table.tables("runs");
  if (runs.empty())
    table.reject("runs", "there are no [[runs]]", "[[runs]] suite = \"hpl\": what a check measures");
  for (TomlTable& each : runs) {
    for (const char* key : {"repetitions", "stage", "hosts", "exclude"})
      if (each.has(key))
        each.reject(key, fmt::format("'{}' has no place in a check", key),
                    "[alarm] runs is the number of runs of each case; the rotation chooses the nodes");
    AcceptanceRun run = run_from_toml(each);
    if (run.nodes.size() > 1)
      each.reject("nodes", "a run of a check has one number of nodes", "make a run of each");
    for (const int nodes : run.nodes)
      if (nodes > regression.nodes)
        each.reject("nodes", fmt::format("{} nodes, and the budget has {}", nodes, regression.nodes));
    if (run.minutes <= 0)
      run.minutes = regression.minutes / (static_cast<double>(runs.size()) * regression.alarm.runs);
    if (const SuiteFacts* facts = suite_facts(run.suite);
        facts != nullptr && facts->full_run_min > 0 && run.minutes >= facts->full_run_min)
      each.reject("minutes", short_only(facts->title),
                  fmt::format("minutes below {}; `shakedown run` makes the full one", facts->full_run_min));
    regression.facts.runs.push_back(std::move(run));
  }
}

}  // namespace

Result<Regression> regression_from_toml(std::string_view text, std::string_view name) {
  auto concealed = concealed_configuration(text, name);
  if (!concealed) return failure_of(concealed);
  auto document = TomlTable::parse(concealed->text, name);
  if (!document) return failure_of(document);
  TomlTable& table = *document;
  Regression regression;
  Acceptance& facts = regression.facts;
  facts.text = std::move(concealed->text);
  facts.secrets = std::move(concealed->secrets);
  facts.title = table.text("title", "");
  facts.system = table.text("system", "");
  TomlTable site = table.table("site");
  facts.site = site_from_toml(site);
  for (const SuiteSite& stated : facts.site.suites)
    if (!stated.full_run.empty())
      site.table(stated.suite)
          .reject(stated.full_run, short_only(suite_title(stated.suite)),
                  "leave it out; `shakedown run` makes the full one");
  facts.settings = settings_from_toml(table.table("settings"));
  facts.calibrations = calibrations_from_toml(table);
  regression.checks_per_week = within(table, "checks_per_week", 7, 1.0 / 52, most_checks_per_week);
  put_budget(regression, table.table("budget"));
  TomlTable coverage = table.table("coverage");
  regression.days = whole_within(coverage, "days", 0, coverage.has("days") ? 1 : 0, 36'500);
  regression.alarm = alarm_from(table.table("alarm"));
  TomlTable disturbance = table.table("disturbance");
  regression.disturbance = {disturbance_limit(disturbance, "steal"), disturbance_limit(disturbance, "load")};
  regression.floor = floor_from(table.table("floor"));
  regression.notice = notice_from(table.table("notify"));
  put_runs(regression, table);
  if (auto ok = table.finished(); !ok) return failure_of(ok);
  return regression;
}

Result<Acceptance> configured_facts(std::string_view kind, std::string_view text, std::string_view name) {
  if (kind != regression_kind) return acceptance_from_toml(text, name);
  auto regression = regression_from_toml(text, name);
  if (!regression) return failure_of(regression);
  return std::move(regression->facts);
}

}  // namespace shakedown
