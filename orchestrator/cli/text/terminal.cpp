#include "orchestrator/cli/text/terminal.hpp"

#include <fmt/core.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <ostream>
#include <streambuf>
#include <string>

#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool is_dumb() {
  const char* term = std::getenv("TERM");
  return term == nullptr || std::string_view(term) == "dumb";
}

/// A sign that shakedown writes and its replacement in ASCII.
struct TerminalSign {
  std::string_view utf8;
  std::string_view ascii;
};

constexpr std::array<TerminalSign, 9> signs = {{{"━", "#"},
                                                {"─", "-"},
                                                {"–", "-"},
                                                {"·", "-"},
                                                {"×", "x"},
                                                {"≥", ">="},
                                                {"≤", "<="},
                                                {"\u2212", "-"},    // minus
                                                {"\u202F", " "}}};  // narrow no-break space

std::string indented_lines(std::string_view text) {
  std::string indented;
  for (const std::string_view line : split(text, '\n')) {
    if (!indented.empty()) indented += "\n  ";
    indented += line;
  }
  return indented;
}

}  // namespace

bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string locale = lower(value);
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

std::string shown(std::string text) {
  if (locale_is_utf8()) return text;
  for (const TerminalSign& sign : signs)
    for (size_t at = text.find(sign.utf8); at != std::string::npos;
         at = text.find(sign.utf8, at + sign.ascii.size()))
      text.replace(at, sign.utf8.size(), sign.ascii);
  return text;
}

std::string shown_error(const Error& error) {
  Error indented = error;
  for (std::string* quoted : {&indented.where, &indented.what}) *quoted = indented_lines(*quoted);
  return shown(to_string(indented));
}

void print_error(const Error& error) {
  std::cout.flush();
  std::cerr << "error: " << shown_error(error) << "\n";
}

Terminal::Terminal(const CommonOptions& common) {
  const bool tty = ::isatty(STDERR_FILENO) == 1;
  color_ = common.color == "always" || (common.color == "auto" && tty && !is_set("NO_COLOR") && !is_dumb());
  redraws_ = common.progress == "bar" || (common.progress == "auto" && tty && !is_dumb() && !common.quiet);
  talks_ = common.progress != "none" && !common.quiet;
}

Painted Terminal::painted(std::string_view code, std::string_view text) const {
  return {color_ ? code : std::string_view(), std::string(text)};
}

std::ostream& operator<<(std::ostream& stream, const Painted& painted) {
  if (painted.code.empty()) return stream << painted.text;
  write_sequence(stream, fmt::format("\x1b[{}m", painted.code));
  stream << painted.text;
  write_sequence(stream, "\x1b[0m");
  return stream;
}

std::string terminal_text(const Painted& painted) {
  const std::string text = printable_line(painted.text);
  return painted.code.empty() ? text : fmt::format("\x1b[{}m{}\x1b[0m", painted.code, text);
}

/// In front of a stream's own buffer. The beginning of a character waits for its end.
class PrintableStreams::Buffer : public std::streambuf {
 public:
  Buffer(std::ostream& stream, int fd)
      : stream_(stream),
        target_(stream.rdbuf()),
        encoding_(::isatty(fd) == 1 && !locale_is_utf8() ? TextEncoding::eight_bit : TextEncoding::utf8) {
    stream_.rdbuf(this);
  }
  ~Buffer() override {
    finish();
    const auto state = stream_.rdstate();
    stream_.rdbuf(target_);
    stream_.setstate(state);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void pass(std::string_view sequence) {
    finish();
    put(std::string(sequence));
  }

 protected:
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    waiting_.append(text, static_cast<std::size_t>(size));
    shown_.clear();
    waiting_.erase(0, append_printable(shown_, waiting_, encoding_));
    return put(shown_) ? size : 0;
  }
  int sync() override { return target_->pubsync(); }

 private:
  bool put(const std::string& text) {
    const auto size = static_cast<std::streamsize>(text.size());
    return target_->sputn(text.data(), size) == size;
  }
  void finish() {
    const std::string rest = printable(waiting_, encoding_);
    waiting_.clear();
    put(rest);
  }

  std::ostream& stream_;
  std::streambuf* target_;
  TextEncoding encoding_;
  std::string waiting_;
  std::string shown_;
};

PrintableStreams::PrintableStreams()
    : out_(std::make_unique<Buffer>(std::cout, STDOUT_FILENO)),
      err_(std::make_unique<Buffer>(std::cerr, STDERR_FILENO)) {}

PrintableStreams::~PrintableStreams() = default;

void write_sequence(std::ostream& stream, std::string_view sequence) {
  if (auto* buffer = dynamic_cast<PrintableStreams::Buffer*>(stream.rdbuf()))
    buffer->pass(sequence);
  else
    stream << sequence;
}

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

constexpr std::array<Range, 8> narrowless = {{{0x0300, 0x036F},
                                              {0x1AB0, 0x1AFF},
                                              {0x1DC0, 0x1DFF},
                                              {0x200B, 0x200F},
                                              {0x2060, 0x2064},
                                              {0x20D0, 0x20FF},
                                              {0xFE00, 0xFE0F},
                                              {0xFE20, 0xFE2F}}};

constexpr std::array<Range, 9> wide = {{{0x1100, 0x115F},
                                        {0x2E80, 0x303E},
                                        {0x3041, 0xA4CF},
                                        {0xAC00, 0xD7A3},
                                        {0xF900, 0xFAFF},
                                        {0xFE30, 0xFE6F},
                                        {0xFF00, 0xFF60},
                                        {0x1F300, 0x1FAFF},
                                        {0x20000, 0x3FFFD}}};

template <std::size_t n>
bool holds(const std::array<Range, n>& ranges, char32_t point) {
  return std::ranges::any_of(ranges,
                             [&](const Range& range) { return range.first <= point && point <= range.last; });
}

/// A sign and how many bytes it takes.
struct Sign {
  std::size_t bytes = 1;
  int columns = 1;
};

Sign sign_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(at);
  const std::size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF8 ? 4 : 1;
  if (length == 1 || at + length > text.size()) return {};
  char32_t point = lead & (0x7Fu >> length);
  for (std::size_t i = at + 1; i < at + length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80) return {};
    point = point << 6u | (byte(i) & 0x3Fu);
  }
  return {length, holds(narrowless, point) ? 0 : holds(wide, point) ? 2 : 1};
}

}  // namespace

int display_width(std::string_view text) {
  int columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Sign sign = sign_at(text, at);
    columns += sign.columns;
    at += sign.bytes;
  }
  return columns;
}

std::string cut_to(std::string_view text, int columns, std::string_view mark) {
  if (display_width(text) <= columns) return std::string(text);
  if (columns <= 0) return "";
  int width = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const Sign sign = sign_at(text, at);
    if (width + sign.columns > columns - 1) break;
    width += sign.columns;
    at += sign.bytes;
  }
  return std::string(text.substr(0, at)) + std::string(mark);
}

std::string padded_to(std::string text, int columns) {
  const int missing = columns - display_width(text);
  if (missing > 0) text.append(static_cast<std::size_t>(missing), ' ');
  return text;
}

std::string one_line(std::string_view text) {
  return printable_line(text);
}

}  // namespace shakedown
