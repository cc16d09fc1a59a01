#include "orchestrator/plan/requirement.hpp"

#include <algorithm>
#include <array>

#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/placeholders.hpp"

namespace shakedown {
namespace {

constexpr std::array kinds = {
    RequirementKind{"image", false, "state the image's local file as `image` in [[site.programs]]"},
    RequirementKind{"program", false, "install it, or state its path as `program` in [[site.programs]]"},
    RequirementKind{"licence", true, "put the licence there"},
    RequirementKind{"dataset", true, "put the data set there, as the implementation's source describes it"},
    RequirementKind{"checkpoint", true,
                    "put the checkpoint there, as the implementation's source describes it"},
    RequirementKind{"tokenizer", true,
                    "put the tokenizer there, as the implementation's source describes it"},
    RequirementKind{"drop_caches", false,
                    "let the job's user do it by sudo (sudoers: USER ALL=(root) NOPASSWD: /usr/bin/bash -c "
                    "echo 3 > /proc/sys/vm/drop_caches), or expect warm caches"},
    RequirementKind{"pmix", false,
                    "state the PMIx of the image's version as [site] mpi (`srun --mpi=list` names them)"},
    RequirementKind{"memlock", false,
                    "LimitMEMLOCK=infinity in slurmd's unit, '* - memlock unlimited' in "
                    "/etc/security/limits.conf"},
    RequirementKind{"peer_memory", false, "modprobe nvidia_peermem on each node"},
    RequirementKind{"space", true, "free some space there"},
};

bool is_hash(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Requirement requirement_from(TomlTable table) {
  Requirement read;
  read.kind = table.required_text("kind");
  read.what = table.text("what", "");
  read.path = table.text("path", "");
  read.sha256 = table.text("sha256", "");
  read.bytes = table.integer("bytes", 0);
  read.remedy = table.text("remedy", "");
  const RequirementKind* kind = requirement_kind(read.kind);
  if (kind == nullptr && table.has("kind")) {
    std::vector<std::string> known;
    known.reserve(kinds.size());
    for (const RequirementKind& each : kinds) known.emplace_back(each.id);
    table.reject("kind", fmt::format("no requirement '{}'{}", read.kind, did_you_mean(read.kind, known)),
                 fmt::format("kinds: {}", joined(known, ", ")));
  }
  if (kind != nullptr && kind->needs_path && read.path.empty())
    table.reject("path", fmt::format("'path' is missing: where is the {}?", read.kind));
  if (!read.sha256.empty() && !is_hash(read.sha256))
    table.reject("sha256", fmt::format("'{}' is no SHA-256", read.sha256), "64 hex digits");
  if (read.bytes < 0) table.reject("bytes", "'bytes' is negative");
  return read;
}

/// IO500 clears the caches only where its input says so.
bool drops_caches(const Case& planned) {
  return std::ranges::any_of(planned.files, [](const TextFile& file) {
    return file.content.find("drop-caches = TRUE") != std::string::npos;
  });
}

/// What the network needs is of no use to one node.
bool is_of_the_network(const Requirement& requirement) {
  return requirement.kind == "memlock" || requirement.kind == "peer_memory" || requirement.kind == "pmix";
}

}  // namespace

const RequirementKind* requirement_kind(std::string_view id) {
  const auto it = std::ranges::find(kinds, id, &RequirementKind::id);
  return it == kinds.end() ? nullptr : &*it;
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
    if (each.kind == "drop_caches" && !drops_caches(planned)) continue;
    if (each.kind == "image") {
      if (!contained) continue;
      each.path = planned.container.image;
      each.image = planned.container.digest;
    }
    if (each.kind == "pmix") {
      // Without a container the program's own library is the host's.
      if (!contained || planned.launcher != "srun" || !site.mpi.starts_with("pmix")) continue;
      each.what = site.mpi;
      each.image = planned.container.image;
    }
    if (each.kind == "program" && each.path.empty()) {
      if (planned.container.runtime == "pyxis") continue;  // the program is the image's
      // A case of a plan may state its command as 'argv' alone.
      each.path = planned.program.empty() && !planned.argv.empty() ? planned.argv.front() : planned.program;
    }
    each.path = filled(each.path, planned.environment);
    needed.push_back(std::move(each));
  }
  return needed;
}

std::string described(const Requirement& requirement) {
  const std::string_view what = requirement.what.empty() ? requirement.kind : requirement.what;
  std::string name(what);
  if (requirement.what.empty()) std::ranges::replace(name, '_', ' ');
  if (requirement.kind == "pmix") name = fmt::format("{} of host and image", requirement.what);
  return requirement.path.empty() ? name : fmt::format("{} {}", name, requirement.path);
}

}  // namespace shakedown
