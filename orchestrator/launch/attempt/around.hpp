#pragma once
#include <csignal>

namespace attempt {

/// A command that looks at the node just before and just after the attempt's own. It must not spoil the
/// attempt: it has a few seconds, its output goes nowhere, and how it ends counts for nothing.
struct Around {
  static constexpr int most_words = 256;
  const char* words[most_words + 2] = {};  // and the phase, and the end
  int count = 0;                           // of words; 0: no such command
  bool add(const char* word);              // false: too many
};

/// Runs it with `phase` ("before", "after") as its last word, and waits for its end or ends it.
void look(const Around& around, const char* phase, const sigset_t& old_mask);

}  // namespace attempt
