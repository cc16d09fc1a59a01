#include "orchestrator/cli/support/pass_textfile.hpp"

#include <algorithm>
#include <utility>

#include "orchestrator/cli/support/campaigning.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/inventory/node_kind.hpp"

namespace shakedown {

void put_textfile(const PassFrame& frame, PassMetrics metrics) {
  if (frame.options.metrics.empty()) return;
  if (const auto log = read_pass_log(frame.workspace)) metrics.put_counts(*log, frame.inventory.system);
  if (auto written = write_metrics(frame.options.metrics, metrics.families()); !written)
    complain("metrics not written", written.error());
}

void keep_and_put_textfile(const PassFrame& frame, PassMetrics metrics) {
  if (auto noted = metrics.keep(frame.workspace); !noted) complain("metrics not kept", noted.error());
  put_textfile(frame, std::move(metrics));
}

void make_up_for_textfile(const PassFrame& frame, const PassLog& log) {
  const std::string& system = frame.inventory.system;
  const auto last = std::find_if(log.passes.rbegin(), log.passes.rend(),
                                 [&](const LoggedPass& pass) { return pass.system == system; });
  PassMetrics metrics = PassMetrics::kept(frame.workspace);
  if (last == log.passes.rend() || metrics.has_pass(system, last->at_s)) return;
  const auto text = file_content(frame.workspace.campaign(last->campaign) / pass_verdict_file);
  if (!text) return;
  const auto verdict = pass_verdict_from_json(*text, pass_verdict_file);
  if (!verdict) return;
  metrics.put_verdict(system, last->at_s, *verdict, all_hosts(frame.inventory));
  keep_and_put_textfile(frame, std::move(metrics));
}

}  // namespace shakedown
