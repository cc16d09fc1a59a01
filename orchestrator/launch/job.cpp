#include "orchestrator/launch/job.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "orchestrator/core/json.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/launch/composition.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/plan/run_file.hpp"
#include "orchestrator/plan/secrets.hpp"

namespace shakedown {

std::vector<std::string> Job::hosts() const {
  std::vector<std::string> all;
  for (const JobLane& lane : lanes) all.insert(all.end(), lane.hosts.begin(), lane.hosts.end());
  return all;
}

double Job::time_limit_s(double margin_s) const {
  double longest_s = 0;
  for (const JobLane& lane : lanes) {
    double lane_s = 0;
    for (const JobStep& step : lane.steps) {
      if (step.time_limit_s <= 0) return 0;
      lane_s += step.time_limit_s + margin_s;
    }
    longest_s = std::max(longest_s, lane_s);
  }
  return longest_s;
}

std::string job_json(const Job& job) {
  nlohmann::ordered_json document;
  document["schema"] = "shakedown.job/1";
  document["id"] = job.id;
  document["campaign"] = job.campaign;
  if (job.gpus_per_node > 0) document["gpus_per_node"] = job.gpus_per_node;
  document["lanes"] = nlohmann::ordered_json::array();
  for (const JobLane& lane : job.lanes) {
    nlohmann::ordered_json steps = nlohmann::ordered_json::array();
    for (const JobStep& step : lane.steps)
      steps.push_back({{"case", step.case_id},
                       {"attempt", step.attempt},
                       {"time_limit_s", step.time_limit_s},
                       {"from_anywhere", step.from_anywhere}});
    document["lanes"].push_back({{"hosts", lane.hosts}, {"steps", std::move(steps)}});
  }
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<Job> job_from_json(std::string_view text, const std::filesystem::path& campaign_folder,
                          std::string_view name) {
  const auto is_component = [](const std::string& word) {  // never a way out of the campaign's folder
    return wrong_run_file(word).empty() && word.find('/') == std::string::npos;
  };
  try {
    const auto document = json_or_thrown<nlohmann::ordered_json>(text);
    Job job;
    job.id = document.at("id").get<std::string>();
    job.campaign = document.at("campaign").get<std::string>();
    job.folder = campaign_folder / "jobs" / job.id;
    job.gpus_per_node = document.value("gpus_per_node", 0);
    if (!is_component(job.id))
      return fail(std::string(name), fmt::format("'{}' is no name of a job", job.id));
    for (const auto& lane : document.at("lanes")) {
      JobLane& made = job.lanes.emplace_back();
      made.hosts = lane.at("hosts").get<std::vector<std::string>>();
      for (const auto& step : lane.at("steps")) {
        const auto case_id = step.at("case").get<std::string>();
        const int attempt = step.at("attempt").get<int>();
        if (!is_component(case_id))
          return fail(std::string(name), fmt::format("'{}' is no id of a case", case_id));
        made.steps.push_back({case_id, attempt,
                              campaign_folder / case_id / fmt::format("attempt-{}", attempt),
                              step.at("time_limit_s").get<double>(), step.at("from_anywhere").get<bool>()});
      }
    }
    return job;
  } catch (const nlohmann::json::exception& error) {
    return fail(std::string(name), fmt::format("is no description of a job: {}", error.what()),
                "it was written by `shakedown run`; a full disk may have cut it");
  }
}

namespace {

constexpr std::string_view run_mark = "{run}";

/// A word of the job's argv for the script: `{run}` is the folder of the run, known only there.
std::string script_word(std::string_view word) {
  std::string quoted;
  size_t at = 0;
  while ((at = word.find(run_mark)) != std::string_view::npos) {
    if (at > 0) quoted += shell_quoted(word.substr(0, at));
    quoted += "\"$PWD\"";
    word.remove_prefix(at + run_mark.size());
  }
  if (!word.empty() || quoted.empty()) quoted += shell_quoted(word);
  return quoted;
}

/// A text that stays one comment line.
std::string comment(std::string_view text) {
  std::string line = "# ";
  for (const char c : text) line += c == '\n' || c == '\r' ? ' ' : c;
  return line + "\n";
}

/// Shell words that load a case's modules; empty where it has none.
std::string module_loading(const Case& planned) {
  if (planned.modules.empty()) return "";
  std::string words = "command -v module >/dev/null 2>&1 || . /etc/profile || exit; module load";
  for (const std::string& module : planned.modules) words += " " + shell_quoted(module);
  return words + " || exit; ";
}

/// The wrapper's options for the command that looks at the nodes, in the environment that the case has.
std::string around_options(const Case& planned, const std::vector<std::string>& around) {
  if (around.empty()) return "";
  std::string options;
  if (const std::string loading = module_loading(planned); !loading.empty())
    options = " --around sh --around -c --around " + shell_quoted(loading + "exec \"$@\"") + " --around sh";
  for (const std::string& word : around) options += " --around " + script_word(word);
  return options;
}

/// What a shell does before the case's program; empty: nothing.
std::string prologue_of(const Case& planned) {
  std::string prologue = module_loading(planned);
  for (const auto& line : preparation_lines(planned)) prologue += script_line(line) + " || exit; ";
  return prologue;
}

/// The command line of the case. With modules or preparation a shell goes before it, so that what they print
/// and how they fail is part of the attempt.
std::string command_line(const Case& planned) {
  const std::string prologue = prologue_of(planned);
  std::string command;
  if (!prologue.empty()) command = " sh -c " + shell_quoted(prologue + "exec \"$@\"") + " sh";
  return command + " " + script_line(planned.argv);
}

/// What sets the case's variables. Secrets come from a file of the campaign's folder, which goes when it has
/// ended; by hand they then come from the environment.
std::string exports(const Case& planned) {
  std::string text;
  const std::vector<Secret> secrets = secrets_of(planned);
  if (!secrets.empty()) text = "[ ! -r ../../secrets.env ] || . ../../secrets.env\n";
  for (const Parameter& variable : planned.environment) {
    const std::string& name = variable.name;
    const std::string value = value_text(variable.value);
    const auto secret = std::ranges::find(secrets, name, &Secret::name);
    if (secret != secrets.end())
      text += fmt::format("export {}=\"${{{}-${{{}?is a secret: export it first}}}}\"\n", name,
                          shell_variable(*secret), name);
    else
      text += fmt::format("export {}={}\n", name, shell_quoted(value));
  }
  return text;
}

constexpr std::string_view by_hand = R"sh(
# By hand: in a new folder, with copies of the inputs, and on your terminal.
if [ "$shakedown_mode" != --attempt ]; then
  new=$(mktemp -d "$PWD/by-hand-XXXXXX") || exit
  for shakedown_input in $shakedown_inputs; do
    case $shakedown_input in */*) mkdir -p "$new/${shakedown_input%/*}" ;; esac
    cp "$shakedown_input" "$new/$shakedown_input" || exit
  done
  cd "$new" || exit
  echo "running in $new" >&2
  run_it
  exit
fi
)sh";

// Without the wrapper (another machine, another user): the same files, less exact and not synced.
constexpr std::string_view without_wrapper = R"sh(
# The wrapper is not here: the same protocol in plain sh, without the time limit.
now() { date +%s.%N; }
ticks_of() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20; }
boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)
space=$(stat -L -c %i /proc/self/ns/pid /proc/self/ns/time 2>/dev/null | paste -sd / -)
ticks=$(ticks_of $$)
( set -C
  printf '{"schema":"shakedown.started/1","host":"%s","pid":%d,"start_ticks":%d,"boot_id":"%s","space":"%s","started_s":%s}\n' \
    "$(hostname)" $$ "${ticks:-0}" "$boot" "$space" "$(now)" >started.json
) 2>/dev/null || exit 75
rm -f finished.json.tmp stdout.log stderr.log  # links that others put there
printf '%4096s' '' >finished.json.tmp  # a disk that the program fills keeps nothing from being said
export SHAKEDOWN_ATTEMPT="$boot:$space:$$:${ticks:-0}:$PWD"
# What attempts left here that were killed runs beside no other.
orphans() {
  for each in $(grep -lsa "SHAKEDOWN_ATTEMPT=$boot:$space:" /proc/[0-9]*/environ); do
    set -- $(tr '\0' '\n' 2>/dev/null <"$each" | sed -n 's/^SHAKEDOWN_ATTEMPT=[^:]*:[^:]*:\([0-9]*\):\([0-9]*\):.*/\1 \2/p')
    each=${each%/environ}
    [ "$(ticks_of "${1:-0}")" = "${2-}" ] || echo "${each##*/}"
  done
} 2>/dev/null
left=$(orphans)
for signal in TERM TERM KILL KILL; do
  [ -n "$left" ] || break
  kill -s $signal $left 2>/dev/null
  sleep 1
  left=$(orphans)
done
begin=$(now)
run_it >stdout.log 2>stderr.log </dev/null
code=$?
printf '{"schema":"shakedown.finished/1","state":"finished","exit_code":%d,"started_s":%s,"finished_s":%s,"orphans_alive":%d}\n' \
  $code "$begin" "$(now)" "$(echo "$left" | wc -w)" 1<>finished.json.tmp && mv finished.json.tmp finished.json
)sh";

}  // namespace

std::string script_line(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) {
    const bool whole = line.empty() && word.find(run_mark) == std::string::npos;
    line += (line.empty() ? "" : " ") + (whole ? shell_command(word) : script_word(word));
  }
  return line;
}

std::string job_script(const Case& planned, const JobContext& context) {
  std::string script = "#!/bin/sh\n";
  script +=
      comment(fmt::format("{}, attempt {} of campaign {}", planned.id, context.attempt, context.campaign));
  script += comment(
      "`sh job.sh` repeats the run by hand in a new folder beside this file; the evidence here stays as it "
      "is.");
  for (const std::string& note : context.notes) script += comment(note);
  script += "case $0 in */*) cd \"${0%/*}\" || exit ;; esac\n";
  script += exports(planned);

  script += "shakedown_mode=${1-}\n";
  const std::string command = command_line(planned);
  std::string inputs;
  for (const TextFile& file : planned.files) inputs += (inputs.empty() ? "" : " ") + file.name;
  script += fmt::format("shakedown_inputs={}\nrun_it() {{\n {}\n}}\n", shell_quoted(inputs), command);
  const std::string wrapper = shell_quoted(context.wrapper.string());
  const std::string executable = executable_of(planned);
  const std::string program = executable.empty() ? "" : " --program " + shell_quoted(executable);
  const std::string limit = planned.time_limit_s > 0 ? fmt::format(" --limit {}", planned.time_limit_s) : "";
  script += fmt::format(
      "if [ \"$shakedown_mode\" = --attempt ] && [ -x {} ]; then\n  exec {} --folder .{}{} --grace {}{} "
      "--{}\nfi\n",
      wrapper, wrapper, program, limit, context.grace_s, around_options(planned, context.around), command);
  script += by_hand;
  script += without_wrapper;
  return script;
}

namespace {

/// A word of the job's argv where the folder of the run is known.
std::string word_in(std::string word, const std::string& folder) {
  for (size_t at = word.find(run_mark); at != std::string::npos; at = word.find(run_mark, at + folder.size()))
    word.replace(at, run_mark.size(), folder);
  return word;
}

bool is_shell_name(std::string_view name) {
  const auto fits = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !name.empty() && fits(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return fits(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

DirectStart direct_start(const Case& planned, const JobContext& context,
                         const std::filesystem::path& folder) {
  const bool known_to_shell = std::ranges::any_of(
      planned.environment, [](const Parameter& variable) { return !is_shell_name(variable.name); });
  if (known_to_shell || !secrets_of(planned).empty()) return {};
  const std::string run = folder.string();
  DirectStart start;
  start.environment.push_back("PWD=" + run);
  for (const Parameter& variable : planned.environment)
    start.environment.push_back(variable.name + "=" + value_text(variable.value));

  std::vector<std::string>& words = start.argv;
  words = {context.wrapper.string(), "--folder", "."};
  const auto add = [&](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
  if (const std::string program = executable_of(planned); !program.empty()) add({"--program", program});
  if (planned.time_limit_s > 0) add({"--limit", fmt::format("{}", planned.time_limit_s)});
  add({"--grace", fmt::format("{}", context.grace_s)});
  if (const std::string loading = module_loading(planned); !loading.empty() && !context.around.empty())
    add({"--around", "sh", "--around", "-c", "--around", loading + "exec \"$@\"", "--around", "sh"});
  for (const std::string& word : context.around) add({"--around", word_in(word, run)});
  add({"--"});
  if (const std::string prologue = prologue_of(planned); !prologue.empty())
    add({"sh", "-c", prologue + "exec \"$@\"", "sh"});
  for (const std::string& word : planned.argv) add({word_in(word, run)});
  return start;
}

std::string executable_of(const Case& planned) {
  if (!planned.container.image.empty()) return "";
  std::string program = planned.program;
  if (program.empty() && planned.launcher.empty() && !planned.argv.empty()) program = planned.argv.front();
  const bool bare = program.find('/') == std::string::npos;
  if (bare && !planned.modules.empty()) return "";
  return program.find("{run}") == std::string::npos ? program : "";
}

}  // namespace shakedown
