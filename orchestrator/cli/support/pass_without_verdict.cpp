#include "orchestrator/cli/support/pass_without_verdict.hpp"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "orchestrator/cli/support/pass_textfile.hpp"
#include "orchestrator/cli/support/pass_words.hpp"
#include "orchestrator/cli/support/skipped_passes.hpp"
#include "orchestrator/cli/support/terminal.hpp"
#include "orchestrator/core/time.hpp"

namespace shakedown {
namespace {

using nlohmann::ordered_json;

/// The system that all passes of a workspace are of; empty: there is none, or there are several.
std::string only_system(const Workspace& workspace) {
  const auto log = read_pass_log(workspace);
  if (!log || log->passes.empty()) return "";
  const std::string& system = log->passes.back().system;
  const bool only =
      std::ranges::all_of(log->passes, [&](const LoggedPass& pass) { return pass.system == system; });
  return only ? system : "";
}

}  // namespace

Result<int> skipped_pass(const PassFrame& frame, const std::string& because) {
  const std::string& system = frame.inventory.system;
  if (auto logged = log_skip(frame.workspace, {system, now_s(), because}); !logged) return pass_on(logged);
  auto history = read_history(frame);
  if (!history) {  // the pass that is under way may have the store alone
    auto log = read_pass_log(frame.workspace);
    if (!log) return pass_on(log);
    history = PassHistory();
    history->system = system;
    history->log = *std::move(log);
  }
  const PassLog::Skipped counted = history->log.skipped(system);
  const std::string alarm = skip_alarm(frame.regression, *history, reachable_now(frame), now_s());
  if (frame.common.json) {
    ordered_json document = {{"schema", "shakedown.regression/1"},
                             {"system", system},
                             {"skipped", true},
                             {"because", because},
                             {"skipped_passes", counted.all},
                             {"skipped_since_last_pass", counted.since_last_pass},
                             {"exit_code", exit_skipped}};
    if (!alarm.empty()) document["alarm"] = alarm;
    say_document(document);
  } else {
    std::cout << shown(fmt::format("skipped  {}\n         {}\n", because, skipped_text(counted)));
    if (!alarm.empty()) std::cout << shown("       ! " + alarm + "\n");
  }
  if (const auto telling = skip_telling(frame.regression, *history, alarm, because)) tell_of(frame, *telling);
  put_textfile(frame, PassMetrics::kept(frame.workspace));
  return exit_skipped;
}

void failed_pass(const PassFrame& frame, const Error& error) {
  const std::string sentence = to_string(error);
  const auto logged = log_failure(frame.workspace, {frame.inventory.system, now_s(), sentence});
  if (!logged) complain("not logged", logged.error());
  PassTelling telling{frame.inventory.system, "", frame.regression.facts.title, {}, {}};
  telling.verdict.sentence = "regression pass: failed: " + sentence;
  telling.verdict.exit_code = error.fault == Fault::environment ? 4 : 2;
  tell_of(frame, telling);
  if (logged) put_textfile(frame, PassMetrics::kept(frame.workspace));  // else nobody knows what it held
}

tl::unexpected<Error> failed_early(PassFrame& frame, Error error) {
  std::string& system = frame.inventory.system;
  if (system.empty()) system = only_system(frame.workspace);
  if (system.empty()) system = fs::path(frame.regression.facts.system).stem().string();
  failed_pass(frame, error);
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace shakedown
