#include "orchestrator/regression/textfile.hpp"

#include <algorithm>
#include <utility>

#include "orchestrator/core/file.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "reports/formats/prometheus.hpp"

namespace shakedown {

void write_textfile(const Check& check, CheckMetrics metrics) {
  if (check.options.metrics.empty()) return;
  if (const auto log = read_check_log(check.workspace)) metrics.put_counts(*log, check.inventory.system);
  if (auto written = write_metrics(check.options.metrics, metrics.families()); !written)
    check.output.warn("metrics not written", written.error());
}

void record_and_write_textfile(const Check& check, CheckMetrics metrics) {
  if (auto noted = metrics.keep(check.workspace); !noted)
    check.output.warn("metrics not kept", noted.error());
  write_textfile(check, std::move(metrics));
}

void recover_textfile(const Check& check, const CheckLog& log) {
  const std::string& system = check.inventory.system;
  const auto last = std::find_if(log.checks.rbegin(), log.checks.rend(),
                                 [&](const LoggedCheck& each) { return each.system == system; });
  CheckMetrics metrics = CheckMetrics::kept(check.workspace);
  if (last == log.checks.rend() || metrics.has_check(system, last->at_s)) return;
  const auto text = file_content(check.workspace.campaign(last->campaign) / check_verdict_file);
  if (!text) return;
  const auto verdict = check_verdict_from_json(*text, check_verdict_file);
  if (!verdict) return;
  metrics.put_verdict(system, last->at_s, *verdict, all_hosts(check.inventory));
  record_and_write_textfile(check, std::move(metrics));
}

}  // namespace shakedown
