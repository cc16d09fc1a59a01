#include "reports/judge/criteria.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/objections.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/acceptance.hpp"
#include "reports/judge/measurable.hpp"
#include "reports/statistics/order_interval.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

constexpr double middle_share = 0.5;

std::string results_text(std::size_t n) {
  return n == 1 ? "1 result" : fmt::format("{} results", n);
}

Aggregated limit_of_median(const Aggregation& how, std::vector<double> points, Direction direction) {
  const bool more_is_better = direction == Direction::at_least;
  // The upper limit of a median is the lower one of the values with their signs turned.
  if (!more_is_better) std::ranges::transform(points, points.begin(), std::negate<>());
  const auto limit = quantile_lower_limit(points, middle_share, how.confidence);
  if (!limit)
    return {std::nullopt, "",
            fmt::format("{} give no {} limit of the median; {}", results_text(points.size()),
                        confidence_text(how.confidence), limit.error().hint)};
  return {more_is_better ? limit->low : -limit->low,
          fmt::format("{} of {}, rank {}, exactly {}", how.text(direction), results_text(points.size()),
                      limit->low_rank, percent_text(limit->coverage)),
          ""};
}

Aggregated best(const Aggregation& how, std::vector<double> points, Direction direction) {
  const auto n = static_cast<std::size_t>(how.n);
  const std::size_t there = points.size();
  if (there < n)
    return {
        std::nullopt, "",
        fmt::format("{} of the {} runs that the criterion fixed before the first", results_text(there), n)};
  points.resize(n);  // what was run after them may have been run because of them
  if (direction == Direction::at_least)
    std::ranges::sort(points, std::greater<>());
  else
    std::ranges::sort(points);
  return {points[static_cast<std::size_t>(how.k) - 1],
          fmt::format("{} of {}{} results", how.text(direction), there > n ? "the first " : "",
                      there > n ? fmt::format("{} of {}", n, there) : fmt::format("{}", n)),
          ""};
}

std::optional<DisturbanceLimit> disturbance_limit(TomlTable disturbance, std::string_view key) {
  TomlTable table = disturbance.table(key);  // also when absent, so that the key is known, not misspelled
  if (!disturbance.has(key)) return std::nullopt;
  DisturbanceLimit limit{table.required_real("limit"), table.required_text("reason")};
  if (table.has("limit") && (!(limit.limit > 0) || !std::isfinite(limit.limit)))
    table.reject("limit", fmt::format("the limit must be a number above 0, not {}", limit.limit));
  return limit;
}

}  // namespace

std::string confidence_text(double confidence) {
  int decimals = 0;
  const auto shown = [&] {
    return std::round(confidence * std::pow(10, decimals + 2)) / std::pow(10, decimals + 2);
  };
  while (decimals < 12 && std::abs(shown() - confidence) > 1e-14) ++decimals;
  return percent_text(confidence, decimals);
}

std::string_view to_string(Direction direction) {
  return direction == Direction::at_least ? ">=" : "<=";
}

std::string_view relation(Direction direction, bool holds) {
  if (direction == Direction::at_least) return holds ? "≥" : "<";
  return holds ? "≤" : ">";
}

std::string_view to_string(Aggregation::Kind kind) {
  static constexpr std::array<std::string_view, 6> words = {"",        "every", "median", "lower_confidence",
                                                            "best_of", "rate"};
  return words.at(static_cast<std::size_t>(kind));
}

int Aggregation::fewest_runs() const {
  if (kind == Kind::best_of) return n;
  // One-sided at c is one side of an interval at 2 c - 1.
  if (kind == Kind::lower_confidence)
    return static_cast<int>(values_needed(middle_share, 2 * confidence - 1));
  return 1;
}

std::string Aggregation::text(Direction direction) const {
  const bool more_is_better = direction == Direction::at_least;
  if (kind == Kind::every) return more_is_better ? "lowest" : "highest";
  if (kind == Kind::lower_confidence)
    return fmt::format("{} {} limit of the median", more_is_better ? "lower" : "upper",
                       confidence_text(confidence));
  if (kind == Kind::best_of)
    return k == 1 ? "best" : fmt::format("number {} of the best{}", k, n == 2 * k - 1 ? ", the median," : "");
  return std::string(to_string(kind));
}

Aggregated aggregated(const Aggregation& how, std::span<const double> points, Direction direction) {
  if (points.empty()) return {std::nullopt, "", "there is no result"};
  std::vector<double> values(points.begin(), points.end());
  if (how.kind == Aggregation::Kind::lower_confidence)
    return limit_of_median(how, std::move(values), direction);
  if (how.kind == Aggregation::Kind::best_of) return best(how, std::move(values), direction);
  const std::string text = points.size() == 1
                               ? "one result"
                               : fmt::format("{} of {}", how.text(direction), results_text(points.size()));
  if (how.kind == Aggregation::Kind::every)
    return {direction == Direction::at_least ? std::ranges::min(values) : std::ranges::max(values), text, ""};
  return {median(std::move(values)), text, ""};
}

Result<Criteria> read_criteria(std::string_view text, std::string_view name) {
  auto file = TomlTable::parse(text, name);
  if (!file) return failure_of(file);
  Criteria criteria;
  if (trimmed(text).empty())
    return fail(
        std::string(name), "is empty",
        "`shakedown init -o acceptance.toml` writes criteria to begin with; `shakedown criteria check quick` "
        "checks shipped ones");
  criteria.title = file->required_text("title");
  TomlTable disturbance = file->table("disturbance");
  criteria.steal = disturbance_limit(disturbance, "steal");
  criteria.load = disturbance_limit(disturbance, "load");
  criteria.gemm_spread = disturbance_limit(disturbance, "gemm_spread");
  std::vector<std::string> ids;
  for (TomlTable& table : file->tables("criteria")) {
    criteria.criteria.push_back(criterion_from(table));
    const std::string& id = criteria.criteria.back().id;
    if (!id.empty() && std::ranges::find(ids, id) != ids.end())
      table.reject("id", fmt::format("two criteria are called '{}'", id),
                   "give each criterion an id of its own");
    ids.push_back(id);
  }
  criteria.waivers = waivers_from(*file, ids);
  // In a configuration these are beside the criteria; planning reads them.
  for (const std::string_view of_the_plan : keys_of_the_plan) file->skip(of_the_plan);
  if (auto ok = file->finished(); !ok) return failure_of(ok);
  return criteria;
}

namespace {

std::string criterion_id_of(std::string_view judged_id) {
  return std::string(judged_id.substr(0, judged_id.find('@')));
}

/// A text that must be there and not be empty.
std::string filled_text(TomlTable& table, std::string_view key, const char* hint) {
  std::string text = table.required_text(key);
  if (table.has(key) && trimmed(text).empty())
    table.reject(key, fmt::format("a waiver's '{}' is empty", key), hint);
  return text;
}

}  // namespace

bool Waiver::covers(std::string_view judged_id) const {
  return judged_id == criterion || criterion_id_of(judged_id) == criterion;
}

bool Waiver::is_of(std::string_view criterion_id) const {
  return criterion_id_of(criterion) == criterion_id;
}

std::vector<Waiver> waivers_from(TomlTable& file, std::span<const std::string> ids) {
  std::vector<Waiver> waivers;
  for (TomlTable& table : file.tables("waivers")) {
    Waiver waiver;
    waiver.criterion = table.required_text("criterion");
    if (table.has("criterion") && std::ranges::find(ids, criterion_id_of(waiver.criterion)) == ids.end())
      table.reject("criterion",
                   fmt::format("no criterion '{}'{}", waiver.criterion,
                               did_you_mean(criterion_id_of(waiver.criterion), ids)),
                   ids.empty() ? std::string("this file has no criterion: add a [[criteria]]")
                               : fmt::format("a waiver names one of: {}", joined(ids, ", ")));
    if (std::ranges::find(waivers, waiver.criterion, &Waiver::criterion) != waivers.end())
      table.reject("criterion", fmt::format("'{}' is waived twice", waiver.criterion), "leave one of them");
    waiver.reason = filled_text(table, "reason", "state why the criterion need not pass");
    waiver.approver = filled_text(table, "approver", "state who agreed to it");
    waiver.expires = table.required_date("expires");
    waiver.expires_s = utc_seconds(waiver.expires + "T00:00:00").value_or(-day_s) + day_s;
    waiver.nodes = table.text("nodes", "");
    if (const auto nodes = expanded_hostlist(waiver.nodes); table.has("nodes") && (!nodes || nodes->empty()))
      table.reject("nodes", fmt::format("'{}' is no list of nodes", waiver.nodes), "write it as cn[001-004]");
    waiver.limit = table.optional_real("limit");
    waivers.push_back(std::move(waiver));
  }
  return waivers;
}

std::string waivers_toml(std::span<const Waiver> waivers) {
  std::string text;
  for (const Waiver& waiver : waivers) {
    text += fmt::format("\n[[waivers]]\ncriterion = {}\nreason = {}\napprover = {}\nexpires = {}\n",
                        toml_quoted(waiver.criterion), toml_quoted(waiver.reason),
                        toml_quoted(waiver.approver), waiver.expires);
    if (!waiver.nodes.empty()) text += fmt::format("nodes = {}\n", toml_quoted(waiver.nodes));
    if (waiver.limit) text += fmt::format("limit = {}\n", *waiver.limit);
  }
  return text;
}

Result<void> check_metrics(std::string_view text, const std::string& name) {
  const auto read = read_criteria(text, name);
  if (!read) return failure_of(read);
  std::vector<Error> objections;
  for (const Criterion& each : read->criteria)
    if (std::string why = why_unmeasurable(each.suite, each.metric); !why.empty())
      objections.push_back(
          {each.metric_place, std::move(why), "`shakedown list --rules` names the metrics of each suite"});
  return all_objections(objections);
}

namespace {

Result<ChosenCriteria> frozen(const std::string& text, const fs::path& file, const Layout& layout,
                              const LastAccepted& last_accepted) {
  if (auto measurable = check_metrics(text, file.string()); !measurable) return failure_of(measurable);
  const auto baselines = shipped_baselines(layout.share);
  if (!baselines) return failure_of(baselines);
  auto frozen = frozen_criteria(text, file.string(), *baselines, last_accepted);
  if (!frozen) return failure_of(frozen);
  return ChosenCriteria{file.filename().string(), std::move(*frozen)};
}

}  // namespace

Result<CriteriaFile> criteria_file(const std::string& wanted, const Layout& layout) {
  std::error_code code;
  fs::path path = wanted;
  for (const char* kind : {"templates", "criteria"})
    if (const fs::path shipped = layout.share / kind / (wanted + ".toml"); fs::exists(shipped, code))
      path = shipped;
  auto text = named_file_content(path);
  if (!text)
    return fail(wanted, text.error().what,
                "it takes a TOML file with [[criteria]], a shipped campaign's name, or `quick`");
  return CriteriaFile{path.string(), std::move(*text)};
}

Result<ChosenCriteria> configured_criteria(const std::string& text, const std::string& file,
                                           const Layout& layout, const LastAccepted& last_accepted) {
  const auto table = TomlTable::parse(text, file);
  if (!table) return failure_of(table);
  if (!table->has("criteria") && !table->has("waivers")) return ChosenCriteria{};
  return frozen(text, file, layout, last_accepted);
}

Result<ChosenCriteria> chosen_criteria(const std::string& wanted, const Layout& layout,
                                       const LastAccepted& last_accepted) {
  if (wanted.empty()) return ChosenCriteria{};
  const auto file = criteria_file(wanted, layout);
  if (!file) return failure_of(file);
  return frozen(file->text, file->path, layout, last_accepted);
}

}  // namespace shakedown
