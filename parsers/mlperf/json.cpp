#include "parsers/mlperf/json.hpp"

#include <simdjson.h>

#include <cmath>
#include <cstring>

#include "orchestrator/core/text.hpp"
#include "parsers/number.hpp"

namespace shakedown {
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

/// A finite number, also one that stands in quotes.
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
