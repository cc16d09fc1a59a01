#include "orchestrator/inventory/accelerators.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <type_traits>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/fields.hpp"

namespace shakedown {

std::optional<std::string_view> inventory_file(std::string_view name);  // generated from the TOML files here

std::string Accelerator::title() const {
  return fmt::format("{} {} {} {:g} GB", vendor, family, form, sold_gb);
}

namespace {

constexpr double mebibyte = 1024.0 * 1024.0;

/// The documents of a catalogue by their short names.
class Documents {
 public:
  explicit Documents(TomlTable& root) {
    TomlTable table = root.table("sources");
    for (const std::string& key : table.keys()) titles_[key] = table.required_text(key);
  }

  /// The title under the name at `key`, which must be there.
  std::string title(TomlTable& table, std::string_view key) {
    const std::string name = table.required_text(key);
    const auto it = titles_.find(name);
    if (it != titles_.end()) return it->second;
    if (table.has(key)) {
      std::vector<std::string> known;
      known.reserve(titles_.size());
      for (const auto& [each, ignored] : titles_) known.push_back(each);
      table.reject(key, fmt::format("no document '{}' under [sources]{}", name, did_you_mean(name, known)));
    }
    return "";
  }

 private:
  std::map<std::string, std::string> titles_;
};

/// The source of each key of a table: its `source`, or what its `sources` name.
class KeySources {
 public:
  KeySources(TomlTable& table, Documents& documents) : main_(documents.title(table, "source")) {
    TomlTable others = table.table("sources");
    for (const std::string& key : others.keys()) {
      if (!table.has(key)) others.reject(key, fmt::format("'{}' is no value of this table", key));
      others_[key] = documents.title(others, key);
    }
  }
  [[nodiscard]] const std::string& main() const { return main_; }
  [[nodiscard]] const std::string& of(const std::string& key) const {
    const auto it = others_.find(key);
    return it == others_.end() ? main_ : it->second;
  }
  [[nodiscard]] const std::map<std::string, std::string>& others() const { return others_; }

 private:
  std::string main_;
  std::map<std::string, std::string> others_;
};

double positive(TomlTable& table, std::string_view key) {
  const double value = table.required_real(key);
  if (table.has(key) && !(value > 0)) table.reject(key, fmt::format("'{}' must be above 0", key));
  return value;
}

/// The rates of `table`, for one of `devices`. FP64, FP32, FP16 and the memory's bandwidth must be there.
GpuPeak peak_of(TomlTable& table, int devices) {
  GpuPeak peak;
  Fields<GpuPeak>::visit([&]<class Member>(const Key& key, Member GpuPeak::*member) {
    if constexpr (std::is_same_v<Member, std::optional<double>>) {
      const auto value = table.optional_real(key.name);
      if (value && !(*value > 0)) table.reject(key.name, fmt::format("'{}' must be above 0", key.name));
      if (value) peak.*member = *value / devices;
    }
  });
  for (const std::string_view key :
       {"fp64_vector_tflops", "fp32_tflops", "fp16_dense_tflops", "memory_bandwidth_gb_s"})
    if (!table.has(key)) table.reject("", fmt::format("'{}' is missing", key));
  return peak;
}

/// "AMD data sheet; link_gb_s: another page".
std::string with_others(std::string text, const std::map<std::string, std::string>& others) {
  for (const auto& [key, title] : others)
    if (title != text) text += fmt::format("; {}: {}", key, title);
  return text;
}

void read_memory(Accelerator& row, TomlTable table, Documents& documents) {
  const KeySources sources(table, documents);
  row.sold_gb = positive(table, "sold_gb");
  row.shown_bytes = static_cast<std::int64_t>(table.real("smi_mib", 0) * mebibyte);
  row.usable_bytes = static_cast<std::int64_t>(table.real("usable_mib", 0) * mebibyte);
  row.usable_source = sources.of("usable_mib");
}

Accelerator accelerator_of(TomlTable& table, Documents& documents) {
  Accelerator row;
  row.id = table.required_text("id");
  row.vendor = table.required_text("vendor");
  row.family = table.required_text("family");
  row.form = table.required_text("form");
  row.architecture = table.required_text("architecture");
  row.devices = static_cast<int>(std::max<std::int64_t>(1, table.integer("devices", 1)));
  if (table.has("compute")) {
    TomlTable compute = table.table("compute");
    row.compute_capability = compute.required_text("capability");
    documents.title(compute, "source");
  }
  TomlTable seen = table.table("seen");
  row.names = seen.texts("names");
  row.also = seen.texts("also");
  row.pci_ids = seen.texts("pci_ids");
  if (row.names.empty()) seen.reject("names", "'names' is missing or empty");
  if (row.pci_ids.empty()) seen.reject("pci_ids", "'pci_ids' is missing or empty");
  documents.title(seen, "source");
  if (table.has("units")) {
    TomlTable units = table.table("units");
    row.units = static_cast<int>(units.required_integer("count")) / row.devices;
    documents.title(units, "source");
  }
  read_memory(row, table.table("memory"), documents);
  TomlTable peak = table.table("peak");
  const KeySources sources(peak, documents);
  row.peak = peak_of(peak, row.devices);
  auto others = sources.others();

  TomlTable link = table.table("link");
  row.link_kind = link.required_text("kind");
  if (const double speed = link.required_real("gb_s"); speed > 0) {
    row.peak.link_gb_s = speed / row.devices;
    others["link_gb_s"] = documents.title(link, "source");
  } else {
    documents.title(link, "source");
  }
  TomlTable power = table.table("power");
  row.tdp_watts = positive(power, "tdp_watts");
  row.tdp_covers = power.text("covers", "");
  const std::string power_source = documents.title(power, "source");
  if (row.tdp_covers.empty()) {
    row.peak.tdp_watts = row.tdp_watts / row.devices;
    others["tdp_watts"] = power_source;
  }
  std::erase_if(others, [&](const auto& other) { return other.second == sources.main(); });
  row.peak.source = with_others(sources.main(), others);
  if (row.devices > 1) row.peak.source += fmt::format("; one of {} devices of a package", row.devices);
  return row;
}

}  // namespace

Result<std::vector<Accelerator>> accelerators_from_toml(std::string_view text, std::string_view name) {
  auto root = TomlTable::parse(text, name);
  if (!root) return failure_of(root);
  Documents documents(*root);
  std::vector<Accelerator> rows;
  for (TomlTable& table : root->tables("accelerators")) {
    rows.push_back(accelerator_of(table, documents));
    const auto same = [&](const Accelerator& row) { return row.id == rows.back().id; };
    if (std::ranges::count_if(rows, same) > 1)
      table.reject("id", fmt::format("'{}' is here twice", rows.back().id));
  }
  if (auto ok = root->finished(); !ok) return failure_of(ok);
  return rows;
}

const std::vector<Accelerator>& accelerators() {
  static const std::vector<Accelerator> rows =
      accelerators_from_toml(inventory_file("accelerators.toml").value_or(""), "accelerators.toml").value();
  return rows;
}

namespace {

/// A name as tools and Slurm write it alike: "NVIDIA A100-SXM4-80GB" and "nvidia_a100-sxm4-80gb".
std::string plain_name(std::string_view text) {
  std::string spaced = lower(text);
  std::ranges::replace_if(
      spaced, [](char c) { return c == '_' || c == '-'; }, ' ');
  std::vector<std::string> pieces;
  for (const std::string_view word : words(spaced)) pieces.emplace_back(word);
  return joined(pieces, " ");
}

/// The same without the vendor's words before it.
std::string without_vendor(std::string name) {
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view word : {"nvidia ", "amd ", "tesla ", "instinct "})
      if (name.starts_with(word)) {
        name.erase(0, word.size());
        found = true;
      }
  }
  return name;
}

using Rows = std::vector<const Accelerator*>;

template <class Matches>
Rows rows_that(const std::vector<Accelerator>& among, Matches matches) {
  Rows rows;
  for (const Accelerator& row : among)
    if (matches(row)) rows.push_back(&row);
  return rows;
}

Rows candidates(const Gpu& gpu, const std::vector<Accelerator>& among) {
  if (!gpu.pci_id.empty()) {
    Rows rows = rows_that(among, [&](const Accelerator& row) {
      return std::ranges::find(row.pci_ids, gpu.pci_id) != row.pci_ids.end();
    });
    if (!rows.empty()) return rows;
  }
  const std::string name = plain_name(gpu.model);
  Rows rows = rows_that(among, [&](const Accelerator& row) {
    return std::ranges::any_of(row.names, [&](const std::string& each) { return plain_name(each) == name; });
  });
  if (!rows.empty() || !gpu.pci_id.empty()) return rows;
  const std::string bare = without_vendor(name);
  return rows_that(among, [&](const Accelerator& row) {
    return std::ranges::find(row.also, bare) != row.also.end() ||
           std::ranges::any_of(
               row.names, [&](const std::string& each) { return without_vendor(plain_name(each)) == bare; });
  });
}

/// Drivers keep some memory for themselves, how much changes from one to the next.
bool has_memory_of(const Gpu& gpu, const Accelerator& row) {
  constexpr double tolerance = 0.04;
  if (gpu.memory_bytes <= 0 || row.shown_bytes <= 0) return true;
  const double seen = static_cast<double>(gpu.memory_bytes);
  const double shown = static_cast<double>(row.shown_bytes);
  return seen >= shown * (1 - tolerance) && seen <= shown * (1 + tolerance);
}

std::string shown_gpu(const Gpu& gpu) {
  const std::string pci = gpu.pci_id.empty() ? "" : fmt::format(" (PCI {})", gpu.pci_id);
  return gpu.model.empty() ? fmt::format("a GPU without a model{}", pci)
                           : fmt::format("GPU '{}'{}", gpu.model, pci);
}

std::string titles_of(const Rows& rows) {
  std::vector<std::string> titles;
  for (const Accelerator* row : rows) titles.push_back(row->title());
  return joined(titles, ", ");
}

/// A row of the family that is a word of this text; null: none is.
const Accelerator* of_named_family(std::string_view text) {
  const std::string plain = plain_name(text);
  const auto named = words(plain);
  const auto row = std::ranges::find_if(accelerators(), [&](const Accelerator& each) {
    return std::ranges::find(named, lower(each.family)) != named.end();
  });
  return row == accelerators().end() ? nullptr : &*row;
}

constexpr std::string_view remedy = "no peak is known; an inventory file can state it in [groups.gpus.peak]";

}  // namespace

std::string_view architecture_named(std::string_view text) {
  const Accelerator* row = of_named_family(text);
  return row == nullptr ? std::string_view() : row->architecture;
}

std::string_view compute_capability_named(std::string_view text) {
  const Accelerator* row = of_named_family(text);
  return row == nullptr ? std::string_view() : row->compute_capability;
}

CatalogueAnswer catalogued(const Gpu& gpu, const std::vector<Accelerator>& among) {
  const Rows named = candidates(gpu, among);
  if (named.empty())
    return {nullptr, fmt::format("{} is not in the catalogue of accelerators: {}", shown_gpu(gpu), remedy)};
  Rows rows = named;
  std::erase_if(rows, [&](const Accelerator* row) { return !has_memory_of(gpu, *row); });
  if (rows.empty())
    return {nullptr,
            fmt::format("{} has {} of memory, which no {} has: {}", shown_gpu(gpu),
                        bytes_text(static_cast<double>(gpu.memory_bytes)), titles_of(named), remedy)};
  if (rows.size() > 1 && gpu.sm_count > 0)
    std::erase_if(rows, [&](const Accelerator* row) { return row->units > 0 && row->units != gpu.sm_count; });
  if (rows.size() == 1) return {rows.front(), ""};
  return {nullptr, fmt::format("{} can be {}: {}", shown_gpu(gpu), titles_of(rows.empty() ? named : rows),
                               "no peak is taken; write the model as nvidia-smi or amd-smi prints it")};
}

namespace {

/// Fills the rates that `gpu` doesn't have.
void fill_peak(GpuPeak& peak, const Accelerator& row) {
  std::vector<std::string> filled;
  bool stated = false;
  Fields<GpuPeak>::visit([&]<class Member>(const Key& key, Member GpuPeak::*member) {
    if constexpr (std::is_same_v<Member, std::optional<double>>) {
      if (peak.*member) {
        stated = true;
      } else if (row.peak.*member) {
        peak.*member = row.peak.*member;
        filled.emplace_back(key.name);
      }
    }
  });
  if (filled.empty()) return;
  if (!stated) {
    peak.source = fmt::format("catalogue, {}: {}", row.title(), row.peak.source);
    return;
  }
  const std::string own = peak.source.empty() ? "stated in the inventory" : peak.source;
  peak.source = fmt::format("{}; {} from the catalogue, {}: {}", own, joined(filled, ", "), row.title(),
                            row.peak.source);
}

void add_note(Inventory& inventory, const std::string& note) {
  if (std::ranges::find(inventory.notes, note) == inventory.notes.end()) inventory.notes.push_back(note);
}

}  // namespace

void fill_from_catalogue(Inventory& inventory) {
  for (NodeGroup& group : inventory.groups)
    for (Gpu& gpu : group.gpus) {
      const CatalogueAnswer answer = catalogued(gpu);
      if (answer.row == nullptr) {
        if (!gpu.peak.fp64_vector_tflops && !gpu.peak.fp64_tensor_tflops) add_note(inventory, answer.why_not);
        continue;
      }
      fill_peak(gpu.peak, *answer.row);
      if (gpu.memory_bytes > 0 || answer.row->usable_bytes <= 0) continue;
      gpu.memory_bytes = answer.row->usable_bytes;
      add_note(inventory,
               fmt::format("memory of GPU '{}', {}, is that of the catalogue: {}", gpu.model,
                           bytes_text(static_cast<double>(gpu.memory_bytes)), answer.row->usable_source));
    }
}

std::vector<std::string> doubtful_memory(const Inventory& inventory) {
  constexpr double tolerance = 0.05;
  std::vector<std::string> sentences;
  for (const NodeGroup& group : inventory.groups)
    for (const Gpu& gpu : group.gpus) {
      Rows rows = candidates(gpu, accelerators());
      std::erase_if(rows, [](const Accelerator* row) { return row->shown_bytes <= 0; });
      const auto stated = static_cast<double>(gpu.memory_bytes);
      const auto fits = [&](const Accelerator* row) {
        return std::abs(stated / static_cast<double>(row->shown_bytes) - 1) <= tolerance;
      };
      if (gpu.memory_bytes <= 0 || rows.empty() || std::ranges::any_of(rows, fits)) continue;
      std::vector<std::string> shown;
      for (const Accelerator* row : rows)
        shown.push_back(
            fmt::format("{} of {}", bytes_text(static_cast<double>(row->shown_bytes)), row->title()));
      std::string sentence = fmt::format(
          "{}: the inventory states {} of memory, the catalogue {}: problem sizes follow the inventory; "
          "check "
          "its memory_bytes with nvidia-smi or amd-smi",
          shown_gpu(gpu), bytes_text(stated), joined(shown, ", "));
      if (std::ranges::find(sentences, sentence) == sentences.end()) sentences.push_back(std::move(sentence));
    }
  return sentences;
}

}  // namespace shakedown
