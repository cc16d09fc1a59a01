#include <nlohmann/json.hpp>

#include "orchestrator/core/json.hpp"
#include "reports/judge/regression.hpp"

namespace shakedown {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view schema = "shakedown.regression/1";
constexpr WatchState states[] = {WatchState::too_few,       WatchState::in_control, WatchState::suspect,
                                 WatchState::not_confirmed, WatchState::warning,    WatchState::alarm};

ordered_json evidence_object(const LossEvidence& evidence) {
  ordered_json object = {{"of", evidence.of}, {"loss", evidence.loss}, {"p", evidence.p}};
  if (evidence.interval) {
    object["loss_low"] = evidence.interval->low;
    object["loss_high"] = evidence.interval->high;
  }
  return object;
}

LossEvidence evidence_from(const ordered_json& object) {
  LossEvidence evidence{object.at("of"), object.at("loss"), std::nullopt, object.at("p")};
  if (object.contains("loss_low")) evidence.interval = {object.at("loss_low"), object.at("loss_high")};
  return evidence;
}

ordered_json series_object(const JudgedSeries& judged) {
  const CheckSeries& series = judged.series;
  const Watched& watched = judged.watched;
  ordered_json object = {{"suite", series.name.suite},
                         {"implementation", series.name.implementation},
                         {"metric", series.name.metric},
                         {"nodes", series.name.nodes},
                         {"node_kind", series.name.node_kind},
                         {"parameters", series.name.parameters},
                         {"better", series.better == Better::higher ? "higher" : "lower"},
                         {"state", judged.state()},
                         {"watch", to_string(watched.state)},
                         {"learning", judged.learning()},
                         {"value", judged.value},
                         {"control_n", watched.control},
                         {"control_begun_with", watched.begun_with}};
  if (watched.expected > 0) {
    object["expected"] = watched.expected;
    object["loss"] = watched.loss;
    object["loss_low"] = watched.interval.low;
    object["loss_high"] = watched.interval.high;
    object["evidence"] = evidence_object(watched.evidence);
  }
  if (watched.since) object["since_check"] = *watched.since;
  if (watched.gain)
    object["gain"] = {
        {"since_check", watched.gain->since}, {"gain", watched.gain->share}, {"p", watched.gain->p}};
  object["changes"] = ordered_json::array();
  for (const ChangePoint& point : judged.changes)
    object["changes"].push_back({{"check", point.index},
                                 {"campaign", series.checks[point.index].campaign},
                                 {"before", point.before},
                                 {"after", point.after},
                                 {"p", point.p}});
  if (judged.shared) object["shared_variance"] = *judged.shared;
  if (series.floor) object["floor"] = *series.floor;
  if (!series.floor_source.empty()) object["floor_source"] = series.floor_source;
  if (watched.floor_value_of > 0) {
    object["floor_value"] = watched.floor_value;
    object["floor_value_of"] = watched.floor_value_of;
  }
  object["below_floor"] = watched.below_floor;
  object["floor_open"] = watched.floor_open;
  object["text"] = watched.text;
  object["control_from"] = series.control_from;
  if (judged.like_known) object["like"] = series.like;
  if (!series.reopened.empty()) object["reopened"] = series.reopened;
  object["checks"] = ordered_json::array();
  for (const SeriesCheck& check : series.checks)
    object["checks"].push_back({{"campaign", check.campaign}, {"runs", check.runs}});
  return object;
}

WatchState state_of(const std::string& text) {
  for (const WatchState state : states)
    if (to_string(state) == text) return state;
  return WatchState::too_few;
}

std::optional<double> maybe(const ordered_json& object, const char* key) {
  return object.contains(key) ? std::optional(object.at(key).get<double>()) : std::nullopt;
}

JudgedSeries series_from(const ordered_json& object) {
  JudgedSeries judged;
  judged.series.name = {object.at("suite"), object.at("implementation"), object.at("metric"),
                        object.at("nodes"), object.at("node_kind"),      object.at("parameters")};
  judged.series.better = object.at("better") == "lower" ? Better::lower : Better::higher;
  judged.series.control_from = object.at("control_from");
  judged.series.reopened = object.value("reopened", "");
  judged.like_known = object.contains("like");
  if (judged.like_known) judged.series.like = object.at("like").get<std::vector<double>>();
  judged.series.floor = maybe(object, "floor");
  judged.series.floor_source = object.value("floor_source", "");
  for (const auto& check : object.at("checks"))
    judged.series.checks.push_back({check.at("campaign"), check.at("runs")});
  Watched& watched = judged.watched;
  watched.state = state_of(object.at("watch"));
  watched.below_floor = object.at("below_floor");
  watched.control = object.at("control_n");
  watched.begun_with = object.value("control_begun_with", watched.control);  // absent before it was counted
  watched.expected = object.value("expected", 0.0);
  watched.loss = object.value("loss", 0.0);
  watched.interval = {object.value("loss_low", 0.0), object.value("loss_high", 0.0)};
  if (object.contains("evidence")) watched.evidence = evidence_from(object.at("evidence"));
  watched.floor_value = object.value("floor_value", 0.0);
  watched.floor_value_of = object.value("floor_value_of", std::size_t{0});
  watched.floor_open = object.value("floor_open", false);
  if (object.contains("since_check")) watched.since = object.at("since_check").get<std::size_t>();
  if (object.contains("gain")) {
    const auto& gain = object.at("gain");
    watched.gain = {gain.at("since_check"), gain.at("gain"), gain.at("p")};
  }
  for (const auto& point : object.value("changes", ordered_json::array()))
    judged.changes.push_back({point.at("check"), point.at("before"), point.at("after"), point.at("p")});
  watched.text = object.at("text");
  judged.value = object.at("value");
  judged.shared = maybe(object, "shared_variance");
  return judged;
}

}  // namespace

std::string check_verdict_json(const CheckVerdict& verdict) {
  ordered_json document = {{"schema", schema},
                           {"sentence", verdict.sentence},
                           {"exit_code", verdict.exit_code},
                           {"series", ordered_json::array()},
                           {"missing", ordered_json::array()},
                           {"notes", verdict.notes}};
  for (const JudgedSeries& each : verdict.series) document["series"].push_back(series_object(each));
  for (const MissingSeries& each : verdict.missing)
    document["missing"].push_back({{"what", each.what}, {"because", each.because}});
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Result<CheckVerdict> check_verdict_from_json(std::string_view text, std::string_view name) try {
  const auto document = json_or_thrown<ordered_json>(text);
  if (document.value("schema", "") != schema) return fail(std::string(name), fmt::format("is no {}", schema));
  CheckVerdict verdict;
  verdict.sentence = document.at("sentence");
  verdict.exit_code = document.at("exit_code");
  for (const auto& each : document.at("series")) verdict.series.push_back(series_from(each));
  for (const auto& each : document.at("missing"))
    verdict.missing.push_back({each.at("what"), each.at("because")});
  verdict.notes = document.at("notes").get<std::vector<std::string>>();
  return verdict;
} catch (const nlohmann::json::exception& error) {
  return fail(std::string(name), error.what());
}

}  // namespace shakedown
