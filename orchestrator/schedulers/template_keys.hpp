#pragma once
#include <array>

#include "orchestrator/core/toml.hpp"

namespace shakedown {

/// The keys of a batch system's file.
inline constexpr std::array template_keys = {
    FileKey{"", "title", "text", "required", "", "\"our queue\"", "name for people"},
    FileKey{"", "tested", "text", "required", "", "\"run-at-site\"",
            "`run-here`, `run-at-site` or `rendered`"},
    FileKey{"", "tested_note", "text", "", "", "\"version 3.1\"", "with what version, or why not"},
    FileKey{"", "source", "text", "", "", "\"its manual\"", "where the facts come from"},
    FileKey{"", "host_word", "text", "\"{host}\"", "", "\"1:host={host}\"", "how a node is named in {hosts}"},
    FileKey{"", "host_separator", "text", "\",\"", "", "\"+\"", "between the nodes in {hosts}"},
    FileKey{"", "most_nodes", "whole number", "0: any number", "nodes", "64", "of one job"},
    FileKey{"", "preamble", "texts", "[]", "", "[\"#QUEUE -q {partition}\"]",
            "lines of the batch script above shakedown's"},
    FileKey{"[submit]", "command", "texts", "required", "", "[\"submit\", \"--name={name}\", \"{script}\"]",
            "each element an option with its values; left out where a placeholder of it is empty"},
    FileKey{"[submit]", "id", "text", "required", "", "'job ([0-9]+)'",
            "pattern of its answer; the group is the job's id"},
    FileKey{"[submit]", "later", "texts", "[]", "", "['queue is full']",
            "patterns of refusals after which the job is retried"},
    FileKey{"[find]", "command", "texts", "required", "", "[\"queue\", \"--name {name}\"]",
            "prints a job by its name"},
    FileKey{"[find]", "id", "text", "required", "", "'^([0-9]+)'", "pattern; the group is the job's id"},
    FileKey{"[poll]", "command", "texts", "required", "", "[\"queue\", \"{ids}\"]",
            "prints the jobs that are asked about"},
    FileKey{"[poll]", "fields", "texts", "[\"id\", \"state\"]", "", "[\"id\", \"name\", \"state\"]",
            "of the groups of `record`: `id`, `state`, `reason`, `name`, or empty"},
    FileKey{"[poll]", "record", "text", "required", "", "'^([0-9]+) ([^ ]+) ([A-Z]+)'",
            "pattern of a line about a job"},
    FileKey{"[poll]", "unknown", "text", "", "", "'no such job'", "pattern of a failure: the job is gone"},
    FileKey{"[poll]", "pending", "texts", "[]", "", "[\"Q\", \"H\"]", "states of a job that waits"},
    FileKey{"[poll]", "running", "texts", "[]", "", "[\"R\"]",
            "states of a job that runs; others count as running, too"},
    FileKey{"[poll.ended]", "*", "any", "", "", "DONE = \"completed\"",
            "a state of a job that ended, and how: `completed`, `failed`, `timed-out`, `out-of-memory`, "
            "`node-failed`, `preempted`, "
            "`requeued`, `cancelled`, `unknown`"},
    FileKey{"[poll.withdrawn]", "*", "any", "", "", "STUCK = \"failed\"",
            "a state that a job never leaves by itself: it is withdrawn"},
    FileKey{"[after]", "command", "texts", "required", "", "[\"history\", \"{id}\"]",
            "reports how a job ended that has left the queue"},
    FileKey{"[after]", "no_record", "text", "\"unknown\"", "", "\"cancelled\"",
            "end of a job that left the queue before it ran"},
    FileKey{"[[after.ends]]", "match", "text", "required", "", "'exit_status 0'",
            "pattern; the first that matches counts"},
    FileKey{"[[after.ends]]", "end", "text", "required", "", "\"completed\"", "an end as in `[poll.ended]`"},
    FileKey{"[cancel]", "command", "texts", "required", "", "[\"remove\", \"{id}\"]", "cancels a job"},
    FileKey{"[cancel]", "kill", "texts", "as command", "", "[\"remove\", \"--now\", \"{id}\"]",
            "cancels a job at once"},
    FileKey{"[nodes]", "command", "texts", "required", "", "[\"nodes\"]",
            "prints the nodes with their states"},
    FileKey{"[nodes]", "record", "text", "required", "", "'^([^ ]+) ([a-z]+)'",
            "pattern of a line about a node"},
    FileKey{"[nodes]", "fields", "texts", "[\"host\", \"state\"]", "", "[\"host\", \"state\"]",
            "of the groups of `record`"},
    FileKey{"[nodes]", "out", "text", "required", "", "'down|offline'",
            "pattern of states in which a node takes no jobs"},
    FileKey{"[nodes]", "back", "text", "", "", "'sleep'",
            "pattern of states from which a node returns by itself: it is not excluded"},
};

}  // namespace shakedown
