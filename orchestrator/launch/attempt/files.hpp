#pragma once
#include <cstdarg>
#include <cstdio>

#include "orchestrator/launch/attempt/machine.hpp"
#include "orchestrator/launch/attempt/orphans.hpp"

namespace attempt {

/// A small text that grows by printf; JSON documents of this program are well below its size.
struct Text {
  char data[16384] = {};
  size_t size = 0;
  __attribute__((format(printf, 2, 3))) void add(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(data + size, sizeof data - size, format, arguments);
    va_end(arguments);
    if (n > 0)
      size += static_cast<size_t>(n) < sizeof data - size ? static_cast<size_t>(n) : sizeof data - size - 1;
  }
  void add_string(const char* text) {
    add("\"");
    for (; *text != '\0'; ++text) {
      const auto c = static_cast<unsigned char>(*text);
      if (c == '"' || c == '\\')
        add("\\%c", c);
      else if (c < 0x20)
        add("\\u%04x", c);
      else
        add("%c", c);
    }
    add("\"");
  }
};

/// Creates started.json in the working directory, whole or not at all, with who runs the attempt and in which
/// control group (empty: in none of its own). 1: ours, 0: it was there, -1: I/O failure.
int claim(const Origin& self, const char* cgroup);

/// Reserves the space that finished.json will need, so that it can be written even if the program fills the
/// disk. False: there is no space even now.
bool reserve();

/// Syncs every file here that holds something: logs, and the file that the program writes its result to. 0,
/// or the errno of the first that failed.
int sync_files();

/// Writes what finished.json will hold, under another name, which `sync_files` begins to sync with the
/// others. The open file; -1: I/O failure.
int prepare_finished(const Text& text);
/// Syncs and closes it and gives it its name, so that it is there whole or not at all, also after a power
/// loss.
bool publish(int prepared);

/// Adds "orphans_ended" and, where some live on, "orphans_alive": how many, and "orphans": the first of them.
void add_orphans(Text& text, const Orphans& orphans);

}  // namespace attempt
