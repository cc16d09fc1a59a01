#pragma once
#include <array>

#include "orchestrator/core/toml.hpp"

namespace shakedown {

/// The keys of `regression.toml` beside those that it shares with `acceptance.toml`.
inline constexpr std::array regression_keys = {
    FileKey{"", "title", "text", "", "", "\"Nightly check\"", "title of the report"},
    FileKey{"", "system", "text", "this machine", "", "\"cluster.toml\"", "inventory, as in acceptance.toml"},
    FileKey{"", "checks_per_week", "number", "7", "checks", "7",
            "how often the check is scheduled, 1/52 to 10080"},
    FileKey{"[budget]", "minutes", "number", "required", "minutes", "20",
            "that a check may take, without confirming repeats"},
    FileKey{"[budget]", "nodes", "whole number", "1", "nodes", "4", "that a check may use"},
    FileKey{"[coverage]", "days", "whole number", "no promise", "days", "25",
            "within which each node is measured again"},
    FileKey{"[alarm]", "effect", "number", "0.02", "share", "0.02",
            "a smaller loss is no alarm; 0.02 at least, below 1"},
    FileKey{"[alarm]", "false_alarms_per_year", "number", "0.2", "alarms", "0.2",
            "over all series of the system, 0.001 to 12"},
    FileKey{"[alarm]", "runs", "whole number", "2", "runs", "2", "of each case in a check, 1 to 100"},
    FileKey{"[alarm]", "repeats", "whole number", "12; 0 if runs = 1", "runs", "12",
            "at most, to confirm a suspicion within a check"},
    FileKey{"[floor]", "relative_to", "text", "", "", "\"accepted\"",
            "`accepted`, the last accepted campaign, or a campaign's id; with `factor`"},
    FileKey{"[floor]", "factor", "number", "", "", "0.9", "of the median there, 0.01 to 10"},
    FileKey{"[[floor.limits]]", "suite", "text", "required", "", "\"hpl\"", "suite of an absolute limit"},
    FileKey{"[[floor.limits]]", "metric", "text", "required", "", "\"rmax_gflops\"", "metric of it"},
    FileKey{"[[floor.limits]]", "limit", "number", "required", "the metric's", "40000",
            "the lowest value, or the highest where less is better"},
    FileKey{"[notify]", "command", "texts", "[]", "", "[\"/usr/bin/logger\", \"-t\", \"hpc\"]",
            "program that gets the message as JSON on standard input"},
    FileKey{"[notify]", "url", "text", "", "", "\"https://alerts.example/hook\"",
            "web hook; one of `url`, `url_file`, `url_environment`"},
    FileKey{"[notify]", "url_file", "text", "", "", "\"/etc/shakedown/hook\"", "file that holds the address"},
    FileKey{"[notify]", "url_environment", "text", "", "", "\"HOOK\"", "variable that holds the address"},
    FileKey{"[notify]", "header", "text", "\"Authorization\"", "", "\"X-Token\"",
            "HTTP header that carries the secret"},
    FileKey{"[notify]", "secret_file", "text", "", "", "\"/etc/shakedown/token\"",
            "file with the web hook's secret"},
    FileKey{"[notify]", "secret_environment", "text", "", "", "\"HOOK_TOKEN\"",
            "variable with the web hook's secret"},
    FileKey{"[notify]", "timeout_seconds", "number", "20", "s", "20", "for a notification, 1 to 600"},
    FileKey{"[notify]", "always", "true or false", "false", "", "true",
            "notify also of checks without an alarm"},
};

}  // namespace shakedown
