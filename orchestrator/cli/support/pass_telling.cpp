#include "orchestrator/cli/support/pass_telling.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/cli/support/notification.hpp"
#include "orchestrator/cli/support/private_folder.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"

namespace shakedown {
namespace {

/// Tells by a file that passes away: those who should know of a full disk, or that there is no workspace.
Result<void> told_from_elsewhere(const RegressionNotice& notice, const std::string& content,
                                 const Error& because) {
  const PrivateFolder folder;
  const fs::path payload = folder.path() / "notification.json";
  if (folder.path().empty() || !write_file(payload, content)) return tl::unexpected<Error>(because);
  return notified(notice, payload);
}

using nlohmann::ordered_json;

fs::path payload_file(const Workspace& workspace, const PassTelling& telling) {
  if (telling.skipped) return workspace.folder / "regression-skipped.json";  // beside a pass that may fail
  return telling.campaign.empty() ? workspace.folder / "regression-notification.json"
                                  : workspace.campaign(telling.campaign) / "notification.json";
}

}  // namespace

std::string_view PassTelling::kind() const {
  if (skipped) return "skipped";
  return campaign.empty() ? "failed" : "verdict";
}

std::string notification_json(const PassTelling& telling, double at_s) {
  const PassVerdict& verdict = telling.verdict;
  ordered_json document = {
      {"schema", "shakedown.notification/1"}, {"kind", telling.kind()}, {"system", telling.system},
      {"campaign", telling.campaign},         {"at", utc_text(at_s)},   {"exit_code", verdict.exit_code},
      {"sentence", verdict.sentence},         {"title", telling.title}, {"report", telling.report.string()},
      {"series", ordered_json::array()}};
  if (const auto& skipped = telling.skipped) {
    document["skipped"] = {
        {"passes", skipped->count}, {"since", utc_text(skipped->since_s)}, {"because", skipped->because}};
    if (skipped->last_pass_s) document["skipped"]["last_verdict_of"] = utc_text(*skipped->last_pass_s);
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

bool is_told(const RegressionNotice& notice, int exit_code) {
  return notice.tells_somebody() && (exit_code != 0 || notice.always);
}

Result<void> tell(const Workspace& workspace, const RegressionNotice& notice, const PassTelling& telling) {
  if (!is_told(notice, telling.verdict.exit_code)) return {};
  const fs::path payload = payload_file(workspace, telling);
  const std::string content = notification_json(telling, now_s());
  if (auto written = write_file(payload, content); !written)
    return told_from_elsewhere(notice, content, written.error());
  if (auto told = notified(notice, payload); !told) return told;
  if (telling.kind() == "failed") return {};  // it is told at once or never
  return log_telling(workspace, {telling.system, telling.campaign, now_s()});
}

std::optional<PassTelling> untold(const Workspace& workspace, const Regression& regression,
                                  const PassLog& log, const std::string& system) {
  const auto last = std::find_if(log.passes.rbegin(), log.passes.rend(),
                                 [&](const LoggedPass& pass) { return pass.system == system; });
  if (last == log.passes.rend() || !is_told(regression.notice, last->exit_code)) return std::nullopt;
  if (std::ranges::find(log.tellings, last->campaign, &LoggedTelling::campaign) != log.tellings.end())
    return std::nullopt;
  const fs::path folder = workspace.campaign(last->campaign);
  const auto text = file_content(folder / pass_verdict_file);
  if (!text) return std::nullopt;
  auto verdict = pass_verdict_from_json(*text, pass_verdict_file);
  if (!verdict) return std::nullopt;
  std::error_code code;
  const fs::path report = folder / "report.html";
  return PassTelling{system, last->campaign, regression.facts.title,
                     fs::is_regular_file(report, code) ? report : fs::path(), *std::move(verdict)};
}

}  // namespace shakedown
