#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// Something that a check of a journal found.
struct JournalFinding {
  int line = 0;  ///< of journal.jsonl, from 1; 0: of no line
  std::string sentence;
  friend bool operator==(const JournalFinding&, const JournalFinding&) = default;
};

/// What a campaign's journal binds, and where it is not whole.
struct JournalCheck {
  int lines = 0;           ///< whole ones
  std::string first_root;  ///< the commitment in its first line; empty: it has none
  std::string last_root;   ///< SHA-256 of the last line with its newline; empty: there is no journal
  double last_line_s = 0;  ///< when that was written, seconds since 1970; 0: not stated
  std::vector<JournalFinding> findings;  ///< an acceptance with one of these is undecided
  std::vector<JournalFinding> remarks;   ///< beside the verdict: clocks that were set, cut lines
};

/// How much a check reads.
enum class JournalScope {
  journal,  ///< the journal, the files that its first line binds, and which run directories there are
  files,    ///< also each file of each attempt, against the SHA-256 in the attempt's line `collected`
};

/// Checks the journal of a campaign's folder: that each line follows the one before, that the first line
/// binds the folder's files, that each attempt that was submitted has its folder and its end, and that no
/// attempt is there that it does not announce. Fails (environment) if the journal can't be read; one that is
/// gone is a finding.
///
/// Times: a line that is more than 60 s older than one before it, and an attempt that ran more than 5 minutes
/// outside of its lines, are remarks. Clocks that are disciplined differ by less.
Result<JournalCheck> check_journal(const std::filesystem::path& campaign_folder,
                                   JournalScope scope = JournalScope::journal);

/// What a SHA-256 is in a campaign's journal.
struct JournalRoot {
  bool first = false;   ///< the commitment of its first line
  int line = 1;         ///< else: that of this line
  int lines_after = 0;  ///< whole lines that followed
  std::string event;    ///< of that line: "finished"
  std::string at;       ///< its time as it stands there; empty: none
  std::string sha256;   ///< the whole root
};

/// The root that begins with `digits` (lower-case hexadecimal digits); nothing: the journal has none, or
/// several.
Result<std::optional<JournalRoot>> journal_root(const std::filesystem::path& campaign_folder,
                                                std::string_view digits);

}  // namespace shakedown
