#include <pwd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "orchestrator/cli/command.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/plan/regression.hpp"
#include "orchestrator/plan/secrets.hpp"
#include "orchestrator/planning/plan_options.hpp"
#include "orchestrator/regression/check_history.hpp"
#include "orchestrator/regression/node_rotation.hpp"
#include "orchestrator/regression/timetable.hpp"

namespace shakedown::command {
namespace {

using nlohmann::ordered_json;

constexpr double crontab_patience_s = 30;  // of crontab, scrontab and systemctl

struct ScheduleOptions {
  std::string config;
  std::string at = "02:00";
  std::string metrics;
  bool systemd = false;
  bool cron = false;
  bool scrontab = false;
  bool install = false;
  bool here = false;
};

/// What is scheduled, and by which of the three.
struct Schedule {
  ScheduledCheck check;
  Timetable table;
  std::string by;
  std::vector<std::string> remarks;  ///< why it will not do what is expected
};

fs::path absolute(const fs::path& path) {
  std::error_code code;
  return fs::absolute(path, code).lexically_normal();
}

std::string user_path() {
  const char* path = std::getenv("PATH");
  return path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
}

/// Letters, digits, '-' and '_' of a file's name, for a unit's.
std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name)
    text += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' ? c : '-';
  return text;
}

std::string user_name() {
  const passwd* entry = ::getpwuid(::geteuid());
  return entry == nullptr ? "" : entry->pw_name;
}

/// Neither a timer nor cron nor a job of scrontab has the variables of the shell that schedules.
Result<void> no_variables(const Regression& regression, const std::string& config) {
  const RegressionNotice& notice = regression.notice;
  const Site& site = regression.facts.site;
  Case job;  // with the variables of all jobs
  job.environment = site.environment;
  for (const SiteProgram& program : site.programs)
    job.environment.insert(job.environment.end(), program.environment.begin(), program.environment.end());
  for (const Secret& secret : secrets_of(job))
    if (!secret.from.empty())
      return fail(config, fmt::format("${} is not set where scheduled checks begin", secret.from),
                  fmt::format("replace {{ from = \"{}\" }} by {{ value = \"...\", secret = true }}, and let "
                              "only yourself read the file (chmod 600)",
                              secret.from));
  for (const auto& [key, variable, file] :
       {std::tuple("secret_environment", notice.secret_environment, "secret_file"),
        std::tuple("url_environment", notice.url_environment, "url_file")})
    if (!variable.empty())
      return fail(
          fmt::format("{}: {}", config, key),
          fmt::format("${} is not set where scheduled checks begin: no notification could be sent", variable),
          fmt::format("put it into a file that only you may read, and name it: {}", file));
  return {};
}

/// Whether the promised days can be met, as far as the system's nodes are known here.
std::string remark_on_promise(Regression& regression, const std::string& config) {
  if (regression.days == 0) return "";
  find_system_beside(regression.facts, config);
  const auto inventory = chosen_inventory({}, regression.facts, installed_layout());
  if (!inventory) return "whether [coverage] days can be kept is not known: " + to_string(inventory.error());
  const auto kind = largest_kind(*inventory);
  return kind ? promise_remark(regression, kind->hosts.size()) : "";
}

/// A line feed in a path would begin a line of its own in a crontab.
Result<void> one_line_of_a_table(const std::string& text) {
  if (std::ranges::none_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; })) return {};
  return fail(text, "holds control characters: it can stand in no timer or crontab", "rename it");
}

Result<Schedule> scheduled(const ScheduleOptions& options, const CommonOptions& common) {
  const auto text = named_file_content(options.config);
  if (!text) return fail(options.config, text.error().what, "--config takes a regression.toml");
  auto regression = regression_from_toml(*text, options.config);
  if (!regression) return failure_of(regression);
  if (auto watched = watched_floors(regression->floor, options.config); !watched) return failure_of(watched);
  if (auto possible = no_variables(*regression, options.config); !possible) return failure_of(possible);
  auto table = timetable(regression->checks_per_week, options.at);
  if (!table) return failure_of(table);
  const fs::path config = absolute(options.config);
  const fs::path workspace = absolute(common.workspace);
  Schedule schedule;
  schedule.table = *std::move(table);
  schedule.by = options.cron ? "cron" : options.scrontab ? "scrontab" : "systemd";
  ScheduledCheck& check = schedule.check;
  check.name = "shakedown-regress-" + plain(config.stem().string());
  const std::string& title = regression->facts.title;
  check.title = "shakedown regression check: " + (title.empty() ? config.filename().string() : title);
  check.argv = {installed_layout().executable.string(),
                "regress",
                "--config",
                config.string(),
                "-w",
                workspace.string(),
                "--progress",
                "none"};
  if (!options.metrics.empty()) {
    check.argv.emplace_back("--metrics");
    check.argv.push_back(absolute(options.metrics).string());
  }
  if (options.here) check.argv.emplace_back("--here");
  check.folder = config.parent_path().string();
  check.path = user_path();
  check.log = (workspace / "regression.log").string();
  const RegressionAlarm& alarm = regression->alarm;
  check.minutes = regression->minutes * (1 + static_cast<double>(alarm.repeats) / alarm.runs);
  const Site& site = regression->facts.site;
  for (const auto& [option, value] : {std::pair("--partition", site.partition),
                                      std::pair("--account", site.account), std::pair("--qos", site.qos)})
    if (!value.empty()) check.slurm_options.push_back(fmt::format("{}={}", option, value));
  schedule.remarks.push_back(remark_on_promise(*regression, options.config));
  if (schedule.by == "systemd")
    schedule.remarks.push_back(linger_remark(::geteuid() == 0, user_name(), "/var/lib/systemd/linger"));
  std::erase(schedule.remarks, "");
  for (const std::string* each : {&check.folder, &check.path, &check.log})
    if (auto ok = one_line_of_a_table(*each); !ok) return failure_of(ok);
  for (const std::string& word : check.argv)
    if (auto ok = one_line_of_a_table(word); !ok) return failure_of(ok);
  for (const std::string& option : check.slurm_options)
    if (auto ok = one_line_of_a_table(option); !ok) return failure_of(ok);
  return schedule;
}

std::string printed(const Schedule& schedule) {
  const ScheduledCheck& check = schedule.check;
  if (schedule.by == "cron") return cron_block(check, schedule.table);
  if (schedule.by == "scrontab") return scrontab_block(check, schedule.table);
  return fmt::format("# {0}.service\n{1}\n# {0}.timer\n{2}", check.name, systemd_service(check),
                     systemd_timer(check, schedule.table));
}

Result<void> answered_yes(const std::vector<std::string>& argv, std::string_view input = {}) {
  const auto output = command_output(argv, crontab_patience_s, input);
  if (!output) return failure_of(output);
  if (output->exit_code == 0) return {};
  return fail_environment(shell_line(argv),
                          fmt::format("exit code {}: {}", output->exit_code, trimmed(output->text)));
}

/// Where units of this user lie.
fs::path unit_folder() {
  if (::geteuid() == 0) return "/etc/systemd/system";
  const char* config = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  const fs::path base =
      config != nullptr ? fs::path(config) : fs::path(home == nullptr ? "/" : home) / ".config";
  return base / "systemd" / "user";
}

Result<std::string> installed_units(const Schedule& schedule) {
  const fs::path folder = unit_folder();
  if (auto made = make_folder(folder); !made) return failure_of(made);
  const std::string name = schedule.check.name;
  for (const auto& [file, text] : {std::pair(name + ".service", systemd_service(schedule.check)),
                                   std::pair(name + ".timer", systemd_timer(schedule.check, schedule.table))})
    if (auto written = write_file(folder / file, text, Durability::power_loss); !written)
      return failure_of(written);
  std::vector<std::string> systemctl = {"systemctl"};
  if (::geteuid() != 0) systemctl.emplace_back("--user");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"daemon-reload"}, {"enable", "--now", name + ".timer"}}) {
    std::vector<std::string> argv = systemctl;
    argv.insert(argv.end(), words.begin(), words.end());
    if (auto done = answered_yes(argv); !done)
      return failure_of(done, fmt::format("the units lie in {}; --cron needs no systemd", folder.string()));
  }
  return fmt::format("{} in {} is enabled", name + ".timer", folder.string());
}

/// Installs the whole table: through standard input, or for scrontab, which takes a file alone, from a folder
/// that nobody else may enter. A file in a folder of all could be made by another user first.
Result<void> installed_table(const std::string& program, const std::string& text) {
  if (program == "crontab") return answered_yes({program, "-"}, text);
  const PrivateFolder folder;
  if (folder.path().empty())
    return fail_environment(program, "no temporary folder can be made", "look at TMPDIR");
  const fs::path file = folder.path() / program;
  if (auto written = write_file(file, text); !written) return written;
  return answered_yes({program, file.string()});
}

/// Puts the block into the user's crontab or scrontab, in place of the one of the same name.
Result<std::string> installed_lines(const Schedule& schedule, const std::string& program,
                                    const std::string& block) {
  const auto now = command_output({program, "-l"}, crontab_patience_s);
  if (!now)
    return failure_of(now, fmt::format("install {}", program == "crontab" ? "cron" : "Slurm 20.11 or newer"));
  // "no crontab for user" is exit code 1, and so is a refusal: the text distinguishes them.
  const bool none = now->exit_code != 0 && now->text.find("no crontab for") != std::string::npos;
  if (now->exit_code != 0 && !none) return fail_environment(program + " -l", std::string(trimmed(now->text)));
  const auto text = with_block(program, none ? "" : now->text, schedule.check.name, block);
  if (!text) return failure_of(text);
  if (auto done = installed_table(program, *text); !done) return failure_of(done);
  return fmt::format("{} of this user has it between \"# {} begins\" and \"ends\"", program,
                     schedule.check.name);
}

/// Prints what was made: the text itself, or where it was installed.
void print_schedule(const CommonOptions& common, const Schedule& schedule, const char* what,
                    const std::string& text) {
  if (!common.json) {
    std::cout << text << (text.ends_with('\n') ? "" : "\n");
    return;
  }
  const ordered_json document = {{"schema", "shakedown.schedule/1"}, {"by", schedule.by},
                                 {"name", schedule.check.name},      {"argv", schedule.check.argv},
                                 {"remarks", schedule.remarks},      {what, text}};
  std::cout << document.dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
}

Result<int> run_schedule(const ScheduleOptions& options, const CommonOptions& common) {
  if (options.systemd + options.cron + options.scrontab > 1)
    return fail("--systemd, --cron, --scrontab", "are three ways of one schedule", "choose one");
  const auto schedule = scheduled(options, common);
  if (!schedule) return failure_of(schedule);
  for (const std::string& remark : schedule->remarks) std::cerr << "! " << remark << "\n";
  if (!options.install) {
    print_schedule(common, *schedule, "text", printed(*schedule));
    return 0;
  }
  if (auto made = make_private_folder(absolute(common.workspace)); !made) return failure_of(made);
  const auto where =
      schedule->by == "systemd" ? installed_units(*schedule)
      : schedule->by == "cron"
          ? installed_lines(*schedule, "crontab", cron_block(schedule->check, schedule->table))
          : installed_lines(*schedule, "scrontab", scrontab_block(schedule->check, schedule->table));
  if (!where) return failure_of(where);
  print_schedule(common, *schedule, "installed", *where);
  return 0;
}

}  // namespace

extern const Command schedule;
const Command schedule = {
    .id = "schedule",
    .about = "systemd timer, cron line or scrontab for regress",
    .rank = 96,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<ScheduleOptions>();
      app.add_option("--config", options->config, "regression.toml, whose checks_per_week decides when")
          ->type_name("F")
          ->required();
      app.add_flag("--systemd", options->systemd, "a timer and its service (default)");
      app.add_flag("--cron", options->cron, "lines of a crontab");
      app.add_flag("--scrontab", options->scrontab, "lines of Slurm's scrontab");
      app.add_option("--at", options->at, "time of the day's first check (default: 02:00)")
          ->type_name("HH:MM");
      app.add_option("--metrics", options->metrics, "checks write this Prometheus textfile")->type_name("F");
      app.add_flag("--install", options->install, "install it for this user instead of printing it");
      app.add_flag("--here", options->here, "checks run on this machine though it looks like a login node");
      app.footer(
          "Example: shakedown schedule --config regression.toml -w /srv/shakedown --cron --install\n"
          "Installing again replaces what is there; `crontab -e` or `systemctl disable` takes it away.");
      return [options, &common] { return run_schedule(*options, common); };
    },
};

}  // namespace shakedown::command
