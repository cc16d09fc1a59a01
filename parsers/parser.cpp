#include "parsers/parser.hpp"
#include "parsers/lost_run.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/failures.hpp"

namespace shakedown {

const Metric* ParsedResult::metric(std::string_view name) const {
  const auto it =
      std::find_if(metrics.begin(), metrics.end(), [&](const Metric& m) { return m.name == name; });
  return it == metrics.end() ? nullptr : &*it;
}

const Fact* ParsedResult::fact(std::string_view name) const {
  const auto it = std::find_if(facts.begin(), facts.end(), [&](const Fact& f) { return f.name == name; });
  return it == facts.end() ? nullptr : &*it;
}

namespace {

/// Whether `text` is `pattern` with any text, also none, for each `*`.
bool matches(std::string_view pattern, std::string_view text) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (size_t at = star; at <= text.size(); ++at)
    if (matches(rest, text.substr(at))) return true;
  return false;
}

/// The grammars of `suite`, or all.
Result<std::vector<const Parser*>> grammars(std::string_view suite) {
  std::vector<const Parser*> chosen;
  std::vector<std::string> suites;
  for (const Parser* parser : parsers()) {
    suites.emplace_back(parser->suite);
    if (suite.empty() || parser->suite == suite) chosen.push_back(parser);
  }
  if (chosen.empty())
    return fail("", fmt::format("no log of suite '{}' can be read{}", suite, did_you_mean(suite, suites)),
                "`shakedown list` shows the suites");
  return chosen;
}

/// What a log would have shown: of one suite in full, of all by their names.
std::string looked_for(std::span<const Parser* const> grammars) {
  std::string text;
  for (const Parser* parser : grammars)
    text += grammars.size() == 1
                ? fmt::format("looked for {}", parser->marks)
                : fmt::format("{}{}", text.empty() ? "logs of these are read: " : ", ", parser->id);
  return text + (grammars.size() == 1 ? "" : "; `shakedown parse --suite S` prints what is looked for");
}

/// The needles of the grammars that no text was found to have one of yet.
class Search {
 public:
  explicit Search(std::span<const Parser* const> grammars)
      : all_(grammars.begin(), grammars.end()), missing_(all_) {
    gather();
  }

  /// Looks on in `text`; whether there is still a grammar to be looked for.
  bool continue_reading(std::string_view text) {
    const size_t before = found_.size();
    needles_->search(text, [&](size_t i) { found_.insert(owners_[i]); });
    if (found_.size() > before) {
      std::erase_if(missing_, [&](const Parser* parser) { return found_.contains(parser); });
      gather();
    }
    return !missing_.empty();
  }

  /// The grammars that were found since the last call, in their order.
  std::vector<const Parser*> take() {
    std::vector<const Parser*> taken;
    std::ranges::copy_if(all_, std::back_inserter(taken),
                         [&](const Parser* parser) { return found_.contains(parser); });
    std::erase_if(all_, [&](const Parser* parser) { return found_.contains(parser); });
    return taken;
  }

 private:
  void gather() {
    std::vector<std::string_view> texts;
    owners_.clear();
    for (const Parser* parser : missing_)
      for (const std::string_view needle : parser->needles) {
        texts.push_back(needle);
        owners_.push_back(parser);
      }
    needles_ = std::make_unique<Needles>(std::move(texts));
  }

  std::vector<const Parser*> all_;  ///< that were not taken
  std::vector<const Parser*> missing_;
  std::vector<const Parser*> owners_;  ///< of each needle
  std::unique_ptr<Needles> needles_;
  std::set<const Parser*> found_;
};

constexpr std::string_view utf16 = "this text is UTF-16, which is not read";

/// Whether characters of ASCII begin at `at`, each with a zero byte behind it (`little`) or before it.
bool is_wide(std::string_view text, size_t at, bool little) {
  constexpr size_t enough = 4;  // binary numbers are small, too
  constexpr std::string_view blanks = "\t\n\r\x1b";
  if (text.size() < at + 2 * enough) return false;
  for (size_t i = at; i < at + 2 * enough; i += 2) {
    const char letter = text[i + (little ? 0 : 1)];
    const bool shown = (letter >= ' ' && letter <= '~') || blanks.find(letter) != std::string_view::npos;
    if (!shown || text[i + (little ? 1 : 0)] != '\0') return false;
  }
  return true;
}

/// Marked or not, or from its first zero byte on: a capture's first line may be of another program.
std::optional<Error> no_utf8(std::string_view start) {
  const auto convert = [](std::string_view from) {
    return Error{"", std::string(utf16),
                 fmt::format("`iconv -f {} -t UTF-8 FILE` makes it UTF-8, as logs are", from)};
  };
  if (start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff")) return convert("UTF-16");
  const size_t zero = start.find('\0');
  if (zero == std::string_view::npos) return std::nullopt;
  const bool little = zero > 0 && is_wide(start, zero - 1, true);
  if (!little && !is_wide(start, zero, false)) return std::nullopt;
  if (zero <= 1) return convert(little ? "UTF-16LE" : "UTF-16BE");
  return Error{"", std::string(utf16), "a part of it is UTF-8: save all of it as UTF-8, as logs are"};
}

/// Nothing for a text, as far as its start shows. Zero bytes that a crash or a file system wrote before a
/// text or within it do no harm.
std::optional<Error> no_text(std::string_view start) {
  const size_t first = start.find_first_not_of('\0');
  // Behind a hole, the zero byte before a letter may be the hole's last.
  const size_t begin = first == std::string_view::npos || first <= 1 ? 0 : first;
  constexpr size_t looked_at = 4096;
  if (auto wide = no_utf8(start.substr(begin, looked_at))) return wide;
  start.remove_prefix(std::min(first, start.size()));
  start = start.substr(0, looked_at);
  const auto zeros = std::ranges::count(start, '\0');
  if (zeros == 0) return std::nullopt;
  // Programs and archives have other control characters too, or zeros all over.
  constexpr std::ptrdiff_t one_in = 16;
  constexpr std::string_view of_texts = "\a\b\t\n\v\f\r\x1b";
  const bool binary = std::ranges::any_of(start, [&](char c) {
    return c == '\x7f' || (c > '\0' && c < ' ' && of_texts.find(c) == std::string_view::npos);
  });
  if (!binary && zeros * one_in <= std::ssize(start)) return std::nullopt;
  return Error{"", "this is a binary file, no benchmark log", ""};
}

/// Reads the lines of a text, piece by piece.
class LineReading {
 public:
  void add(std::unique_ptr<LogReader> reader) { readers_.push_back(std::move(reader)); }
  [[nodiscard]] bool empty() const { return readers_.empty(); }

  void read(const TextPiece& piece) {
    lines_.feed(piece.text, piece.last);
    while (const auto line = lines_.next())
      for (const auto& reader : readers_) reader->read(*line);
    if (!piece.last) return;
    for (const auto& reader : readers_) reader->finish();
  }

 private:
  LogLines lines_;
  std::vector<std::unique_ptr<LogReader>> readers_;
};

Result<void> read_whole(TextSource& source, LineReading& reading) {
  source.rewind();
  for (bool first = true;; first = false) {
    const auto piece = source.next();
    if (!piece) return failure_of(piece);
    if (first)
      if (const auto reason = no_text(piece->text)) return tl::unexpected<Error>(*reason);
    reading.read(*piece);
    if (piece->last) return {};
  }
}

}  // namespace

bool is_unread_text(const Error& error) {
  return error.what == utf16;
}

bool can_give(const Parser& grammar, std::string_view metric) {
  return std::ranges::any_of(grammar.metrics, [&](std::string_view name) { return matches(name, metric); });
}

Result<void> parse_log_by_grammar(TextSource& source, std::string_view suite, const GrammarSink& sink) {
  const auto known = grammars(suite);
  if (!known) return failure_of(known);
  bool any = false;
  const auto reader_of = [&](const Parser* parser) {
    return parser->reader([&any, &sink, parser](ParsedResult&& result) {
      any = true;
      sink(*parser, std::move(result));
    });
  };
  // Grammars found in the first piece read along with the search for the others; those found below start
  // again at the top, once the text has been searched.
  Search search(*known);
  LineReading reading;
  bool first = true;
  bool missing = true;
  size_t bytes = 0;
  while (true) {
    const auto piece = source.next();
    if (!piece) return failure_of(piece);
    bytes += piece->text.size();
    if (missing) missing = search.continue_reading(piece->text);
    if (std::exchange(first, false)) {
      if (const auto reason = no_text(piece->text)) return tl::unexpected<Error>(*reason);
      for (const Parser* parser : search.take()) reading.add(reader_of(parser));
    }
    if (!reading.empty()) reading.read(*piece);
    if (piece->last || (!missing && reading.empty())) break;
  }
  if (bytes == 0) return fail("", "this file is empty", looked_for(*known));
  LineReading later;
  for (const Parser* parser : search.take()) later.add(reader_of(parser));
  if (!later.empty())
    if (auto read = read_whole(source, later); !read) return read;
  if (!any)
    return fail("", fmt::format("this is no {}log", suite.empty() ? "benchmark " : fmt::format("{} ", suite)),
                looked_for(*known));
  return {};
}

Result<void> parse_log(TextSource& source, std::string_view suite, const ResultSink& sink) {
  bool any = false;
  std::optional<Error> alone;
  auto read = parse_log_by_grammar(source, suite, [&](const Parser&, ParsedResult&& result) {
    if (result.part) {
      alone = part_alone("", result);
      return;
    }
    any = true;
    sink(std::move(result));
  });
  if (!read || any || !alone) return read;
  return tl::unexpected<Error>(*alone);
}

Error part_alone(const std::string& file, const ParsedResult& part) {
  return {file, part.reason, "give it together with the log of its run, or the folder that they lie in",
          Fault::input};
}

Result<std::vector<ParsedResult>> parsed_log(std::string_view text, std::string_view suite) {
  TextSource source = TextSource::of(text);
  std::vector<ParsedResult> results;
  const auto read =
      parse_log(source, suite, [&](ParsedResult&& result) { results.push_back(std::move(result)); });
  if (!read) return failure_of(read);
  return results;
}

Result<std::vector<ParsedResult>> parsed_by(const Parser& parser, TextSource& source) {
  std::vector<ParsedResult> results;
  LineReading reading;
  reading.add(parser.reader([&](ParsedResult&& result) { results.push_back(std::move(result)); }));
  if (auto read = read_whole(source, reading); !read) return failure_of(read);
  return results;
}

void HeldResults::give(std::vector<ParsedResult> results) {
  any_ = any_ || !results.empty();
  if (held_.size() > most_held) release();
  std::move(results.begin(), results.end(), std::back_inserter(held_));
}

void HeldResults::pass(ParsedResult&& result) {
  any_ = true;
  if (!held_.empty()) release();
  if (!lost_.empty()) result.warnings.insert(result.warnings.end(), lost_.begin(), lost_.end());
  sink_(std::move(result));
}

void HeldResults::lose(ParsedResult run, int first_line) {
  if (lost_.size() == most_lost) lost_.erase(lost_.begin());
  lost_.push_back(lost_run_warning(first_line, run.reason));
  last_lost_ = std::move(run);
}

void HeldResults::finish() {
  if (!any_ && last_lost_) {
    lost_.pop_back();
    held_.push_back(std::move(*last_lost_));
  }
  release();
}

void HeldResults::release() {
  for (ParsedResult& result : held_) {
    if (!lost_.empty()) result.warnings.insert(result.warnings.end(), lost_.begin(), lost_.end());
    sink_(std::move(result));
  }
  held_.clear();
}

}  // namespace shakedown
