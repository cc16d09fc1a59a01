#include "orchestrator/regression/notification.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/private_folder.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/regression/delivery.hpp"

namespace shakedown {
namespace {

/// Notifies from a temporary folder: of a full disk, or of a workspace that is missing.
Result<void> notified_from_other_folder(const RegressionNotice& notice, const std::string& content,
                                        const Error& because) {
  const PrivateFolder folder;
  const fs::path payload = folder.path() / "notification.json";
  if (folder.path().empty() || !write_file(payload, content)) return tl::unexpected<Error>(because);
  return notified(notice, payload);
}

using nlohmann::ordered_json;

fs::path payload_file(const Workspace& workspace, const CheckNotification& notification) {
  if (notification.skipped)
    return workspace.folder / "regression-skipped.json";  // beside a check that may fail
  return notification.campaign.empty() ? workspace.folder / "regression-notification.json"
                                       : workspace.campaign(notification.campaign) / "notification.json";
}

}  // namespace

std::string_view CheckNotification::kind() const {
  if (skipped) return "skipped";
  return campaign.empty() ? "failed" : "verdict";
}

std::string notification_json(const CheckNotification& notification, double at_s) {
  const CheckVerdict& verdict = notification.verdict;
  ordered_json document = {{"schema", "shakedown.notification/1"},
                           {"kind", notification.kind()},
                           {"system", notification.system},
                           {"campaign", notification.campaign},
                           {"at", utc_text(at_s)},
                           {"exit_code", verdict.exit_code},
                           {"sentence", verdict.sentence},
                           {"title", notification.title},
                           {"report", notification.report.string()},
                           {"series", ordered_json::array()}};
  if (const auto& skipped = notification.skipped) {
    document["skipped"] = {
        {"checks", skipped->count}, {"since", utc_text(skipped->since_s)}, {"because", skipped->because}};
    if (skipped->last_check_s) document["skipped"]["last_verdict_of"] = utc_text(*skipped->last_check_s);
  }
  for (const JudgedSeries& each : verdict.series) {
    if (!each.alarm() && !each.watched.below_floor) continue;
    const Watched& watched = each.watched;
    ordered_json series = {
        {"name", series_text(each.series.name)}, {"state", each.state()}, {"value", each.value}};
    if (watched.expected > 0) {  // else it learns
      series["expected"] = watched.expected;
      series["loss"] = watched.loss;
    }
    series["text"] = watched.text;
    if (each.series.floor) series["floor"] = *each.series.floor;
    if (watched.floor_value_of > 0) {
      series["floor_value"] = watched.floor_value;
      series["floor_value_of"] = watched.floor_value_of;
    }
    document["series"].push_back(std::move(series));
  }
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

bool is_notified(const RegressionNotice& notice, int exit_code) {
  return notice.tells_somebody() && (exit_code != 0 || notice.always);
}

Result<void> tell(const Workspace& workspace, const RegressionNotice& notice,
                  const CheckNotification& notification) {
  if (!is_notified(notice, notification.verdict.exit_code)) return {};
  const fs::path payload = payload_file(workspace, notification);
  const std::string content = notification_json(notification, now_s());
  if (auto written = write_file(payload, content); !written)
    return notified_from_other_folder(notice, content, written.error());
  if (auto told = notified(notice, payload); !told) return told;
  if (notification.kind() == "failed") return {};  // it is told at once or never
  return log_notification(workspace, {notification.system, notification.campaign, now_s()});
}

std::optional<CheckNotification> unsent_notification(const Workspace& workspace, const Regression& regression,
                                                     const CheckLog& log, const std::string& system) {
  const auto last = std::find_if(log.checks.rbegin(), log.checks.rend(),
                                 [&](const LoggedCheck& each) { return each.system == system; });
  if (last == log.checks.rend() || !is_notified(regression.notice, last->exit_code)) return std::nullopt;
  if (std::ranges::find(log.notifications, last->campaign, &LoggedNotification::campaign) !=
      log.notifications.end())
    return std::nullopt;
  const fs::path folder = workspace.campaign(last->campaign);
  const auto text = file_content(folder / check_verdict_file);
  if (!text) return std::nullopt;
  auto verdict = check_verdict_from_json(*text, check_verdict_file);
  if (!verdict) return std::nullopt;
  std::error_code code;
  const fs::path report = folder / "report.html";
  return CheckNotification{system, last->campaign, regression.facts.title,
                           fs::is_regular_file(report, code) ? report : fs::path(), *std::move(verdict)};
}

}  // namespace shakedown
