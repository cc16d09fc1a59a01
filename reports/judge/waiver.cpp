#include "reports/judge/waiver.hpp"

#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"

namespace shakedown {
namespace {

std::string clause_of(std::string_view judged_id) {
  return std::string(judged_id.substr(0, judged_id.find('@')));
}

/// A text that must be there and say something.
std::string said(TomlTable& table, std::string_view key, const char* hint) {
  std::string text = table.required_text(key);
  if (table.has(key) && trimmed(text).empty())
    table.reject(key, fmt::format("a waiver's '{}' is empty", key), hint);
  return text;
}

}  // namespace

bool Waiver::covers(std::string_view judged_id) const {
  return judged_id == criterion || clause_of(judged_id) == criterion;
}

bool Waiver::is_of(std::string_view clause_id) const {
  return clause_of(criterion) == clause_id;
}

std::vector<Waiver> waivers_from(TomlTable& file, std::span<const std::string> ids) {
  std::vector<Waiver> waivers;
  for (TomlTable& table : file.tables("waivers")) {
    Waiver waiver;
    waiver.criterion = table.required_text("criterion");
    if (table.has("criterion") && std::ranges::find(ids, clause_of(waiver.criterion)) == ids.end())
      table.reject("criterion",
                   fmt::format("no criterion '{}'{}", waiver.criterion,
                               did_you_mean(clause_of(waiver.criterion), ids)),
                   fmt::format("a waiver names one of: {}", joined(ids, ", ")));
    if (std::ranges::find(waivers, waiver.criterion, &Waiver::criterion) != waivers.end())
      table.reject("criterion", fmt::format("'{}' is waived twice", waiver.criterion), "leave one of them");
    waiver.reason = said(table, "reason", "say why the criterion need not pass");
    waiver.approver = said(table, "approver", "say who agreed to it");
    waiver.expires = table.required_date("expires");
    waiver.expires_s = utc_seconds(waiver.expires + "T00:00:00").value_or(-day_s) + day_s;
    waivers.push_back(std::move(waiver));
  }
  return waivers;
}

std::string waivers_toml(std::span<const Waiver> waivers) {
  std::string text;
  for (const Waiver& waiver : waivers)
    text += fmt::format("\n[[waivers]]\ncriterion = {}\nreason = {}\napprover = {}\nexpires = {}\n",
                        toml_quoted(waiver.criterion), toml_quoted(waiver.reason),
                        toml_quoted(waiver.approver), waiver.expires);
  return text;
}

}  // namespace shakedown
