#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "orchestrator/cli/support/command.hpp"
#include "orchestrator/cli/support/timetable.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/plan/regression.hpp"

namespace shakedown::command {
namespace {

constexpr double patience_s = 30;  // of crontab, scrontab and systemctl

struct Options {
  std::string config;
  std::string at = "02:00";
  bool systemd = false;
  bool cron = false;
  bool scrontab = false;
  bool install = false;
  bool here = false;
};

/// What is scheduled, and by which of the three.
struct Schedule {
  ScheduledPass pass;
  Timetable table;
  std::string by;
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

Result<Schedule> scheduled(const Options& options, const CommonOptions& common) {
  const auto text = file_content(options.config);
  if (!text) return fail(options.config, text.error().what, "--config takes a regression.toml");
  const auto regression = regression_from_toml(*text, options.config);
  if (!regression) return pass_on(regression);
  auto table = timetable(regression->passes_per_week, options.at);
  if (!table) return pass_on(table);
  const fs::path config = absolute(options.config);
  const fs::path workspace = absolute(common.workspace);
  Schedule schedule;
  schedule.table = *std::move(table);
  schedule.by = options.cron ? "cron" : options.scrontab ? "scrontab" : "systemd";
  ScheduledPass& pass = schedule.pass;
  pass.name = "shakedown-regress-" + plain(config.stem().string());
  const std::string& title = regression->facts.title;
  pass.title = "shakedown regression pass: " + (title.empty() ? config.filename().string() : title);
  pass.argv = {installed_layout().executable.string(),
               "regress",
               "--config",
               config.string(),
               "-w",
               workspace.string(),
               "--progress",
               "none"};
  if (options.here) pass.argv.emplace_back("--here");
  pass.folder = config.parent_path().string();
  pass.path = user_path();
  pass.log = (workspace / "regression.log").string();
  const RegressionAlarm& alarm = regression->alarm;
  pass.minutes = regression->minutes * (1 + static_cast<double>(alarm.repeats) / alarm.runs);
  const Site& site = regression->facts.site;
  for (const auto& [option, value] : {std::pair("--partition", site.partition),
                                      std::pair("--account", site.account), std::pair("--qos", site.qos)})
    if (!value.empty()) pass.slurm_options.push_back(fmt::format("{}={}", option, value));
  return schedule;
}

std::string printed(const Schedule& schedule) {
  const ScheduledPass& pass = schedule.pass;
  if (schedule.by == "cron") return cron_block(pass, schedule.table);
  if (schedule.by == "scrontab") return scrontab_block(pass, schedule.table);
  return fmt::format("# {0}.service\n{1}\n# {0}.timer\n{2}", pass.name, systemd_service(pass),
                     systemd_timer(pass, schedule.table));
}

Result<void> said_yes(const std::vector<std::string>& argv) {
  const auto output = command_output(argv, patience_s);
  if (!output) return pass_on(output);
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
  if (auto made = make_folder(folder); !made) return pass_on(made);
  const std::string name = schedule.pass.name;
  for (const auto& [file, text] : {std::pair(name + ".service", systemd_service(schedule.pass)),
                                   std::pair(name + ".timer", systemd_timer(schedule.pass, schedule.table))})
    if (auto written = write_file(folder / file, text, Durability::power_loss); !written)
      return pass_on(written);
  std::vector<std::string> systemctl = {"systemctl"};
  if (::geteuid() != 0) systemctl.emplace_back("--user");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"daemon-reload"}, {"enable", "--now", name + ".timer"}}) {
    std::vector<std::string> argv = systemctl;
    argv.insert(argv.end(), words.begin(), words.end());
    if (auto done = said_yes(argv); !done)
      return pass_on(done, fmt::format("the units lie in {}; --cron needs no systemd", folder.string()));
  }
  return fmt::format("{} in {} is enabled", name + ".timer", folder.string());
}

/// Puts the block into the user's crontab or scrontab, in place of the one of the same name.
Result<std::string> installed_lines(const Schedule& schedule, const std::string& program,
                                    const std::string& block) {
  const auto now = command_output({program, "-l"}, patience_s);
  if (!now)
    return pass_on(now, fmt::format("install {}", program == "crontab" ? "cron" : "Slurm 20.11 or newer"));
  // "no crontab for user" is exit code 1, and so is a refusal: what it says tells them apart.
  const bool none = now->exit_code != 0 && now->text.find("no crontab for") != std::string::npos;
  if (now->exit_code != 0 && !none) return fail_environment(program + " -l", std::string(trimmed(now->text)));
  const std::string text = with_block(none ? "" : now->text, schedule.pass.name, block);
  std::error_code code;
  fs::path file = fs::temp_directory_path(code) / fmt::format("{}.{}", schedule.pass.name, ::getpid());
  if (auto written = write_file(file, text); !written) return pass_on(written);
  auto done = said_yes({program, file.string()});
  fs::remove(file, code);
  if (!done) return pass_on(done);
  return fmt::format("{} of this user has it between \"# {} begins\" and \"ends\"", program,
                     schedule.pass.name);
}

Result<int> run(const Options& options, const CommonOptions& common) {
  if (options.systemd + options.cron + options.scrontab > 1)
    return fail("--systemd, --cron, --scrontab", "are three ways of one schedule", "choose one");
  const auto schedule = scheduled(options, common);
  if (!schedule) return pass_on(schedule);
  if (!options.install) {
    if (common.json) {
      const nlohmann::ordered_json document = {{"schema", "shakedown.schedule/1"},
                                               {"by", schedule->by},
                                               {"name", schedule->pass.name},
                                               {"argv", schedule->pass.argv},
                                               {"text", printed(*schedule)}};
      std::cout << document.dump(2) << "\n";
    } else {
      std::cout << printed(*schedule);
    }
    return 0;
  }
  if (auto made = make_folder(absolute(common.workspace)); !made) return pass_on(made);
  const auto where =
      schedule->by == "systemd" ? installed_units(*schedule)
      : schedule->by == "cron"
          ? installed_lines(*schedule, "crontab", cron_block(schedule->pass, schedule->table))
          : installed_lines(*schedule, "scrontab", scrontab_block(schedule->pass, schedule->table));
  if (!where) return pass_on(where);
  if (common.json) {
    const nlohmann::ordered_json document = {{"schema", "shakedown.schedule/1"},
                                             {"by", schedule->by},
                                             {"name", schedule->pass.name},
                                             {"argv", schedule->pass.argv},
                                             {"installed", *where}};
    std::cout << document.dump(2) << "\n";
  } else {
    std::cout << *where << "\n";
  }
  return 0;
}

}  // namespace

extern const Command schedule;
const Command schedule = {
    .id = "schedule",
    .about = "systemd timer, cron line or scrontab for regress",
    .rank = 85,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<Options>();
      app.add_option("--config", options->config, "regression.toml, whose passes_per_week decides when")
          ->type_name("F")
          ->required();
      app.add_flag("--systemd", options->systemd, "a timer and its service (default)");
      app.add_flag("--cron", options->cron, "lines of a crontab");
      app.add_flag("--scrontab", options->scrontab, "lines of Slurm's scrontab");
      app.add_option("--at", options->at, "time of the day's first pass (default: 02:00)")
          ->type_name("HH:MM");
      app.add_flag("--install", options->install, "install it for this user instead of printing it");
      app.add_flag("--here", options->here, "passes run on this machine though it looks like a login node");
      app.footer(
          "Example: shakedown schedule --config regression.toml -w /srv/shakedown --cron --install\n"
          "Installing again replaces what is there; `crontab -e` or `systemctl disable` takes it away.");
      return [options, &common] { return run(*options, common); };
    },
};

}  // namespace shakedown::command
