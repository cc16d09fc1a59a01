#include "orchestrator/campaign/bundle_extract.hpp"

#include <nlohmann/json.hpp>

#include "orchestrator/campaign/secrets_file.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/secrets.hpp"
#include "parsers/rules/result_json.hpp"

namespace shakedown {
namespace {

using ExtractJson = nlohmann::ordered_json;

constexpr std::string_view others_schema = "shakedown.others/1";

Validity validity_of(const std::string& text) {
  for (const Validity each : {Validity::valid, Validity::invalid})
    if (text == to_string(each)) return each;
  return Validity::unknown;
}

ExtractJson series_object(const MetricSeries& series) {
  ExtractJson object = {{"suite", series.suite},
                        {"implementation", series.implementation},
                        {"nodes", series.nodes},
                        {"node_kind", series.node_kind},
                        {"parameters", series.parameters},
                        {"metric", series.metric},
                        {"unit", series.unit}};
  object["points"] = ExtractJson::array();
  for (const SeriesPoint& point : series.points) object["points"].push_back({point.run, point.value});
  return object;
}

MetricSeries series_of_object(const ExtractJson& object, std::size_t runs) {
  MetricSeries series{
      object.at("suite"),      object.at("implementation"), object.at("nodes"), object.at("node_kind"),
      object.at("parameters"), object.at("metric"),         object.at("unit"),  {}};
  for (const auto& point : object.at("points")) {
    series.points.push_back({point.at(0), point.at(1)});
    if (series.points.back().run >= runs)
      throw std::invalid_argument("a point names a run that is not there");
  }
  return series;
}

ExtractJson accepted_object(const AcceptedBefore& before) {
  const AcceptedCampaign& accepted = before.acceptance;
  ExtractJson object = {{"system", accepted.system}, {"campaign", accepted.campaign}, {"at_s", accepted.at_s},
                        {"by", accepted.by},         {"why", accepted.why},           {"part", accepted.part},
                        {"verdict", before.verdict}};
  object["measured"] = ExtractJson::array();
  for (const AcceptedMeasurement& each : before.measured)
    object["measured"].push_back({each.criterion, each.metric, each.value});
  return object;
}

/// Null: nothing of it is masked.
ExtractJson masked_object(const Case& planned, AttemptRecord attempt) {
  const bool quoted_then = !secrets_of(planned).empty();  // and not now
  ExtractJson texts = ExtractJson::array();
  std::size_t place = 0;
  each_quoted_text(attempt, [&](const std::string& text, bool sentence) {
    if (holds_mask(text) || (quoted_then && sentence && text.find('\'') != std::string::npos))
      texts.push_back({place, text});
    ++place;
  });
  ExtractJson excerpts = ExtractJson::array();
  for (const FileRecord& file : attempt.files)
    if (holds_mask(file.excerpt) || (quoted_then && !file.excerpt.empty()))
      excerpts.push_back({file.name, file.excerpt});
  if (texts.empty() && excerpts.empty()) return nullptr;
  return {{"texts", std::move(texts)}, {"excerpts", std::move(excerpts)}};
}

AcceptedBefore accepted_of_object(const ExtractJson& object) {
  AcceptedBefore before{.acceptance = {object.at("system"), object.at("campaign"), object.at("at_s"),
                                       object.at("by"), object.at("why"), object.at("part")},
                        .verdict = object.at("verdict"),
                        .measured = {}};
  for (const auto& each : object.at("measured"))
    before.measured.push_back({each.at(0), each.at(1), each.at(2)});
  return before;
}

}  // namespace

std::string store_lines(const CampaignRecord& campaign) {
  std::string text;
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts) {
      ExtractJson line = {{"case", record.planned.id},
                          {"attempt", attempt.index},
                          {"state", to_string(attempt.state)},
                          {"failure", attempt.failure},
                          {"record_sha256", attempt.stored.record}};
      line["results"] = ExtractJson::array();
      for (const ResultRecord& result : attempt.results)
        line["results"].push_back(json_or_thrown<ExtractJson>(
            result_json(result.parsed, {result.rules, result.validity}, result.file)));
      if (ExtractJson masked = masked_object(record.planned, attempt); !masked.is_null())
        line["masked"] = std::move(masked);
      text += line.dump(-1, ' ', false, ExtractJson::error_handler_t::replace) + "\n";
    }
  return text;
}

std::map<std::pair<std::string, int>, MaskedTexts> masked_texts(std::string_view store_lines) {
  std::map<std::pair<std::string, int>, MaskedTexts> found;
  for (const std::string_view line : split(store_lines, '\n')) try {
      const auto document = json_or_discarded<ExtractJson>(line);
      if (!document.is_object() || !document.contains("masked")) continue;
      MaskedTexts masked;
      for (const auto& each : document["masked"].at("texts")) masked.texts.emplace(each.at(0), each.at(1));
      for (const auto& each : document["masked"].at("excerpts"))
        masked.excerpts.emplace(each.at(0), each.at(1));
      found.insert_or_assign({document.at("case"), document.at("attempt")}, std::move(masked));
    } catch (const ExtractJson::exception&) {
      continue;
    }
  return found;
}

std::string others_json(const OtherCampaigns& others) {
  ExtractJson document = {{"schema", others_schema}};
  document["earlier"] = ExtractJson::array();
  for (const EarlierCampaign& each : others.earlier) {
    document["earlier"].push_back({{"id", each.id},
                                   {"verdict", each.verdict},
                                   {"same_criteria", each.same_criteria},
                                   {"removed", each.removed},
                                   {"gone", each.gone}});
    if (each.other_system) document["earlier"].back()["other_system"] = true;
    if (each.nodes_unknown) document["earlier"].back()["nodes_unknown"] = true;
  }
  document["history_faults"] = others.history_faults;
  document["runs"] = ExtractJson::array();
  for (const SeriesRun& run : others.series.runs)
    document["runs"].push_back({{"campaign", run.campaign},
                                {"case", run.case_id},
                                {"attempt", run.attempt},
                                {"at_s", run.at_s},
                                {"hosts", run.hosts},
                                {"validity", to_string(run.validity)},
                                {"complete", run.complete}});
  document["series"] = ExtractJson::array();
  for (const MetricSeries& series : others.series.series) document["series"].push_back(series_object(series));
  document["events"] = ExtractJson::array();
  for (const NodeEvent& event : others.events)
    document["events"].push_back({{"system", event.system},
                                  {"node", event.node},
                                  {"event", to_string(event.kind)},
                                  {"at_s", event.at_s},
                                  {"by", event.by},
                                  {"note", event.note}});
  document["accepted"] = ExtractJson::array();
  for (const AcceptedBefore& each : others.accepted) document["accepted"].push_back(accepted_object(each));
  return document.dump(1, ' ', false, ExtractJson::error_handler_t::replace) + "\n";
}

Result<OtherCampaigns> others_from_json(std::string_view text, const std::string& name) try {
  const auto document = json_or_thrown<ExtractJson>(text);
  if (!document.is_object() || document.value("schema", "") != others_schema)
    return fail(name, fmt::format("its schema is not {}", others_schema));
  OtherCampaigns others;
  for (const auto& each : document.at("earlier"))
    others.earlier.push_back({each.at("id"), each.at("verdict"), each.at("same_criteria"), each.at("removed"),
                              each.value("gone", false), each.value("other_system", false),
                              each.value("nodes_unknown", false)});
  others.history_faults = document.at("history_faults").get<std::vector<std::string>>();
  for (const auto& each : document.at("runs"))
    others.series.runs.push_back({each.at("campaign"), each.at("case"), each.at("attempt"), each.at("at_s"),
                                  each.at("hosts"), validity_of(each.at("validity")), each.at("complete")});
  for (const auto& each : document.at("series"))
    others.series.series.push_back(series_of_object(each, others.series.runs.size()));
  for (const auto& each : document.at("events")) {
    const auto kind = node_event_kind(each.at("event").get<std::string>());
    if (!kind) throw std::invalid_argument("an event is neither reboot, replaced nor moved");
    others.events.push_back(
        {each.at("system"), each.at("node"), *kind, each.at("at_s"), each.at("by"), each.at("note")});
  }
  for (const auto& each : document.at("accepted")) others.accepted.push_back(accepted_of_object(each));
  return others;
} catch (const std::exception& error) {
  return fail(name, fmt::format("is not what a bundle holds there: {}", error.what()));
}

}  // namespace shakedown
