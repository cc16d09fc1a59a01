// One [[criteria]] table.
#include "reports/judge/criterion.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/judge/frozen_criteria.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/metric_units.hpp"
#include "reports/measure/reliability.hpp"

namespace shakedown {
namespace {

using Kind = Aggregation::Kind;

constexpr std::array severities = {CriterionSeverity::mandatory, CriterionSeverity::advisory};
constexpr std::array directions = {Direction::at_least, Direction::at_most};
constexpr std::array reference_kinds = {ReferenceKind::published, ReferenceKind::contract,
                                        ReferenceKind::last_accepted};
constexpr std::array run_kinds = {Kind::every, Kind::median, Kind::lower_confidence, Kind::best_of};
constexpr std::array attempt_kinds = {Kind::rate, Kind::lower_confidence};

/// A whole number from `least`; nothing where it is not stated.
std::optional<int> stated_count(TomlTable& table, std::string_view key, std::int64_t least) {
  constexpr std::int64_t most = 1'000'000;
  const auto stated = table.optional_integer(key);
  if (!stated) return std::nullopt;
  if (*stated >= least && *stated <= most) return static_cast<int>(*stated);
  table.reject(key, fmt::format("'{}' is {}, outside {} to {}", key, *stated, least, most));
  return std::nullopt;
}

int required_count(TomlTable& table, std::string_view key) {
  if (!table.has(key)) table.reject("", fmt::format("'{}' is missing", key));
  return stated_count(table, key, 1).value_or(1);
}

/// A key that only one kind of aggregation has.
void reserve(TomlTable& table, std::string_view key, const Aggregation& how, Kind kind) {
  if (table.has(key) && how.kind != kind)
    table.reject(key,
                 fmt::format("'{}' belongs to the aggregation '{}', and this one is '{}'", key,
                             to_string(kind), to_string(how.kind)),
                 fmt::format("leave it out, or write aggregation = \"{}\"", to_string(kind)));
}

Aggregation aggregation(TomlTable& table, const std::string& metric) {
  Aggregation how;
  how.kind = metric == "reliability" ? required_one_of<Kind>(table, "aggregation", attempt_kinds)
                                     : required_one_of<Kind>(table, "aggregation", run_kinds);
  how.confidence = table.real("confidence", how.confidence);
  const bool is_one = how.confidence > 0.5 && how.confidence < 1;
  if (!is_one)
    table.reject("confidence", fmt::format("no limit at {} confidence", how.confidence),
                 "it lies between 0.5 and 1, as 0.95");
  reserve(table, "confidence", how, Kind::lower_confidence);
  TomlTable best = table.table("best_of");
  reserve(table, "best_of", how, Kind::best_of);
  if (how.kind != Kind::best_of) return how;
  if (!table.has("best_of"))
    table.reject("", "'best_of' is missing", "state it before the first run: best_of = { k = 2, n = 3 }");
  else {
    how.k = required_count(best, "k");
    how.n = required_count(best, "n");
    if (how.k > how.n)
      table.reject("best_of", fmt::format("there is no number {} of {} runs", how.k, how.n),
                   "k lies between 1 and n");
  }
  return how;
}

void read_runs_min(TomlTable& table, Criterion& criterion) {
  criterion.runs_min = stated_count(table, "runs_min", 1);
  const int takes = criterion.metric == "reliability" ? 1 : criterion.aggregation.fewest_runs();
  if (!criterion.runs_min || *criterion.runs_min >= takes) return;
  table.reject("runs_min",
               fmt::format("'runs_min' is {}, and the aggregation takes {} runs", *criterion.runs_min, takes),
               "leave it out, or raise it");
}

/// Which of a criterion's three ways to a limit is taken, and no other beside it.
void one_limit(TomlTable& table, const Criterion& criterion) {
  const std::array<std::pair<const char*, bool>, 3> ways = {
      {{"limit", table.has("limit") && !criterion.limit_of},
       {"relative_to", !criterion.relative_to.empty()},
       {"requirement", table.has("requirement")}}};
  std::vector<std::string> taken;
  for (const auto& [key, is_there] : ways)
    if (is_there) taken.emplace_back(key);
  if (taken.size() < 2) return;
  const bool baseline = taken == std::vector<std::string>{"limit", "relative_to"};
  table.reject(taken.front(),
               baseline
                   ? std::string("a criterion has a limit or is relative to a baseline, not both")
                   : fmt::format("a criterion has one limit, and this one has {}", joined(taken, " and ")),
               fmt::format("leave '{}' out", joined(taken, "' or '")));
}

/// A number that must be there, and finite: TOML also writes inf and nan.
double finite_real(TomlTable& table, std::string_view key) {
  const double value = table.required_real(key);
  if (std::isfinite(value)) return value;
  table.reject(key, fmt::format("'{}' is {}, which is no number to hold anything against", key, value));
  return 0;
}

/// A value of the metric in its own unit, where another may stand beside it.
double own_value(TomlTable& table, std::string_view key, const Criterion& criterion) {
  double value = finite_real(table, key);
  const std::string unit = table.text("unit", "");
  if (!unit.empty()) {
    const auto own = in_metric_unit(criterion.metric, value, unit);
    if (own)
      value = derived_value(*own);
    else
      table.reject("unit", own.error().what, own.error().hint);
  }
  if (value < 0 && direction_of(criterion.metric))
    table.reject(key, fmt::format("'{}' is {}, and {} is never below 0", key, value, criterion.metric),
                 "a limit above 0");
  return value;
}

/// "33.9 PFLOP/s = 33900000 GFLOP/s"; empty where no other unit is stated.
std::string conversion(TomlTable& table, std::string_view key, const Criterion& criterion, double own) {
  const std::string unit = table.text("unit", "");
  const std::string own_unit = metric_unit(criterion.metric);
  if (unit.empty() || unit == own_unit) return "";
  return fmt::format("{} {} = {}{}{}", table.real(key, 0), unit, own, own_unit.empty() ? "" : " ", own_unit);
}

void read_limit(TomlTable& table, Criterion& criterion) {
  criterion.limit_of = optional_one_of<ReferenceKind>(table, "limit_of", reference_kinds);
  one_limit(table, criterion);
  if (table.has("requirement")) {
    if (table.has("unit"))
      table.reject("unit", "the limit follows from a training, in the metric's own unit", "leave 'unit' out");
    if (criterion.direction == Direction::at_most)
      table.reject("direction", "a training asks for a rate at least, and not at most", "direction = \">=\"");
    const DerivedLimit derived = limit_from_training(table.table("requirement"), criterion.metric);
    criterion.limit = derived_value(derived.value);
    criterion.limit_source += (criterion.limit_source.empty() ? "" : "; ") + derived.arithmetic;
    return;
  }
  if (criterion.relative_to.empty()) {
    criterion.limit = own_value(table, "limit", criterion);
    if (const std::string how = conversion(table, "limit", criterion, *criterion.limit); !how.empty())
      criterion.limit_source += "; " + how;
    return;
  }
  if (table.has("unit"))
    table.reject("unit", "'unit' is that of a limit, and this one is a part of another value",
                 "leave it out; of a contract's value it stands beside it: contract = { value = 34, unit = "
                 "\"PFLOP/s\", "
                 "source = \"contract 4.2\" }");
  criterion.factor = finite_real(table, "factor");
  if (table.has("factor") && !(criterion.factor > 0))
    table.reject("factor", fmt::format("the factor must be above 0, not {}", criterion.factor));
  if (criterion.relative_kind() == ReferenceKind::contract && !criterion.contract)
    table.reject("relative_to", "the criterion states no contract value",
                 "state it: contract = { value = 34000000, source = \"contract 4.2\" }");
}

void read_references(TomlTable& table, Criterion& criterion) {
  if (TomlTable contract = table.table("contract"); table.has("contract")) {
    ContractValue stated{own_value(contract, "value", criterion), contract.required_text("source")};
    if (const std::string how = conversion(contract, "value", criterion, stated.value); !how.empty())
      stated.source += "; " + how;
    criterion.contract = std::move(stated);
  }
  if (TomlTable published = table.table("published"); table.has("published"))
    criterion.published = frozen_value_from(published, criterion.suite, criterion.metric);
  if (TomlTable accepted = table.table("last_accepted"); table.has("last_accepted"))
    criterion.last_accepted = frozen_value_from(accepted, criterion.suite, criterion.metric);
  criterion.without_last_accepted = table.text("without_last_accepted", "");
  if (criterion.last_accepted && criterion.relative_kind() == ReferenceKind::last_accepted)
    table.reject("last_accepted",
                 "'last_accepted' is what a campaign finds when it begins, and no one states",
                 "leave it out: `shakedown accept` names the campaign");
}

/// Keys that have no meaning for a share of attempts.
void check_reliability(TomlTable& table, const Criterion& criterion) {
  if (criterion.metric != "reliability") {
    if (criterion.suite == "campaign")
      table.reject("suite", fmt::format("'campaign' has no {}", criterion.metric),
                   "all suites together have a metric \"reliability\" alone");
    return;
  }
  if (criterion.suite == whole_campaign && criterion.if_planned)
    table.reject("if_planned", "'if_planned' asks for a suite, and all suites together are always planned",
                 "leave it out");
  for (const char* key : {"each_node", "nodes_required", "attempts_max"})
    if (table.has(key))
      table.reject(key,
                   fmt::format("'{}' does not apply to reliability, which is counted over attempts", key),
                   "leave it out");
}

}  // namespace

std::string_view to_string(CriterionSeverity severity) {
  return severity == CriterionSeverity::mandatory ? "mandatory" : "advisory";
}

std::string_view to_string(ReferenceKind kind) {
  static constexpr std::array<std::string_view, 3> words = {"contract", "published", "last-accepted"};
  return words.at(static_cast<std::size_t>(kind));
}

std::optional<ReferenceKind> Criterion::relative_kind() const {
  if (relative_to.empty()) return std::nullopt;
  return enumerator<ReferenceKind>(relative_to, reference_kinds).value_or(ReferenceKind::published);
}

int Criterion::fewest_runs() const {
  // A success rate has a limit from any number of attempts.
  return std::max(runs_min.value_or(1), metric == "reliability" ? 1 : aggregation.fewest_runs());
}

Criterion criterion_from(TomlTable table) {
  Criterion criterion;
  criterion.id = table.required_text("id");
  if (criterion.id.find('@') != std::string::npos)
    table.reject(
        "id",
        fmt::format("'{}' holds an @, which stands before the case in a judged criterion's id", criterion.id),
        "use - or _");
  criterion.title = table.required_text("title");
  criterion.suite = table.required_text("suite");
  criterion.benchmark = table.text("benchmark", "");
  criterion.metric = table.required_text("metric");
  criterion.metric_place = table.place("metric");
  criterion.approver = table.text("approver", "");
  criterion.relative_to = table.text("relative_to", "");
  const bool derived = !criterion.relative_to.empty() || table.has("requirement");
  criterion.limit_source = derived ? table.text("limit_source", "") : table.required_text("limit_source");
  criterion.severity = required_one_of<CriterionSeverity>(table, "severity", severities);
  criterion.if_planned = table.boolean("if_planned", false);
  if (table.has("each_node")) criterion.each_node = table.boolean("each_node", false);
  criterion.nodes = stated_count(table, "nodes", 1);
  criterion.nodes_required = stated_count(table, "nodes_required", 1);
  criterion.exclusions_max = stated_count(table, "exclusions_max", 0);
  criterion.attempts_max = stated_count(table, "attempts_max", 1);
  check_reliability(table, criterion);
  if (criterion.metric != "validity") {
    criterion.direction = required_one_of<Direction>(table, "direction", directions);
    criterion.aggregation = aggregation(table, criterion.metric);
    read_references(table, criterion);
    read_limit(table, criterion);
  }
  read_runs_min(table, criterion);
  return criterion;
}

namespace {

constexpr double seconds_a_day = 86'400;
constexpr double flop_per_parameter_and_token = 6;
constexpr double giga = 1e9;
double above_zero(TomlTable& table, std::string_view key) {
  const double value = table.required_real(key);
  if (table.has(key) && (!(value > 0) || !std::isfinite(value)))
    table.reject(key, fmt::format("'{}' must be a number above 0, not {}", key, value));
  return value;
}

/// "70e9 parameters".
std::string power_text(double value) {
  return value >= giga ? fmt::format("{:g}e9", value / giga) : fmt::format("{:g}", value);
}

}  // namespace

std::optional<DerivedLimit> derived_limit(const TrainingRequirement& training, std::string_view metric) {
  const bool divide = metric.ends_with(per_gpu_ending);
  if (divide) metric.remove_suffix(per_gpu_ending.size());
  if (metric != "tokens_per_s" && metric != "model_gflops") return std::nullopt;
  DerivedLimit limit;
  limit.value = training.tokens / (training.days * seconds_a_day);
  limit.arithmetic = fmt::format("{} tokens / ({:g} d x 86400 s) = {} tokens/s", power_text(training.tokens),
                                 training.days, number(limit.value, 6));
  const double flops = flop_per_parameter_and_token * training.parameters * limit.value;
  limit.arithmetic += fmt::format("; 6 FLOP x {} parameters x that = {}", power_text(training.parameters),
                                  flops_text(flops / giga, 4));
  if (metric == "model_gflops") {
    limit.value = flops / giga;
  } else if (training.measured_parameters) {
    const double measured = *training.measured_parameters;
    limit.value = flops / (flop_per_parameter_and_token * measured);
    limit.arithmetic += fmt::format("; as much with the {} parameters that are measured is {} tokens/s",
                                    power_text(measured), number(limit.value, 6));
  }
  if (divide) {
    limit.value /= training.gpus.value_or(1);
    limit.arithmetic += fmt::format("; / {:g} GPUs = {}", training.gpus.value_or(1), number(limit.value, 6));
  }
  return limit;
}

DerivedLimit limit_from_training(TomlTable table, std::string_view metric) {
  TrainingRequirement training;
  training.parameters = above_zero(table, "parameters");
  training.tokens = above_zero(table, "tokens");
  training.days = above_zero(table, "days");
  if (table.has("measured_parameters"))
    training.measured_parameters = above_zero(table, "measured_parameters");
  if (table.has("gpus")) training.gpus = above_zero(table, "gpus");
  if (training.gpus.has_value() != metric.ends_with(per_gpu_ending))
    table.reject("gpus",
                 training.gpus ? "'gpus' divides a limit per GPU, and the metric is none"
                               : fmt::format("'gpus' is missing: {} is per GPU", metric),
                 "a metric that ends in _per_gpu takes the number of GPUs that share the work");
  const auto limit = derived_limit(training, metric);
  if (limit) return *limit;
  table.reject("", fmt::format("no training asks for a limit on '{}'", metric),
               "a requirement derives tokens_per_s or model_gflops, either also _per_gpu");
  return {};
}

}  // namespace shakedown
