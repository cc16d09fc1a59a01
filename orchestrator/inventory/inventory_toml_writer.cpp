#include <fmt/format.h>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/fields.hpp"
#include "orchestrator/inventory/readers.hpp"
#include "orchestrator/inventory/toml_gpus.hpp"

namespace shakedown {
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

}  // namespace shakedown
