#pragma once
#include "orchestrator/launch/attempt/json_text.hpp"
#include "orchestrator/launch/attempt/origin.hpp"

namespace attempt {

/// Creates started.json in the working directory, whole or not at all, with who runs the attempt and in which
/// control group (empty: in none of its own). 1: ours, 0: it was there, -1: I/O failure.
int claim(const Origin& self, const char* cgroup);

/// Takes the room that finished.json will need, so that a disk that the program fills keeps nothing from
/// being said. False: there is none even now.
bool reserve();

/// Syncs every file here that holds something: logs, and the file that the program writes its result to. 0,
/// or the errno of the first that failed.
int sync_files();

/// Writes finished.json so that it is there whole or not at all, also after a power loss.
bool publish(const Text& text);

}  // namespace attempt
