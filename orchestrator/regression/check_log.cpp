#include "orchestrator/regression/check_log.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ranges>
#include <set>

#include "orchestrator/campaign/append_line.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

using nlohmann::ordered_json;

fs::path log_file(const Workspace& workspace) {
  return workspace.folder / "regression.jsonl";
}

Result<void> append(const Workspace& workspace, const ordered_json& line) {
  return append_line(log_file(workspace), line.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

/// The skips of a system that no check has come after yet.
auto open_skips(CheckLog& log, const std::string& system) {
  return log.skips | std::views::filter([&system](const LoggedSkip& skip) {
           return skip.system == system && !skip.superseded;
         });
}

void recall(CheckLog& log, std::string_view text) try {
  const auto line = json_or_discarded<ordered_json>(text);
  if (!line.is_object()) return;
  const auto event = line.value("event", "");
  if (event == "check") {
    log.checks.push_back({line.at("system"), line.at("campaign"), line.at("at_s"), line.at("exit_code"),
                          line.at("runs"), line.at("nodes"), line.at("left_out")});
    for (LoggedSkip& skip : open_skips(log, log.checks.back().system)) skip.superseded = true;
  } else if (event == "skipped")
    log.skips.push_back({line.at("system"), line.at("at_s"), line.at("because")});
  else if (event == "changed")
    log.changes.push_back(
        {line.at("system"), line.at("campaign"), line.at("node"), line.at("at_s"), line.at("what")});
  else if (event == "failed")
    log.failures.push_back({line.at("system"), line.at("at_s"), line.at("because")});
  else if (event == "notified") {
    log.notifications.push_back({line.at("system"), line.at("campaign"), line.at("at_s")});
    if (!log.notifications.back().campaign.empty()) return;
    for (LoggedSkip& skip : open_skips(log, log.notifications.back().system)) skip.notified = true;
  }
} catch (const nlohmann::json::exception&) {
  return;
}

}  // namespace

int CheckLog::verdicts(std::string_view system) const {
  std::set<std::string_view> campaigns;
  for (const LoggedCheck& each : checks)
    if (each.system == system) campaigns.insert(each.campaign);
  return static_cast<int>(campaigns.size());
}

bool CheckLog::given_up(std::string_view campaign) const {
  const auto last = std::find_if(checks.rbegin(), checks.rend(),
                                 [&](const LoggedCheck& each) { return each.campaign == campaign; });
  return last != checks.rend() && std::ranges::find(last->left_out, every_run) != last->left_out.end();
}

CheckLog::Skipped CheckLog::skipped(std::string_view system) const {
  Skipped counted;
  for (const LoggedSkip& skip : skips) {
    if (skip.system != system) continue;
    ++counted.all;
    if (skip.superseded) continue;
    if (++counted.since_last_check == 1) counted.since_s = skip.at_s;
    counted.notified = counted.notified || skip.notified;
  }
  return counted;
}

std::optional<double> CheckLog::last_check_s(std::string_view system) const {
  std::optional<double> last;
  for (const LoggedCheck& each : checks)
    if (each.system == system) last = std::max(last.value_or(each.at_s), each.at_s);
  return last;
}

Result<CheckLog> read_check_log(const Workspace& workspace) {
  CheckLog log;
  std::error_code code;
  if (!fs::exists(log_file(workspace), code)) return log;
  const auto text = file_content(log_file(workspace));
  if (!text) return failure_of(text);
  for (const std::string_view line : split(*text, '\n')) recall(log, line);
  return log;
}

Result<void> log_check(const Workspace& workspace, const LoggedCheck& each) {
  return append(workspace, {{"event", "check"},
                            {"system", each.system},
                            {"campaign", each.campaign},
                            {"at_s", each.at_s},
                            {"exit_code", each.exit_code},
                            {"runs", each.runs},
                            {"nodes", each.nodes},
                            {"left_out", each.left_out}});
}

Result<void> log_skip(const Workspace& workspace, const LoggedSkip& skip) {
  return append(
      workspace,
      {{"event", "skipped"}, {"system", skip.system}, {"at_s", skip.at_s}, {"because", skip.because}});
}

Result<void> log_change(const Workspace& workspace, const LoggedChange& change) {
  return append(workspace, {{"event", "changed"},
                            {"system", change.system},
                            {"campaign", change.campaign},
                            {"node", change.node},
                            {"at_s", change.at_s},
                            {"what", change.what}});
}

Result<void> log_failure(const Workspace& workspace, const LoggedFailure& failure) {
  return append(workspace, {{"event", "failed"},
                            {"system", failure.system},
                            {"at_s", failure.at_s},
                            {"because", failure.because}});
}

Result<void> log_notification(const Workspace& workspace, const LoggedNotification& notification) {
  return append(workspace, {{"event", "notified"},
                            {"system", notification.system},
                            {"campaign", notification.campaign},
                            {"at_s", notification.at_s}});
}

}  // namespace shakedown
