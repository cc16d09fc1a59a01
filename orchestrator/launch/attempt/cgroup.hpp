#pragma once
#include <cstddef>

#include "orchestrator/launch/attempt/machine.hpp"

namespace attempt {

/// The folder of this process's control group (version 2), where attempts' own are made. False: there is
/// none.
bool own_cgroup(char* path, size_t size);

/// Makes a control group for the attempt below ours, named after the wrapper: whoever finds it knows whether
/// that lives. False where none may be made: without root, only where it was delegated (a systemd scope).
bool make_cgroup(const Origin& self, char* path, size_t size);

/// Puts this process into it, and all that it will start.
void enter_cgroup(const char* path);

/// Removes one that nothing is in any more.
void remove_cgroup(const char* path);

/// The wrapper that a control group is named after. False: it is of no attempt.
bool origin_of_cgroup(const char* name, const Origin& self, Origin& origin);

/// Calls `each(context, pid)` for all processes in a control group.
void for_processes_in(const char* path, void (*each)(void* context, pid_t pid), void* context);

}  // namespace attempt
