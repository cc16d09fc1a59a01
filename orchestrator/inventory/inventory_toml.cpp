#include "orchestrator/inventory/inventory_toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/check.hpp"
#include "orchestrator/inventory/fields.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {
namespace {

template <class T>
T part_from(TomlTable& table);

/// Takes the keys of one part from its table.
template <class Owner>
class TomlReader {
 public:
  TomlReader(TomlTable& table, Owner& value) : table_(table), value_(value) {}

  template <class Member>
  void operator()(const Key& key, Member Owner::*member) {
    Member& field = value_.*member;
    if (key.required && !given(key)) table_.reject("", fmt::format("'{}' is missing", spelled(key)));
    read(key, field);
  }

 private:
  /// Memory may be written in GiB, as is usual.
  static std::string in_gibibytes(const Key& key) {
    constexpr std::string_view bytes = "_bytes";
    if (!key.name.ends_with(bytes)) return "";  // a count
    return fmt::format("{}_gib", key.name.substr(0, key.name.size() - bytes.size()));
  }
  bool given(const Key& key) {
    const std::string other = in_gibibytes(key);
    return table_.has(key.name) || (!other.empty() && table_.has(other));
  }
  static std::string spelled(const Key& key) {
    const std::string other = in_gibibytes(key);
    return other.empty() ? std::string(key.name) : fmt::format("{}' or '{}", key.name, other);
  }

  void read(const Key& key, std::string& field) {
    field = table_.text(key.name, field);
    if (key.required && field.empty() && table_.has(key.name))
      table_.reject(key.name, fmt::format("'{}' is empty", key.name));
  }
  void read(const Key& key, bool& field) { field = table_.boolean(key.name, field); }
  void read(const Key& key, std::vector<std::string>& field) { field = table_.texts(key.name); }
  void read(const Key& key, double& field) {
    if (const auto number = table_.optional_real(key.name)) field = within(key.name, *number, key.minimum);
  }
  void read(const Key& key, int& field) {
    if (const auto number = table_.optional_integer(key.name)) field = whole(key, *number);
  }
  void read(const Key& key, std::optional<int>& field) {
    if (const auto number = table_.optional_integer(key.name)) field = whole(key, *number);
  }
  void read(const Key& key, std::optional<double>& field) {
    if (const auto number = table_.optional_real(key.name)) field = within(key.name, *number, key.minimum);
  }
  void read(const Key& key, std::optional<bool>& field) {
    const bool given_value = table_.has(key.name);
    const bool value = table_.boolean(key.name, false);
    if (given_value) field = value;
  }
  void read(const Key& key, std::int64_t& field) {
    const std::string other = in_gibibytes(key);
    const auto bytes = table_.optional_integer(key.name);
    if (bytes && static_cast<double>(*bytes) < key.minimum)
      refuse(key.name, fmt::format("{}", *bytes), key.minimum);
    field = bytes.value_or(field);
    if (!other.empty()) read_gibibytes(key, other, field);
  }
  void read_gibibytes(const Key& key, const std::string& other, std::int64_t& field) {
    const auto gibibytes = table_.optional_real(other);
    if (table_.has(key.name) && table_.has(other))
      table_.reject(other, fmt::format("give '{}' or '{}', not both", key.name, other));
    const std::string ambiguous = other.substr(0, other.size() - 3) + "gb";
    if (table_.has(ambiguous))
      table_.reject(ambiguous, fmt::format("'{}' may mean 10^9 or 2^30 bytes", ambiguous),
                    fmt::format("write '{}' or '{}'", other, key.name));
    if (!gibibytes) return;
    // Beyond 2^62 bytes a double is no longer sure to fit a signed 64-bit number.
    const double value = within(other, *gibibytes, key.minimum / gibi) * gibi;
    if (value >= 0x1p62) table_.reject(other, fmt::format("'{}' is too large", other));
    field = value < 0x1p62 ? std::llround(value) : 0;
  }
  template <Part T>
  void read(const Key& key, T& field) {
    TomlTable table = table_.table(key.name);
    // An absent required table is one objection, not one for each key in it.
    if (key.required && !table_.has(key.name)) return;
    field = part_from<T>(table);
  }
  template <Part T>
  void read(const Key& key, std::vector<T>& field) {
    for (TomlTable& table : table_.tables(key.name)) {
      const T part = part_from<T>(table);
      if constexpr (std::is_same_v<T, Gpu>)
        for (Gpu& gpu : expanded_gpus(table, part, value_)) field.push_back(std::move(gpu));
      else
        field.push_back(part);
    }
  }

  void refuse(std::string_view key, const std::string& value, double minimum) {
    const std::string least = minimum > 0 && minimum < 1e-6 ? "above 0" : fmt::format("at least {}", minimum);
    table_.reject(key, fmt::format("'{}' must be {}, not {}", key, least, value));
  }
  double within(std::string_view key, double value, double minimum) {
    if (!std::isfinite(value)) table_.reject(key, fmt::format("'{}' must be a finite number", key));
    if (value < minimum) refuse(key, fmt::format("{}", value), minimum);
    return std::isfinite(value) ? value : 0;
  }
  int whole(const Key& key, std::int64_t value) {
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    if (static_cast<double>(value) < key.minimum) refuse(key.name, fmt::format("{}", value), key.minimum);
    if (value > most)
      table_.reject(key.name, fmt::format("'{}' must be at most {}, not {}", key.name, most, value));
    return value > most || value < -most ? 1 : static_cast<int>(value);
  }

  TomlTable& table_;
  Owner& value_;
};

template <class T>
T part_from(TomlTable& table) {
  T value = unread<T>();
  if constexpr (std::is_same_v<T, NodeGroup>) value.usable = unread<Usable>();
  Fields<T>::visit(TomlReader<T>(table, value));
  if constexpr (std::is_same_v<T, NodeGroup>) return with_defaults(std::move(value));
  return value;
}

std::string place_in(TomlTable& root, const Spot& spot) {
  if (spot.part == "fabric") return root.table(spot.part).place(spot.key);
  if (spot.part == "pods" || spot.part == "storage")
    return root.tables(spot.part)[spot.index].place(spot.key);
  std::vector<TomlTable> groups = root.tables("groups");
  TomlTable& group = groups[spot.group];
  if (spot.part.empty()) return group.place(spot.key);
  if (spot.part == "nics") return group.tables(spot.part)[spot.index].place(spot.key);
  TomlTable part = group.table(spot.part);
  // Memory can have been given in either unit.
  const std::string_view key = spot.key == "memory_bytes" && !part.has(spot.key) ? "memory_gib" : spot.key;
  return part.place(key);
}

constexpr std::int64_t most_gpus = 1024;

/// How many GPUs the table describes, by `count` and by a list of `listed` values under `key`.
std::int64_t agreed_count(TomlTable& table, std::string_view key, std::string_view noun, size_t listed,
                          std::int64_t count, const NodeGroup& group) {
  if (!table.has(key)) return count;
  const auto values = static_cast<std::int64_t>(listed);
  const bool one = is_one_node(group);
  const bool said = count >= 0;
  if (said && values != count)
    table.reject(key, fmt::format("{} {} gpus = {} but {} {} {}", subject(group), one ? "has" : "have", count,
                                  one ? "lists" : "list", values, noun));
  return said ? count : values;
}

std::string quoted_list(std::span<const std::string> texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(toml_quoted(text));
  return joined(quoted, ", ");
}

}  // namespace

Result<Inventory> inventory_from_toml(std::string_view text, std::string_view name) {
  auto root = TomlTable::parse(text, name);
  if (!root) return failure_of(root);
  const std::string schema = root->text("schema", inventory_schema);
  if (schema != inventory_schema)
    root->reject("schema", fmt::format("schema '{}' is not '{}'", schema, inventory_schema));
  Inventory inventory = part_from<Inventory>(*root);
  if (root->has("groups") && inventory.groups.empty()) root->reject("groups", "there is no group of nodes");
  if (auto ok = root->finished(); !ok) return failure_of(ok);
  if (!root->has("source")) inventory.source = std::filesystem::path(name).filename().string();
  if (auto ok = checked(inventory, [&](const Spot& spot) { return place_in(*root, spot); }); !ok)
    return failure_of(ok);
  return inventory;
}

namespace {

std::string toml_value(const std::string& text) {
  return toml_quoted(text);
}
std::string toml_value(bool value) {
  return value ? "true" : "false";
}
std::string toml_value(int value) {
  return fmt::format("{}", value);
}
std::string toml_value(double value) {
  return fmt::format("{}", value);
}
std::string toml_value(std::int64_t value) {
  return fmt::format("{}", value);
}
template <class T>
std::string toml_value(const std::optional<T>& value) {
  return toml_value(value.value_or(T{}));
}
std::string toml_value(const std::vector<std::string>& texts) {
  std::string value = "[";
  for (const std::string& text : texts) value += fmt::format("\n  {},", toml_quoted(text));
  return value + "\n]";
}
std::string toml_value(const std::vector<Cache>& caches) {
  std::string value = "[";
  for (const Cache& cache : caches)
    value += fmt::format("\n  {{ level = {}, size_bytes = {}, instances = {} }},", cache.level, cache.bytes,
                         cache.instances);
  return value + "\n]";
}

/// For people, what a large number of bytes is.
template <class T>
std::string comment(const Key& key, const T& value) {
  if constexpr (std::is_same_v<T, std::int64_t>)
    if (key.name.ends_with("_bytes")) return "  # " + bytes_text(static_cast<double>(value));
  return "";
}

template <class Owner>
std::string part_lines(const Owner& part, const std::string& path);

/// Collects the lines of one part: plain keys first, as TOML wants them, then the tables below it.
template <class Owner>
class Writer {
 public:
  Writer(const Owner& value, std::string path) : value_(value), path_(std::move(path)) {}

  template <class Member>
  void operator()(const Key& key, Member Owner::*member) {
    const Member& field = value_.*member;
    const std::string path = path_.empty() ? std::string(key.name) : fmt::format("{}.{}", path_, key.name);
    if constexpr (requires { tables(path, field); })
      tables(path, field);
    else if (key.required || key.always || field != default_.*member)
      keys_ += fmt::format("{} = {}{}\n", key.name, toml_value(field), comment(key, field));
  }

  [[nodiscard]] std::string lines() const { return keys_ + tables_; }

 private:
  template <Part T>
  void tables(const std::string& path, const T& part) {
    const std::string lines = part_lines(part, path);
    if (!lines.empty()) tables_ += fmt::format("\n[{}]\n{}", path, lines);
  }
  template <Part T>
  requires(!std::is_same_v<T, Cache>) void tables(const std::string& path, const std::vector<T>& parts) {
    for (const T& part : parts) tables_ += fmt::format("\n[[{}]]\n{}", path, part_lines(part, path));
  }
  void tables(const std::string& path, const std::vector<Gpu>& gpus) {
    size_t first = 0;
    for (const size_t count : gpu_runs(gpus)) {
      const std::span<const Gpu> run(gpus.data() + first, count);
      const Gpu shown = count > 1 ? shared_part(run.front()) : run.front();
      tables_ += fmt::format("\n[[{}]]\n{}{}", path, gpu_run_lines(run), part_lines(shown, path));
      first += count;
    }
  }

  const Owner& value_;
  std::string path_;
  Owner default_;
  std::string keys_;
  std::string tables_;
};

template <class Owner>
std::string part_lines(const Owner& part, const std::string& path) {
  Writer<Owner> writer(part, path);
  Fields<Owner>::visit(writer);
  return writer.lines();
}

}  // namespace

std::string inventory_toml(const Inventory& inventory) {
  return fmt::format("schema = {}\n{}", toml_quoted(inventory_schema), part_lines(inventory, ""));
}

std::vector<Gpu> expanded_gpus(TomlTable& table, const Gpu& shared, const NodeGroup& group) {
  const auto said = table.optional_integer("count");
  if (said && (*said < 1 || *said > most_gpus))
    table.reject("count", fmt::format("'count' must be between 1 and {}, not {}", most_gpus, *said));
  const auto uuids = table.texts("uuids");
  const auto addresses = table.texts("pci_addresses");
  const auto nodes = table.integers("numa_nodes");
  std::int64_t count = said.value_or(-1);
  count = agreed_count(table, "uuids", "uuids", uuids.size(), count, group);
  count = agreed_count(table, "pci_addresses", "PCI addresses", addresses.size(), count, group);
  count = agreed_count(table, "numa_nodes", "NUMA nodes", nodes.size(), count, group);
  if (count < 0) count = 1;
  for (const auto& [one, many] :
       {std::pair{"uuid", "uuids"}, {"pci_address", "pci_addresses"}, {"numa_node", "numa_nodes"}})
    if (table.has(one) && table.has(many))
      table.reject(one, fmt::format("give '{}' or '{}', not both", one, many));
  if (count > 1 && !shared.uuid.empty())
    table.reject("uuid", fmt::format("{} gpus can't share one uuid", count));
  for (const std::int64_t node : nodes)
    if (node < -1 || node > std::numeric_limits<int>::max())
      table.reject("numa_nodes", fmt::format("'numa_nodes' must hold node numbers, not {}", node));
  const auto size = static_cast<size_t>(std::min(count, most_gpus));
  std::vector<Gpu> gpus(size, shared);
  for (size_t i = 0; i < size; ++i) {
    if (i < uuids.size()) gpus[i].uuid = uuids[i];
    if (i < addresses.size()) gpus[i].pci_address = addresses[i];
    if (i < nodes.size()) gpus[i].numa_node = static_cast<int>(nodes[i]);
  }
  return gpus;
}

Gpu shared_part(Gpu gpu) {
  gpu.uuid.clear();
  gpu.pci_address.clear();
  gpu.numa_node = Gpu{}.numa_node;
  return gpu;
}

std::vector<size_t> gpu_runs(std::span<const Gpu> gpus) {
  std::vector<size_t> runs;
  for (size_t i = 0; i < gpus.size(); ++i) {
    const bool same = i > 0 && shared_part(gpus[i]) == shared_part(gpus[i - 1]);
    if (same && static_cast<std::int64_t>(runs.back()) < most_gpus)
      ++runs.back();
    else
      runs.push_back(1);
  }
  return runs;
}

std::string gpu_run_lines(std::span<const Gpu> run) {
  if (run.size() < 2) return "";
  std::vector<std::string> uuids;
  std::vector<std::string> addresses;
  std::vector<std::string> nodes;
  for (const Gpu& gpu : run) {
    uuids.push_back(gpu.uuid);
    addresses.push_back(gpu.pci_address);
    nodes.push_back(fmt::format("{}", gpu.numa_node));
  }
  const auto any = [&](auto member) {
    return std::any_of(run.begin(), run.end(), [&](const Gpu& gpu) { return gpu.*member != Gpu{}.*member; });
  };
  std::string lines = fmt::format("count = {}\n", run.size());
  if (any(&Gpu::uuid)) lines += fmt::format("uuids = [{}]\n", quoted_list(uuids));
  if (any(&Gpu::pci_address)) lines += fmt::format("pci_addresses = [{}]\n", quoted_list(addresses));
  if (any(&Gpu::numa_node)) lines += fmt::format("numa_nodes = [{}]\n", joined(nodes, ", "));
  return lines;
}

}  // namespace shakedown
