#include "orchestrator/plan/requirement.hpp"

#include <algorithm>
#include <array>

#include "orchestrator/core/toml.hpp"
#include "orchestrator/plan/placeholders.hpp"

namespace shakedown {
namespace {

/// What is known of a kind. In the order of the enumeration.
struct KindFacts {
  std::string_view id;
  bool needs_path = false;  ///< in an implementation's file
  std::string_view remedy;
  std::string_view remedy_of_wrong = "copy it again";
};

constexpr std::array kinds = {
    KindFacts{"image", false, "state the image's local file as `image` in [[site.programs]]",
              "correct `digest` in [[site.programs]], or copy the image again"},
    KindFacts{"pyxis", false,
              "install Pyxis, a plugin of Slurm's (plugstack.conf), or set [site] container_runtime to "
              "\"apptainer\" or \"none\""},
    KindFacts{"program", false, "install it, or state its path as `program` in [[site.programs]]"},
    KindFacts{"licence", true, "put the licence there"},
    KindFacts{"dataset", true, "put the data set there, as the implementation's source describes it"},
    KindFacts{"checkpoint", true, "put the checkpoint there, as the implementation's source describes it"},
    KindFacts{"tokenizer", true, "put the tokenizer there, as the implementation's source describes it"},
    KindFacts{"drop_caches", false,
              "let the job's user do it by sudo (sudoers: USER ALL=(root) NOPASSWD: /usr/bin/bash -c "
              "echo 3 > /proc/sys/vm/drop_caches), or expect warm caches"},
    KindFacts{"pmix", false,
              "state the PMIx of the image's version as [site] mpi (`srun --mpi=list` names them)"},
    KindFacts{"memlock", false,
              "LimitMEMLOCK=infinity in slurmd's unit, '* - memlock unlimited' in "
              "/etc/security/limits.conf"},
    KindFacts{"peer_memory", false, "modprobe nvidia_peermem on each node"},
    KindFacts{"space", true, "free some space there"},
};

constexpr auto all_kinds = [] {
  std::array<RequirementKind, kinds.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<RequirementKind>(i);
  return all;
}();

const KindFacts& facts_of(RequirementKind kind) {
  return kinds.at(static_cast<std::size_t>(kind));
}

bool is_hash(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Requirement requirement_from(TomlTable table) {
  Requirement read;
  read.kind = required_one_of<RequirementKind>(table, "kind", all_kinds);
  read.what = table.text("what", "");
  read.path = table.text("path", "");
  read.sha256 = table.text("sha256", "");
  read.bytes = table.integer("bytes", 0);
  read.remedy = table.text("remedy", "");
  if (facts_of(read.kind).needs_path && read.path.empty())
    table.reject("path", fmt::format("'path' is missing: where is the {}?", to_string(read.kind)));
  if (!read.sha256.empty() && !is_hash(read.sha256))
    table.reject("sha256", fmt::format("'{}' is no SHA-256", read.sha256), "64 hex digits");
  if (read.bytes < 0) table.reject("bytes", "'bytes' is negative");
  return read;
}

/// IO500 clears the caches only if its input requests it; others before they begin, on each node.
bool drops_caches(const Case& planned) {
  const auto on_nodes = std::ranges::any_of(planned.node_preparation, [](const auto& line) {
    return std::ranges::any_of(
        line, [](const std::string& word) { return word.find("DROPCACHE_CMD") != std::string::npos; });
  });
  return on_nodes || std::ranges::any_of(planned.files, [](const TextFile& file) {
           return file.content.find("drop-caches = TRUE") != std::string::npos;
         });
}

/// What the network needs is of no use to one node.
bool is_of_the_network(const Requirement& requirement) {
  return requirement.kind == RequirementKind::memlock || requirement.kind == RequirementKind::peer_memory ||
         requirement.kind == RequirementKind::pmix;
}

}  // namespace

std::string_view to_string(RequirementKind kind) {
  return facts_of(kind).id;
}

std::optional<RequirementKind> requirement_kind(std::string_view text) {
  return enumerator<RequirementKind>(text, all_kinds);
}

std::string_view usual_remedy(RequirementKind kind) {
  return facts_of(kind).remedy;
}

std::string_view remedy_of_wrong(RequirementKind kind) {
  return facts_of(kind).remedy_of_wrong;
}

std::vector<Requirement> requirements_from_toml(TomlTable& table) {
  std::vector<TomlTable> stated = table.tables("requires");
  std::vector<Requirement> requirements;
  requirements.reserve(stated.size());
  for (TomlTable& each : stated) requirements.push_back(requirement_from(each));
  return requirements;
}

std::vector<Requirement> requirements_of(const Case& planned, const std::vector<Requirement>& stated,
                                         const Site& site) {
  std::vector<Requirement> needed;
  for (Requirement each : stated) {
    const bool contained = !planned.container.runtime.empty();
    if (planned.nodes == 1 && is_of_the_network(each)) continue;
    if (each.kind == RequirementKind::drop_caches && !drops_caches(planned)) continue;
    if (each.kind == RequirementKind::image) {
      if (!contained) continue;
      each.path = planned.container.image;
      each.image = planned.container.digest;
    }
    if (each.kind == RequirementKind::pmix) {
      // Without a container the program's own library is the host's.
      if (!contained || planned.launcher != "srun" || !site.mpi.starts_with("pmix")) continue;
      each.what = site.mpi;
      each.path = site.container_program;
      each.image = planned.container.image;
    }
    if (each.kind == RequirementKind::program && each.path.empty()) {
      if (planned.container.runtime == "pyxis") continue;  // the program is the image's
      // A case of a plan may state its command as 'argv' alone.
      each.path = planned.program.empty() && !planned.argv.empty() ? planned.argv.front() : planned.program;
      if (contained && each.remedy.empty())
        each.remedy = "install it, or state its path as `container_program` in [site]";
    }
    each.path = filled(each.path, planned.environment);
    needed.push_back(std::move(each));
  }
  if (planned.container.runtime == "pyxis") needed.emplace_back().kind = RequirementKind::pyxis;
  return needed;
}

std::string described(const Requirement& requirement) {
  const std::string_view what =
      requirement.what.empty() ? to_string(requirement.kind) : std::string_view(requirement.what);
  std::string name(what);
  if (requirement.what.empty()) std::ranges::replace(name, '_', ' ');
  if (requirement.kind == RequirementKind::pmix)
    return fmt::format("{} of host and image", requirement.what);  // the path is a means
  return requirement.path.empty() ? name : fmt::format("{} {}", name, requirement.path);
}

}  // namespace shakedown
