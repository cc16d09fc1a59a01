#include "reports/site/document.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <unordered_map>

#include "orchestrator/core/version.hpp"
#include "reports/site/document_parts.hpp"

namespace shakedown {
namespace {

std::uint32_t whole_s(double seconds) {
  return static_cast<std::uint32_t>(std::clamp(std::round(seconds), 0.0, 4'294'967'295.0));
}

/// Columns that are filled row by row.
struct CampaignColumns {
  std::vector<std::uint32_t> id, kind, state, created, finished, verdict, sentence, tool, criteria, note,
      cases, ended, facts, report;
};

/// What was noted of nodes, as lists of numbered facts that many campaigns share.
class FactSets {
 public:
  std::uint32_t number(const std::vector<HistoryFact>& environment, TextTable& texts) {
    std::vector<std::uint32_t> set;
    for (const HistoryFact& fact : environment) {
      if (fact.name.starts_with("environment SLURM_") || fact.name.starts_with("environment PBS_")) continue;
      const auto key = std::make_pair(texts.number(fact.name), texts.number(fact.value));
      const auto [at, fresh] = facts_.try_emplace(key, static_cast<std::uint32_t>(facts_.size()));
      if (fresh) {
        names_.push_back(key.first);
        values_.push_back(key.second);
      }
      set.push_back(at->second);
    }
    std::ranges::sort(set);
    const auto [at, fresh] = sets_.try_emplace(set, static_cast<std::uint32_t>(sets_.size()));
    if (fresh) {
      members_.insert(members_.end(), set.begin(), set.end());
      ends_.push_back(static_cast<std::uint32_t>(members_.size()));
    }
    return at->second;
  }
  void write(DocumentParts& parts) const {
    parts.json.key("facts");
    parts.json.begin_object();
    shakedown::write(parts.json, "name", parts.core.add(names_));
    shakedown::write(parts.json, "value", parts.core.add(values_));
    shakedown::write(parts.json, "member", parts.core.add(members_));
    shakedown::write(parts.json, "end", parts.core.add_ascending(ends_));
    parts.json.end_object();
  }

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> facts_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> sets_;
  std::vector<std::uint32_t> names_, values_, members_, ends_;
};

void write_campaigns(DocumentParts& parts, const SiteSystem& system) {
  CampaignColumns rows;
  FactSets facts;
  TextTable& texts = parts.texts;
  for (std::size_t i = 0; i < system.campaigns.size(); ++i) {
    const HistoryCampaign& each = system.campaigns[i];
    rows.id.push_back(texts.number(each.id));
    rows.kind.push_back(texts.number(each.kind));
    rows.state.push_back(texts.number(each.state));
    rows.created.push_back(whole_s(each.created_s));
    rows.finished.push_back(whole_s(each.finished_s));
    rows.verdict.push_back(texts.number(shown_verdict(each)));
    rows.sentence.push_back(texts.number(shown_sentence(each)));
    rows.tool.push_back(texts.number(each.tool_version));
    rows.criteria.push_back(texts.number(each.criteria_name));
    rows.note.push_back(texts.number(each.note));
    rows.cases.push_back(static_cast<std::uint32_t>(each.cases));
    rows.ended.push_back(static_cast<std::uint32_t>(each.ended_cases));
    rows.facts.push_back(facts.number(each.environment, texts));
    rows.report.push_back(texts.number(i < system.reports.size() ? system.reports[i] : ""));
  }
  JsonText& json = parts.json;
  json.key("campaigns");
  json.begin_object();
  const std::pair<std::string_view, const std::vector<std::uint32_t>*> columns[] = {
      {"id", &rows.id},
      {"kind", &rows.kind},
      {"state", &rows.state},
      {"created", &rows.created},
      {"finished", &rows.finished},
      {"verdict", &rows.verdict},
      {"sentence", &rows.sentence},
      {"tool", &rows.tool},
      {"criteria", &rows.criteria},
      {"note", &rows.note},
      {"cases", &rows.cases},
      {"ended", &rows.ended},
      {"facts", &rows.facts},
      {"report", &rows.report}};
  for (const auto& [name, column] : columns) write(json, name, parts.core.add(*column));
  json.end_object();
  facts.write(parts);
}

void write_criteria(DocumentParts& parts, const SiteSystem& system) {
  std::vector<std::uint32_t> campaign, id, metric, severity, verdict, n, because;
  std::vector<double> measured, limit;
  const auto or_nan = [](const std::optional<double>& value) {
    return value.value_or(std::numeric_limits<double>::quiet_NaN());
  };
  for (std::size_t i = 0; i < system.campaigns.size(); ++i)
    for (const HistoryCriterion& each : system.campaigns[i].criteria) {
      campaign.push_back(static_cast<std::uint32_t>(i));
      id.push_back(parts.texts.number(each.id));
      metric.push_back(parts.texts.number(each.metric));
      severity.push_back(parts.texts.number(each.severity));
      verdict.push_back(parts.texts.number(each.verdict));
      n.push_back(static_cast<std::uint32_t>(each.n));
      because.push_back(parts.texts.number(each.because));
      measured.push_back(or_nan(each.measured));
      limit.push_back(or_nan(each.limit));
    }
  JsonText& json = parts.json;
  json.key("criteria");
  json.begin_object();
  write(json, "campaign", parts.core.add_ascending(campaign));
  const std::pair<std::string_view, const std::vector<std::uint32_t>*> columns[] = {
      {"id", &id},           {"metric", &metric}, {"severity", &severity},
      {"verdict", &verdict}, {"n", &n},           {"because", &because}};
  for (const auto& [name, column] : columns) write(json, name, parts.core.add(*column));
  write(json, "measured", parts.core.add(measured));
  write(json, "limit", parts.core.add(limit));
  json.end_object();
}

void write_declarations(DocumentParts& parts, const SiteSystem& system, const SystemPlaces& places) {
  JsonText& json = parts.json;
  json.key("accepted");
  json.begin_array();
  for (const AcceptedCampaign& each : system.acceptances) {
    json.begin_object();
    json.member("at", each.at_s);
    json.member("id", each.campaign);
    if (const auto at = places.campaigns.find(each.campaign); at != places.campaigns.end())
      json.member("campaign", static_cast<std::int64_t>(at->second));
    json.member("by", each.by);
    json.member("why", each.why);
    json.member("part", each.part);
    json.end_object();
  }
  json.end_array();
  json.key("events");
  json.begin_array();
  for (const NodeEvent& each : system.events) {
    json.begin_object();
    json.member("at", each.at_s);
    json.member("node", each.node);
    json.member("event", to_string(each.kind));
    json.member("by", each.by);
    json.member("note", each.note);
    json.end_object();
  }
  json.end_array();
  json.key("changes");
  json.begin_array();
  for (const ObservedChange& each : system.changes) {
    json.begin_object();
    json.member("at", each.at_s);
    json.member("node", each.node);
    json.member("what", each.what);
    json.end_object();
  }
  json.end_array();
}

void write_nodes(DocumentParts& parts, const SiteSystem& system, const SystemPlaces& places) {
  std::vector<std::uint32_t> names, last_seen, in_inventory, pods;
  for (const std::string& node : places.node_names) {
    names.push_back(parts.texts.number(node));
    const auto seen = system.last_seen.find(node);
    const auto pod = system.pods.find(node);
    pods.push_back(parts.texts.number(pod == system.pods.end() ? "" : pod->second));
    last_seen.push_back(seen == system.last_seen.end() ? 0 : whole_s(seen->second));
    in_inventory.push_back(in_inventory.size() < system.nodes.size() ? 1 : 0);
  }
  JsonText& json = parts.json;
  json.key("nodes");
  json.begin_object();
  write(json, "name", parts.core.add(names));
  write(json, "last_seen", parts.core.add(last_seen));
  write(json, "in_inventory", parts.core.add(in_inventory));
  if (!system.pods.empty()) write(json, "pod", parts.core.add(pods));
  json.end_object();
}

void write_system(DocumentParts& parts, const SiteSystem& system, const SiteBounds& bounds) {
  SystemPlaces places;
  for (std::size_t i = 0; i < system.campaigns.size(); ++i)
    places.campaigns.emplace(system.campaigns[i].id, static_cast<std::uint32_t>(i));
  for (const std::string& node : system.nodes) node_place(places, node);
  JsonText& json = parts.json;
  json.begin_object();
  json.member("name", system.name);
  write_campaigns(parts, system);
  write_criteria(parts, system);
  write_declarations(parts, system, places);
  write_series(parts, system, places, bounds.series);
  write_nodes(parts, system, places);  // last: series know of nodes that the inventory has lost
  json.end_object();
}

/// From when on values of nodes fit into the page; 0: all do.
double node_values_from(const SiteHistory& history, std::size_t most) {
  std::map<double, std::size_t, std::greater<>> by_time;
  for (const SiteSystem& system : history.systems) {
    std::unordered_map<std::string_view, double> created;
    for (const HistoryCampaign& each : system.campaigns) created.emplace(each.id, each.created_s);
    for (const std::size_t index : shown_series(system.series, std::numeric_limits<std::size_t>::max()))
      for (const SeriesPoint& point : system.series.series[index].points)
        if (const auto at = created.find(system.series.runs[point.run].campaign); at != created.end())
          ++by_time[at->second];
  }
  std::size_t sum = 0;
  double from_s = 0;
  for (const auto& [at_s, count] : by_time) {
    sum += count;
    if (sum > most) return from_s;
    from_s = at_s;
  }
  return 0;
}

}  // namespace

std::string json_in_html(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 64);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '<') {
      out += "\\u003c";
    } else if (c == '>') {
      out += "\\u003e";
    } else if (c == '&') {
      out += "\\u0026";
    } else if (json.substr(i, 2) == "\xE2\x80" && i + 2 < json.size() &&
               (json[i + 2] == '\xA8' || json[i + 2] == '\xA9')) {
      out += json[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += c;
    }
  }
  return out;
}

SiteDocument site_document(const SiteHistory& history, const SiteBounds& bounds) {
  DocumentParts parts;
  parts.node_values_from_s = node_values_from(history, bounds.node_values);
  JsonText& json = parts.json;
  double as_of_s = 0;
  for (const SiteSystem& system : history.systems)
    for (const HistoryCampaign& each : system.campaigns)
      as_of_s = std::max({as_of_s, each.created_s, each.finished_s});
  json.begin_object();
  json.member("schema", "shakedown.site/1");
  json.member("tool", tool_version);
  json.member("as_of", as_of_s);
  if (history.since_s > 0) json.member("since", history.since_s);
  if (history.left_out > 0) json.member("left_out", static_cast<std::int64_t>(history.left_out));
  if (parts.node_values_from_s > 0) json.member("node_values_from", parts.node_values_from_s);
  if (history.live) json.member("live", true);
  json.key("systems");
  json.begin_array();
  for (const SiteSystem& system : history.systems) write_system(parts, system, bounds);
  json.end_array();
  json.key("texts");
  json.begin_array();
  for (const std::string& text : parts.texts.texts()) json.value(text);
  json.end_array();
  json.key("blocks");
  json.begin_array();
  parts.core.write(json);
  for (const ColumnBlock& block : parts.node_values) block.write(json);
  json.end_array();
  json.end_object();
  return {json_in_html(json.take()), parts.node_values_from_s};
}

}  // namespace shakedown
