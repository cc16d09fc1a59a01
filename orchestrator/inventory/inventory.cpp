#include "orchestrator/inventory/inventory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "orchestrator/core/document_limits.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/check.hpp"
#include "orchestrator/inventory/fields.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {

int Inventory::nodes() const {
  int count = 0;
  for (const NodeGroup& group : groups)
    if (const auto hosts = expanded_hostlist(group.hosts)) count += static_cast<int>(hosts->size());
  return count;
}

double cpu_peak_gflops(const NodeGroup& node) {
  const double quota = node.usable.cpu_quota;
  const double cores = quota > 0 ? std::min<double>(node.usable.cores, quota) : node.usable.cores;
  return cores * node.cpu.fp64_flop_per_cycle * node.cpu.base_mhz / 1000;
}

bool states_base_clock(const NodeGroup& node) {
  return node.cpu.base_mhz > 0 && std::ranges::find(node.assumed, base_clock_key) == node.assumed.end();
}

std::int64_t last_level_cache_bytes(const NodeGroup& node) {
  const auto last = std::ranges::max_element(node.cpu.caches, {}, &Cache::level);
  if (last == node.cpu.caches.end()) return 0;
  return last->bytes * std::max(1, std::min(last->instances, node.usable.cores));
}

namespace {

using Json = nlohmann::ordered_json;

template <class Owner>
Json part_json(const Owner& part) {
  Json json = Json::object();
  const Owner defaults;
  Fields<Owner>::visit([&]<class Member>(const Key& key, Member Owner::*member) {
    const Member& field = part.*member;
    if (!key.required && !key.always && field == defaults.*member) return;
    Json& value = json[std::string(key.name)];
    if constexpr (Part<Member>) {
      value = part_json(field);
    } else if constexpr (Parts<Member>) {
      value = Json::array();
      for (const auto& element : field) value.push_back(part_json(element));
    } else if constexpr (requires { field.has_value(); }) {
      value = *field;  // empty is the default, and omitted
    } else {
      value = field;
    }
  });
  return json;
}

/// Takes the keys of one part; remembers the first objection of the document.
template <class Owner>
class JsonReader {
 public:
  JsonReader(const Json& json, std::string path, std::optional<Error>& objection)
      : json_(json), path_(std::move(path)), objection_(objection) {}

  Owner part() {
    Owner value = unread<Owner>();
    if constexpr (std::is_same_v<Owner, NodeGroup>) value.usable = unread<Usable>();
    if (!json_.is_object()) {
      reject("", "must be an object");
      return value;
    }
    std::vector<std::string> known;
    if constexpr (std::is_same_v<Owner, Inventory>) known.emplace_back("schema");
    Fields<Owner>::visit([&]<class Member>(const Key& key, Member Owner::*member) {
      known.emplace_back(key.name);
      const auto it = json_.find(std::string(key.name));
      if (it != json_.end())
        read(key, *it, value.*member);
      else if (key.required)
        reject(key.name, "is missing");
    });
    for (const auto& [key, ignored] : json_.items())
      if (std::find(known.begin(), known.end(), key) == known.end())
        reject(key, fmt::format("is unknown{}", did_you_mean(key, known)),
               fmt::format("known keys: {}", joined(known, ", ")));
    if constexpr (std::is_same_v<Owner, NodeGroup>)
      return with_defaults(std::move(value));
    else
      return value;
  }

 private:
  [[nodiscard]] std::string below(std::string_view key) const {
    if (key.empty()) return path_.empty() ? "the document" : path_;
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  }
  void reject(std::string_view key, const std::string& what, const std::string& hint = {}) {
    if (!objection_) objection_ = Error{"", fmt::format("'{}' {}", below(key), what), hint, Fault::input};
  }
  void wrong_type(const Key& key, const Json& json, std::string_view wanted) {
    reject(key.name, fmt::format("must be {}, not {}", wanted, json.type_name()));
  }

  void read(const Key& key, const Json& json, std::string& field) {
    if (!json.is_string()) return wrong_type(key, json, "a string");
    field = json.get<std::string>();
    if (key.required && field.empty()) reject(key.name, "is empty");
  }
  void read(const Key& key, const Json& json, bool& field) {
    if (!json.is_boolean()) return wrong_type(key, json, "true or false");
    field = json.get<bool>();
  }
  void read(const Key& key, const Json& json, double& field) {
    if (!json.is_number()) return wrong_type(key, json, "a number");
    field = json.get<double>();
    if (!std::isfinite(field) || field < key.minimum)
      reject(key.name, fmt::format("must be at least {}, not {}", key.minimum, field));
  }
  void read(const Key& key, const Json& json, std::int64_t& field) {
    if (!json.is_number_integer()) return wrong_type(key, json, "a whole number");
    const bool fits =
        !json.is_number_unsigned() || json.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max();
    field = fits ? json.get<std::int64_t>() : 0;
    if (!fits) return reject(key.name, "is too large");
    if (static_cast<double>(field) < key.minimum)
      reject(key.name, fmt::format("must be at least {}, not {}", key.minimum, field));
  }
  void read(const Key& key, const Json& json, int& field) {
    std::int64_t wide = 0;
    read(key, json, wide);
    if (wide > std::numeric_limits<int>::max()) return reject(key.name, "is too large");
    if (wide >= std::numeric_limits<int>::min() && static_cast<double>(wide) >= key.minimum)
      field = static_cast<int>(wide);
  }
  template <class T>
  void read(const Key& key, const Json& json, std::optional<T>& field) {
    T value{};
    read(key, json, value);
    field = value;
  }
  void read(const Key& key, const Json& json, std::vector<std::string>& field) {
    if (!json.is_array()) return wrong_type(key, json, "an array of strings");
    for (const Json& element : json) {
      if (!element.is_string()) return wrong_type(key, element, "an array of strings");
      field.push_back(element.get<std::string>());
    }
  }
  template <Part T>
  void read(const Key& key, const Json& json, T& field) {
    field = JsonReader<T>(json, below(key.name), objection_).part();
  }
  template <Part T>
  void read(const Key& key, const Json& json, std::vector<T>& field) {
    if (!json.is_array()) return wrong_type(key, json, "an array");
    for (size_t i = 0; i < json.size(); ++i)
      field.push_back(JsonReader<T>(json[i], fmt::format("{}[{}]", below(key.name), i), objection_).part());
  }

  const Json& json_;
  std::string path_;
  std::optional<Error>& objection_;
};

std::string place_in(std::string_view name, const Spot& spot) {
  if (spot.part == "fabric") return fmt::format("{}: fabric.{}", name, spot.key);
  if (spot.part == "pods" || spot.part == "storage")
    return fmt::format("{}: {}[{}].{}", name, spot.part, spot.index, spot.key);
  if (spot.part.empty()) return fmt::format("{}: groups[{}].{}", name, spot.group, spot.key);
  if (spot.part == "nics")
    return fmt::format("{}: groups[{}].nics[{}].{}", name, spot.group, spot.index, spot.key);
  return fmt::format("{}: groups[{}].{}.{}", name, spot.group, spot.part, spot.key);
}

}  // namespace

std::string inventory_json(const Inventory& inventory) {
  Json json;
  json["schema"] = inventory_schema;
  json.update(part_json(inventory));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Inventory> inventory_from_json(std::string_view text, std::string_view name) {
  if (auto within = json_within_limits(text, name); !within) return failure_of(within);
  Json json;
  try {
    json = json_or_thrown<Json>(text);
  } catch (const Json::parse_error& error) {
    const auto line = 1 + std::count(text.begin(), text.begin() + std::min(error.byte, text.size()), '\n');
    return fail(fmt::format("{}:{}", name, line), "the file is not valid JSON");
  }
  if (!json.is_object()) return fail(std::string(name), "an inventory is a JSON object");
  const Json schema = json.value("schema", Json());
  if (schema != inventory_schema)
    return fail(std::string(name), fmt::format("schema {} is not \"{}\"", schema.dump(), inventory_schema));
  std::optional<Error> objection;
  Inventory inventory = JsonReader<Inventory>(json, "", objection).part();
  if (objection) {
    objection->where = name;
    return tl::unexpected<Error>(*objection);
  }
  if (inventory.groups.empty()) return fail(std::string(name), "there is no group of nodes");
  if (auto ok = checked(inventory, [&](const Spot& spot) { return place_in(name, spot); }); !ok)
    return failure_of(ok);
  return inventory;
}

}  // namespace shakedown
