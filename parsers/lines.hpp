#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace shakedown {

/// A line of a log as a grammar sees it.
struct LogLine {
  std::string_view
      text;  ///< without line end, terminal codes, time stamp and rank prefix; valid until the next line
  int number = 0;           ///< 1-based, in the file as it is
  bool terminated = false;  ///< false only for the last line of a text that ends without a line feed
  /// The time stamp taken off, "2025-06-08T23:23:45.123Z"; empty: none.
  std::string_view stamp{};  // NOLINT(readability-redundant-member-init): a line is made of the others
  /// Time stamp and rank prefix as printed before `text`.
  std::string_view prefix{};  // NOLINT(readability-redundant-member-init): as above
};

/// Walks over a log, one line at a time, with no more memory than the longest line.
///
/// A byte order mark and zero bytes before a line are taken off, those within it are blanks.
///
/// What a terminal or a launcher adds is taken off: CSI and OSC escape sequences (ECMA-48), carriage returns,
/// and prefixes of `mpirun --tag-output` ("[1,0]<stdout>:"), `srun --label` (" 0: "), Hydra's `-prepend-rank`
/// ("[0] "), pdsh ("cn001: "), Open MPI's --timestamp-output and time stamps; and if HPL's banner is behind
/// other words ("[pod/launcher] HPLinpack 2.3"), these words before the lines that follow. A carriage return
/// within a line starts a new text of that line.
class LogLines {
 public:
  LogLines() = default;
  explicit LogLines(std::string_view text) { feed(text, true); }
  /// Goes on in the next piece of the text, once `next` gave nothing. A piece that is not the text's last
  /// ends behind a line feed, or within a line too long to be held: its parts have one number and only the
  /// last is terminated.
  void feed(std::string_view piece, bool last);
  std::optional<LogLine> next();

 private:
  std::string_view rest_;
  std::string whole_;  ///< a piece that had zero bytes within a line
  bool last_ = true;
  bool plain_ = true;    ///< no carriage return and no escape in this piece
  bool banner_ = false;  ///< HPL's banner may be in this piece
  std::string learned_;  ///< the text before HPL's last banner
  int number_ = 0;
  bool within_ = false;  ///< the last text ended with a carriage return, so the line goes on
  std::string buffer_;
};

/// Whether `text` starts with a literal. Compilers know its length: a comparison of a few words without a
/// call, for what is asked of every line.
template <std::size_t n>
bool begins_with(std::string_view text, const char (&start)[n]) {
  return text.size() >= n - 1 && std::equal(start, start + n - 1, text.begin());
}

/// `text` without escape sequences; `buffer` holds the result where there were any.
std::string_view without_terminal_codes(std::string_view text, std::string& buffer);

/// `text` without a leading time stamp and rank prefix. A blank after the prefix goes too.
std::string_view without_rank_prefix(std::string_view text);

/// The word behind the first `label` in `text`, up to a blank; nothing where the label is absent or nothing
/// follows: value_after("nThread 1 nGpus 8", "nGpus") is "8".
std::string_view value_after(std::string_view text, std::string_view label);

/// Takes the next word off `text`: up to a blank, empty at the end.
std::string_view take_word(std::string_view& text);

/// A whole number of zero or more, or nothing.
std::optional<long long> count_of(std::string_view text);

}  // namespace shakedown
