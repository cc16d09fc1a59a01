#include "parsers/mlperf/event.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "parsers/mlperf/json.hpp"
#include "parsers/mlperf/keys.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

constexpr std::string_view token = ":::ML";

/// The last logging token of a line, or npos. Its letters are rarer than its colons, so they are looked for.
size_t last_token(std::string_view text) {
  size_t last = std::string_view::npos;
  for (size_t at = text.find("ML"); at != std::string_view::npos; at = text.find("ML", at + 2))
    if (at >= 3 && text.compare(at - 3, 3, ":::") == 0) last = at - 3;
  return last;
}

/// A shell's trace of a command that prints the line, a source text, or prose about it.
bool is_quoted(std::string_view text, size_t at) {
  const std::string_view before = text.substr(0, at);
  if (before.empty()) return false;
  if (before.back() == '\'' || before.back() == '"' || before.back() == '`') return true;
  const std::string_view start = trimmed(before);
  return start.starts_with("+ ") || start.starts_with("++") || start.find("echo ") != std::string_view::npos;
}

}  // namespace

MlperfDecoder::MlperfDecoder() : json_(std::make_unique<MlperfJson>()) {}
MlperfDecoder::~MlperfDecoder() = default;

MlperfDecoder::Line MlperfDecoder::read_mllog(std::string_view json) {
  constexpr std::string_view label = "key\"";
  size_t at = json.find(label);
  while (at != std::string_view::npos && (at == 0 || json[at - 1] != '"')) at = json.find(label, at + 1);
  if (at == std::string_view::npos) return Line::unreadable;
  std::string_view name = json.substr(at + label.size());
  const size_t open = name.find_first_not_of(": \t");
  if (open == std::string_view::npos || name[open] != '"') return Line::unreadable;
  name.remove_prefix(open + 1);
  const size_t close = name.find('"');
  if (close == std::string_view::npos) return Line::unreadable;
  const std::string_view rest = name.substr(close);
  name = trimmed(name.substr(0, close));
  const MlperfUse use = mlperf_use(name);
  // Where an object within the line has a "key" too, only the whole parse tells which is which.
  const bool certain = rest.find(label) == std::string_view::npos;
  if (certain && use == MlperfUse::none) return Line::ignored;
  if (certain && use == MlperfUse::count) {
    event_.key = name;
    return Line::counted;
  }
  if (certain && use == MlperfUse::rate && rest.find("throughput") == std::string_view::npos)
    return Line::ignored;
  if (!json_->read(json, event_) || event_.key.empty()) return Line::unreadable;
  return mlperf_use(event_.key) == MlperfUse::none ? Line::ignored : Line::event;
}

/// "1558635870.442 submission_benchmark: {"value": "resnet", "metadata": {...}}"
MlperfDecoder::Line MlperfDecoder::read_06(std::string_view rest) {
  const size_t blank = rest.find(' ');
  const size_t colon = rest.find(": ", blank == std::string_view::npos ? 0 : blank);
  if (blank == std::string_view::npos || colon == std::string_view::npos) return Line::unreadable;
  const auto seconds = finite_number(rest.substr(0, blank));
  const std::string_view key = mlperf_key(trimmed(rest.substr(blank, colon - blank)));
  if (!seconds) return Line::unreadable;
  if (mlperf_use(key) == MlperfUse::none) return Line::ignored;
  event_.version = "0.6";
  const std::string_view json = trimmed(rest.substr(colon + 2));
  if (!json_->read(json, event_)) {  // some print Python's own notation
    std::string quoted(json);
    std::replace(quoted.begin(), quoted.end(), '\'', '"');
    if (!json_->read(quoted, event_)) return Line::unreadable;
  }
  event_.key = key;
  event_.time_ms = std::round(*seconds * 1e3);
  return Line::event;
}

/// "resnet 1543785258.927179813 (benchmark_cnn.py:1271) eval_accuracy: {"epoch": 3, "value": 0.1}"
MlperfDecoder::Line MlperfDecoder::read_05(std::string_view rest, bool terminated) {
  const size_t after_benchmark = rest.find(' ');
  const size_t open = rest.find('(');
  if (after_benchmark == std::string_view::npos || open == std::string_view::npos || open < after_benchmark)
    return Line::unreadable;
  const size_t close = rest.find(") ", open);
  if (close == std::string_view::npos) return Line::unreadable;
  const auto seconds = finite_number(trimmed(rest.substr(after_benchmark, open - after_benchmark)));
  const std::string_view tagged = rest.substr(close + 2);
  const size_t colon = std::min(tagged.find(':'), tagged.size());
  const std::string_view key = mlperf_key(trimmed(tagged.substr(0, colon)));
  if (!seconds) return Line::unreadable;
  if (mlperf_use(key) == MlperfUse::none) return Line::ignored;
  if (!terminated && !rest.ends_with('}')) return Line::unreadable;  // any value may be a part of one
  event_.version = "0.5";
  event_.benchmark = rest.substr(0, after_benchmark);
  const std::string_view text = colon < tagged.size() ? trimmed(tagged.substr(colon + 1)) : "";
  if (text.starts_with('{')) {
    if (!json_->read(text, event_)) return Line::unreadable;
  } else if (!text.empty()) {
    const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
    event_.value = quoted ? text.substr(1, text.size() - 2) : text;
    event_.number = finite_number(event_.value);
    event_.kind = event_.number ? MlperfEvent::Kind::number : MlperfEvent::Kind::text;
  }
  event_.key = key;
  event_.time_ms = std::round(*seconds * 1e3);
  return Line::event;
}

MlperfDecoder::Line MlperfDecoder::read(const LogLine& line) {
  const size_t at = last_token(line.text);
  if (at == std::string_view::npos || is_quoted(line.text, at)) return Line::foreign;
  event_ = {};
  std::string_view rest = line.text.substr(at + token.size());
  if (rest.starts_with("LOG ")) {
    rest = trimmed(rest.substr(4));
    return rest.starts_with('{') ? read_mllog(rest) : Line::unreadable;
  }
  if (rest.starts_with("L ")) return read_06(rest.substr(2));
  if (rest.starts_with("Pv0.5.0 ")) return read_05(rest.substr(8), line.terminated);
  return Line::foreign;
}

}  // namespace shakedown
