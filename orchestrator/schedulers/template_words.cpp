#include "orchestrator/schedulers/template_words.hpp"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/placeholders.hpp"
#include "orchestrator/plan/run_file.hpp"

namespace shakedown {
namespace {

constexpr double step_margin_s = 30;  // for the start and the end of an attempt, beside its own limit
constexpr double job_margin_s = 120;  // for those of the job

/// What a queue shows of a job; batch systems refuse other characters.
std::string job_name(const Job& job) {
  // Campaigns of two workspaces may have one name.
  std::string name =
      fmt::format("shakedown-{}-{}-{}", job.campaign, job.id, sha256(job.folder.string()).substr(0, 8));
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  for (char& c : name)
    if (plain.find(c) == std::string_view::npos) c = '_';
  return name;
}

/// As `job_name`, where there is room for 15 characters.
std::string short_job_name(const std::string& name) {
  return "sd-" + sha256(name).substr(0, 12);
}

std::string user_name() {
  passwd entry = {};
  passwd* found = nullptr;
  std::array<char, 4096> buffer{};
  const bool known = ::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found) == 0;
  return known && found != nullptr ? found->pw_name : std::to_string(::geteuid());
}

std::string hosts_text(const SchedulerTemplate& description, const std::vector<std::string>& hosts) {
  std::vector<std::string> named;
  named.reserve(hosts.size());
  for (const std::string& host : hosts)
    named.push_back(filled(description.host_word, std::vector<Parameter>{{"host", host}}));
  return joined(named, description.host_separator);
}

/// A comment stays one line.
/// Whether a placeholder of `element` has an empty value.
bool lacks_a_value(const std::string& element, const TemplateValues& values) {
  return std::ranges::any_of(placeholders(element), [&](const std::string& name) {
    if (name == "ids") return values.ids.empty();
    if (name == "options") return values.options.empty();
    const Value* value = find_parameter(values.single, name);
    return value == nullptr || value_text(*value).empty();
  });
}

constexpr std::string_view attempts = R"sh(# {} of campaign {}. Submitted by:
#   {}
# Each attempt's job.sh claims its folder first: an attempt that has started is not started again.
ended=
running=
# All processes of the job are told, or by these this one alone, which then passes it on.
trap 'ended=1' INT TERM
trap 'ended=1; [ -z "$running" ] || kill "$running"' HUP USR2
attempt() {{
  [ -z "$ended" ] || return 0
  (trap '' HUP USR2; exec sh "$1/job.sh" --attempt) </dev/null &
  running=$!
  while kill -0 "$running" 2>/dev/null; do wait "$running"; done
  running=
}}
)sh";

}  // namespace

TemplateValues template_values(const SchedulerTemplate& description, const Job& job, const Site& site) {
  const std::vector<std::string> hosts = job.hosts();
  const std::string name = job_name(job);
  const std::string script = (job.folder / batch_script_file).string();
  std::string time_s;
  std::string minutes;
  std::string clock;
  if (const double limit_s = job.time_limit_s(step_margin_s); limit_s > 0) {
    // Some count in minutes: all get whole ones.
    const auto whole = static_cast<long>(std::ceil((limit_s + job_margin_s) / 60));
    time_s = std::to_string(60 * whole);
    minutes = std::to_string(whole);
    clock = fmt::format("{:02}:{:02}:00", whole / 60, whole % 60);
  }
  return {.single = {{"name", name},
                     {"short_name", short_job_name(name)},
                     {"nodes", static_cast<std::int64_t>(hosts.size())},
                     {"hosts", hosts_text(description, hosts)},
                     {"time_s", time_s},
                     {"minutes", minutes},
                     {"time_hhmmss", clock},
                     {"folder", job.folder.string()},
                     {"log", (job.folder / batch_log_file).string()},
                     {"script", script},
                     {"quoted_script", shell_quoted(script)},
                     {"user", user_name()},
                     {"partition", site.partition},
                     {"account", site.account},
                     {"qos", site.qos},
                     {"reservation", site.reservation},
                     {"constraint", site.constraint}},
          .ids = {},
          .options = site.scheduler_options};
}

std::vector<std::string> template_names(const Job& job) {
  const std::string name = job_name(job);
  return {name, short_job_name(name)};
}

TemplateValues template_values(const std::vector<std::string>& ids) {
  return {.single = {{"id", ids.empty() ? std::string() : ids.front()}, {"user", user_name()}},
          .ids = ids,
          .options = {}};
}

std::vector<std::string> filled_command(const CommandTemplate& command, const TemplateValues& values) {
  std::vector<Parameter> all = values.single;
  all.push_back({"ids", joined(values.ids, ",")});
  all.push_back({"options", joined(values.options, " ")});
  std::vector<std::string> argv;
  for (const std::string& element : command) {
    if (lacks_a_value(element, values)) continue;
    for (const std::string_view word : words(element)) {
      if (word == "{ids}")
        argv.insert(argv.end(), values.ids.begin(), values.ids.end());
      else if (word == "{options}")
        argv.insert(argv.end(), values.options.begin(), values.options.end());
      else
        argv.push_back(filled(word, all));
    }
  }
  return argv;
}

std::string template_script(const SchedulerTemplate& description, const Job& job, const Site& site) {
  const TemplateValues values = template_values(description, job, site);
  std::vector<Parameter> quoted;
  quoted.reserve(values.single.size());
  for (const Parameter& each : values.single)
    quoted.push_back({each.name, shell_quoted(value_text(each.value))});
  std::string script = "#!/bin/sh\n";
  for (const std::string& line : description.preamble) script += on_one_line(filled(line, quoted)) + "\n";
  script += fmt::format(attempts, job.id, on_one_line(job.campaign),
                        on_one_line(shell_line(filled_command(description.submit, values))));
  for (const JobLane& lane : job.lanes)
    for (const JobStep& step : lane.steps) script += "attempt " + shell_quoted(step.folder.string()) + "\n";
  script += "[ -z \"$ended\" ] || exit 143\n";  // a shell's exit code for SIGTERM
  return script;
}

}  // namespace shakedown
