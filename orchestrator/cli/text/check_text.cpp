#include "orchestrator/cli/text/check_text.hpp"

#include <nlohmann/json.hpp>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/regression/skip_alarm.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

using nlohmann::ordered_json;

std::string check_document(const ordered_json& document) {
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string check_text(const SkippedCheck& skipped) {
  std::string text =
      fmt::format("skipped  {}\n         {}\n", skipped.because, skipped_text(skipped.counted));
  if (!skipped.alarm.empty()) text += "       ! " + skipped.alarm + "\n";
  return text;
}

std::string check_json(const SkippedCheck& skipped) {
  ordered_json document = {{"schema", "shakedown.regression/1"},
                           {"system", skipped.system},
                           {"skipped", true},
                           {"because", skipped.because},
                           {"skipped_checks", skipped.counted.all},
                           {"skipped_since_last_check", skipped.counted.since_last_check},
                           {"exit_code", exit_skipped}};
  if (!skipped.alarm.empty()) document["alarm"] = skipped.alarm;
  return check_document(document);
}

std::string check_text(const ConcludedCheck& concluded, bool with_changes) {
  const CheckVerdict& verdict = concluded.verdict.verdict;
  std::string text = fmt::format("verdict  {}\n", verdict.sentence);
  for (const JudgedSeries& each : verdict.series) {
    text += fmt::format("  {}  {}  {}\n        {}\n", series_text(each.series.name),
                        metric_text(each.series.name.metric, each.value), each.state(), each.watched.text);
    if (!with_changes) continue;
    for (const ChangePoint& point : each.changes) text += "        " + change_text(each, point) + "\n";
  }
  for (const MissingSeries& missing : verdict.missing)
    text += fmt::format("  {}  not measured: {}\n", missing.what, missing.because);
  for (const std::string& note : verdict.notes) text += "  ! " + note + "\n";
  if (const std::string report = concluded.verdict.report.string(); !report.empty())
    text += "report   " + report + "\n";
  return text;
}

std::string check_json(const ConcludedCheck& concluded) {
  const CheckNotification& made = concluded.verdict;
  const Coverage& seen = concluded.coverage;
  ordered_json document = json_or_thrown<ordered_json>(check_verdict_json(made.verdict));
  document["system"] = made.system;
  document["campaign"] = made.campaign;
  document["skipped"] = false;
  document["coverage"] = {{"nodes", seen.nodes}, {"seen", seen.seen},     {"days", seen.days},
                          {"late", seen.late},   {"oldest", seen.oldest}, {"oldest_days", seen.oldest_days}};
  document["skipped_checks"] = concluded.skipped.all;
  document["report"] = made.report.string();
  return check_document(document);
}

}  // namespace shakedown
