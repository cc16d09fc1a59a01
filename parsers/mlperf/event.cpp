#include "parsers/mlperf/event.hpp"

#include <simdjson.h>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "orchestrator/core/text.hpp"
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
  // If an object within the line has a "key" too, only the whole parse distinguishes them.
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

namespace {

using simdjson::ondemand::object;
using simdjson::ondemand::value;

/// The object at the start of `text` up to its closing brace, or nothing where it isn't closed.
std::string_view whole_object(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return text.substr(0, i + 1);
    }
  }
  return {};
}

/// Latin-1 as UTF-8: the official reader takes logs as Latin-1.
std::string utf8_of_latin1(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 16);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xC0 | (byte >> 6));
      out += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return out;
}

/// A scalar as printed, without quotes.
bool read_scalar(value from, std::string_view raw, MlperfEvent::Kind& kind, std::string_view& text) {
  using Kind = MlperfEvent::Kind;
  raw = trimmed(raw);
  if (raw.empty()) return false;
  if (raw.front() == '"') {
    kind = Kind::text;
    return from.get_string().get(text) == simdjson::SUCCESS;
  }
  kind = raw == "null" ? Kind::nothing : raw == "true" || raw == "false" ? Kind::boolean : Kind::number;
  if (kind != Kind::nothing) text = raw;
  return true;
}

/// A finite number, also one in quotes.
std::optional<double> number_of(value from) {
  std::string_view raw = trimmed(from.raw_json_token());
  if (raw.size() > 1 && raw.front() == '"') {
    raw.remove_prefix(1);
    raw = raw.substr(0, raw.find('"'));
  }
  return finite_number(raw);
}

bool read_members(value from, std::vector<std::pair<std::string, double>>& members) {
  constexpr size_t most = 8;
  object fields;
  if (from.get_object().get(fields) != simdjson::SUCCESS) return false;
  for (auto field : fields) {
    std::string_view name;
    value item;
    if (field.unescaped_key().get(name) != simdjson::SUCCESS) return false;
    if (field.value().get(item) != simdjson::SUCCESS) return false;
    if (members.size() >= most) continue;
    if (item.raw_json_token().starts_with('{')) {
      if (!read_members(item, members)) return false;  // {"accuracy": {"BBOX": 0.37, "SEGM": 0.34}}
      continue;
    }
    if (const auto found = number_of(item)) members.emplace_back(std::string(name), *found);
  }
  return true;
}

bool read_metadata(value from, MlperfEvent& event) {
  object fields;
  if (from.get_object().get(fields) != simdjson::SUCCESS) return true;  // null, or none
  bool counted = false;
  for (auto field : fields) {
    std::string_view name;
    value item;
    if (field.unescaped_key().get(name) != simdjson::SUCCESS) return false;
    if (field.value().get(item) != simdjson::SUCCESS) return false;
    if (name == "samples_count") {
      event.position = number_of(item);
      counted = event.position.has_value();
    } else if (name == "epoch_num" && !counted) {
      event.position = number_of(item);
    } else if (name == "status" || name == "metric") {
      std::string_view text;
      if (item.get_string().get(text) == simdjson::SUCCESS)
        (name == "status" ? event.status : event.metric) = text;
    }
  }
  return true;
}

}  // namespace

struct MlperfJson::Reader {
  simdjson::ondemand::parser parser;
  std::string buffer;  ///< the text with the padding that simdjson reads beyond its end
  std::string key;

  bool read(std::string_view json, MlperfEvent& event) {
    if (json.empty()) return false;
    if (buffer.size() < json.size() + simdjson::SIMDJSON_PADDING)
      buffer.resize(2 * json.size() + simdjson::SIMDJSON_PADDING);
    std::memcpy(buffer.data(), json.data(), json.size());
    std::memset(buffer.data() + json.size(), ' ', simdjson::SIMDJSON_PADDING);
    simdjson::ondemand::document document;
    object fields;
    if (parser.iterate(buffer.data(), json.size(), buffer.size()).get(document) != simdjson::SUCCESS)
      return false;
    if (document.get_object().get(fields) != simdjson::SUCCESS) return false;
    for (auto field : fields) {
      std::string_view name;
      value item;
      if (field.unescaped_key().get(name) != simdjson::SUCCESS) return false;
      if (field.value().get(item) != simdjson::SUCCESS) return false;
      if (!read_field(name, item, event)) return false;
    }
    return true;
  }

 private:
  bool read_field(std::string_view name, value item, MlperfEvent& event) {
    if (name == "time_ms") {
      event.time_ms = number_of(item);
    } else if (name == "time_s") {
      if (const auto seconds = number_of(item)) event.time_ms = std::round(*seconds * 1e3);
    } else if (name == "key") {
      std::string_view text;
      if (item.get_string().get(text) != simdjson::SUCCESS) return false;
      key = trimmed(text);
      event.key = key;
    } else if (name == "value") {
      return read_value(item, event);
    } else if (name == "metadata") {
      return read_metadata(item, event);
    } else if (name == "epoch") {  // version 0.5 has no metadata
      event.position = number_of(item);
    } else if (name == "success") {
      std::string_view text;
      MlperfEvent::Kind kind = MlperfEvent::Kind::none;
      if (read_scalar(item, item.raw_json_token(), kind, text))
        event.status = text == "true" ? "success" : "aborted";
    }
    return true;
  }

  static bool read_value(value item, MlperfEvent& event) {
    const std::string_view raw = item.raw_json_token();
    if (raw.empty()) return false;
    if (raw.front() == '{' || raw.front() == '[') {
      event.kind = MlperfEvent::Kind::compound;
      return raw.front() == '[' || read_members(item, event.members);
    }
    if (!read_scalar(item, raw, event.kind, event.value)) return false;
    if (event.kind == MlperfEvent::Kind::number || event.kind == MlperfEvent::Kind::text)
      event.number = finite_number(event.value);
    return true;
  }
};

MlperfJson::MlperfJson() : reader_(std::make_unique<Reader>()) {}
MlperfJson::~MlperfJson() = default;

bool MlperfJson::read(std::string_view json, MlperfEvent& event) {
  const MlperfEvent before = event;
  if (reader_->read(json, event)) return true;
  event = before;
  const std::string_view object_alone = whole_object(json);
  if (object_alone.empty()) return false;
  if (reader_->read(utf8_of_latin1(object_alone), event)) return true;
  event = before;
  return false;
}

}  // namespace shakedown
