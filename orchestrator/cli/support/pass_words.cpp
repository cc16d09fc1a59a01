#include "orchestrator/cli/support/pass_words.hpp"

#include <iostream>
#include <nlohmann/json.hpp>

#include "orchestrator/cli/support/terminal.hpp"
#include "orchestrator/core/json.hpp"
#include "reports/display.hpp"

namespace shakedown {
namespace {

using nlohmann::ordered_json;

std::string pass_text(const PassVerdict& verdict, bool with_changes) {
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
  return text;
}

}  // namespace

std::string skipped_text(const PassLog::Skipped& skipped) {
  return fmt::format("skipped: {} pass{} of this system so far, {} since the last one made", skipped.all,
                     skipped.all == 1 ? "" : "es", skipped.since_last_pass);
}

void say_document(const ordered_json& document) {
  std::cout << document.dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
}

void say_pass(const PassFrame& frame, const PassTelling& telling, const Coverage& seen,
              const PassLog::Skipped& skipped) {
  const std::string report = telling.report.string();
  if (!frame.common.json) {
    std::cout << shown(pass_text(telling.verdict, frame.common.verbose > 0));
    if (!report.empty()) std::cout << "report   " << report << "\n";
    return;
  }
  ordered_json document = json_or_thrown<ordered_json>(pass_verdict_json(telling.verdict));
  document["system"] = telling.system;
  document["campaign"] = telling.campaign;
  document["skipped"] = false;
  document["coverage"] = {{"nodes", seen.nodes}, {"seen", seen.seen},     {"days", seen.days},
                          {"late", seen.late},   {"oldest", seen.oldest}, {"oldest_days", seen.oldest_days}};
  document["skipped_passes"] = skipped.all;
  document["report"] = report;
  say_document(document);
}

}  // namespace shakedown
