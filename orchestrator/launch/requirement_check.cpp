#include "orchestrator/launch/requirement_check.hpp"

#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/plan/placeholders.hpp"

namespace shakedown {
namespace {

struct Answer {
  Met met = Met::unknown;
  std::string found;
};

Answer met(std::string found) {
  return {Met::yes, std::move(found)};
}
Answer missing(std::string found) {
  return {Met::no, std::move(found)};
}
Answer wrong(std::string found) {
  return {Met::wrong, std::move(found)};
}
Answer unknown(std::string why) {
  return {Met::unknown, std::move(why)};
}

/// A file or folder with the size and the hash that are stated.
Answer file(const Requirement& wanted) {
  std::error_code code;
  const fs::file_status status = fs::status(wanted.path, code);
  if (!fs::exists(status)) return missing("is not there");
  if (::access(wanted.path.c_str(), R_OK) != 0) return missing("can't be read by this user");
  if (fs::is_directory(status))
    return fs::is_empty(wanted.path, code) ? missing("is an empty folder") : met("a folder");
  const auto bytes = static_cast<std::int64_t>(fs::file_size(wanted.path, code));
  if (wanted.bytes > 0 && bytes != wanted.bytes)
    return wrong(fmt::format("has {} bytes, not {}", bytes, wanted.bytes));
  if (wanted.sha256.empty()) return met(fmt::format("{} bytes", bytes));
  const auto hash = sha256_of_file(wanted.path);
  if (!hash) return unknown(hash.error().what);
  return *hash == wanted.sha256 ? met("SHA-256 as stated")
                                : wrong(fmt::format("has SHA-256 {}, stated is {}", *hash, wanted.sha256));
}

/// An image is a local file, else it is a reference that only a registry can answer for.
Answer image(const Requirement& wanted) {
  if (wanted.path.find('/') != 0) return unknown("no local file: a registry has it or not");
  Answer there = file({wanted.kind, "", wanted.path, "", 0, "", ""});
  constexpr std::string_view prefix = "sha256:";
  if (there.met != Met::yes || !wanted.image.starts_with(prefix)) return there;
  const auto hash = sha256_of_file(wanted.path);
  if (!hash) return unknown(hash.error().what);
  return *hash == wanted.image.substr(prefix.size())
             ? met("digest as stated")
             : wrong(fmt::format("is sha256:{}, stated is {}", *hash, wanted.image));
}

Answer program(const Requirement& wanted) {
  const auto path = program_in_path(wanted.path);
  return path.empty() ? missing("is not there, or can't be executed") : met(path.string());
}

/// Whether sudo's list of what the user may do has a rule for dropping caches that asks for no password.
bool is_listed_without_password(std::string_view list) {
  for (const std::string_view line : split(list, '\n')) {
    const std::size_t mark = line.find("NOPASSWD:");
    if (mark == std::string_view::npos) continue;
    const std::string_view commands = line.substr(mark);
    if (commands.find("drop_caches") != std::string_view::npos || commands.ends_with(" ALL")) return true;
  }
  return false;
}

/// Whether the command that drops them may be run: the requirement's own ("sudo -n /sbin/sysctl ..."), else
/// IO500's, which uses sudo though root needs none. A rule for just that command is enough; the command is
/// not run here.
///
/// Source: IO500, `drop-caches-cmd`; sudo(8), `-l command`; sudoers(5), `listpw`: it reports that a command
/// may be run, not whether a password is asked.
Answer drop_caches(const Requirement& wanted) {
  std::vector<std::string> command = {"sudo", "-n", "-l"};
  const auto stated = words(wanted.path);
  if (stated.empty()) {
    command.insert(command.end(), {"bash", "-c", "echo 3 > /proc/sys/vm/drop_caches"});
  } else if (stated.front() != "sudo") {
    const std::string program(stated.front());
    return program_in_path(program).empty() ? missing(fmt::format("'{}' is not there", program))
                                            : unknown("it is not run here");
  } else {
    const auto begin =
        std::ranges::find_if(stated, [](std::string_view word) { return word != "sudo" && word != "-n"; });
    command.insert(command.end(), begin, stated.end());
  }
  if (program_in_path("sudo").empty())
    return missing(stated.empty() ? "sudo is not there, by which IO500 drops them" : "sudo is not there");
  const auto rule = command_output(command, 10);
  if (!rule) return unknown(rule.error().what);
  if (rule->exit_code != 0) return missing("sudo does not allow it without a password");
  const auto list = command_output({"sudo", "-n", "-l"}, 10);
  return list && is_listed_without_password(list->text) ? met("sudo allows it")
                                                        : unknown("sudo allows it, perhaps for a password");
}

Answer memlock(const Requirement& wanted) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return unknown("the limit can't be read");
  if (limit.rlim_cur == RLIM_INFINITY) return met("unlimited");
  const std::string now = bytes_text(static_cast<double>(limit.rlim_cur));
  // RDMA pins what it transfers: without a number stated only no limit will do.
  const bool enough = wanted.bytes > 0 && limit.rlim_cur >= static_cast<rlim_t>(wanted.bytes);
  return enough ? met(now) : missing("is limited to " + now);
}

Answer peer_memory(const fs::path& root) {
  std::error_code code;
  for (const char* module : {"nvidia_peermem", "nv_peer_mem"})
    if (fs::exists(root / "sys/module" / module, code)) return met(fmt::format("module {}", module));
  if (!fs::exists(root / "sys/module/nvidia", code)) return unknown("no NVIDIA driver is loaded here");
  if (!fs::exists(root / "sys/class/infiniband", code)) return unknown("there is no RDMA device here");
  // The open kernel modules share a GPU's memory by DMA-BUF, which needs no module of its own.
  const auto driver = file_content(root / "proc/driver/nvidia/version");
  if (driver && driver->find("Open Kernel Module") != std::string::npos)
    return unknown("no nvidia_peermem, but the open driver may do with DMA-BUF");
  return missing("neither nvidia_peermem nor nv_peer_mem is loaded");
}

Answer space(const Requirement& wanted) {
  struct statvfs info = {};
  if (::statvfs(wanted.path.c_str(), &info) != 0) return missing("is not there");
  const double free = static_cast<double>(info.f_bavail) * static_cast<double>(info.f_frsize);
  const std::string found = fmt::format("{} free", bytes_text(free));
  return free >= static_cast<double>(wanted.bytes)
             ? met(found)
             : missing(fmt::format("{}, {} wanted", found, bytes_text(static_cast<double>(wanted.bytes))));
}

/// The major number of the first "4.2.7" or "v4" after `mark`; nothing where there is none.
std::optional<int> major_after(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t digit = text.find_first_of("0123456789", at + mark.size());
  if (digit == std::string_view::npos) return std::nullopt;
  return text[digit] - '0';
}

/// The server is Slurm's plugin, the client is in the image. Versions 3 and later talk to each other; 2 and
/// earlier only to their own.
///
/// Source: OpenPMIx, "How does PMIx work with containers?", cross-version compatibility table.
Answer pmix(const Requirement& wanted) {
  const auto plugins = command_output({"srun", "--mpi=list"}, 20);
  if (!plugins || plugins->exit_code != 0) return unknown("`srun --mpi=list` does not answer here");
  const auto versions = words(plugins->text);
  bool listed = false;
  for (const std::string_view word : versions) listed = listed || split(word, ',').front() == wanted.what;
  if (!listed) return missing(fmt::format("`srun --mpi=list` does not name {}", wanted.what));
  const std::string opener = wanted.path.empty() ? program_in_path("apptainer").string() : wanted.path;
  if (opener.empty() || !wanted.image.starts_with('/'))
    return unknown(fmt::format("Slurm has {}; the image can't be asked from here", wanted.what));
  const auto inside = command_output({opener, "exec", wanted.image, "pmix_info", "--version"}, 60);
  const auto client = inside ? major_after(inside->text, "PMIx") : std::nullopt;
  const auto server = major_after(wanted.what, "_v");
  if (!client || !server) return unknown("the versions of host and image are not both known");
  const bool fits = *client == *server || (*client >= 3 && *server >= 3);
  const std::string found = fmt::format("host {}, image {}", *server, *client);
  return fits ? met(found) : missing(found);
}

/// Source: Pyxis, pyxis_srun.c: the plugin adds its options to those that srun lists.
Answer pyxis() {
  const auto help = command_output({"srun", "--help"}, 20);
  if (!help || help->exit_code != 0) return unknown("`srun --help` does not answer here");
  return contains(help->text, "--container-image") ? met("srun has --container-image")
                                                   : missing("`srun --help` does not list --container-image");
}

Answer answer(const Requirement& wanted, const fs::path& root) {
  if (const auto names = placeholders(wanted.path); !names.empty())
    return missing(fmt::format("the configuration does not state {}", names.front()));
  switch (wanted.kind) {
    case RequirementKind::image:
      return image(wanted);
    case RequirementKind::pyxis:
      return pyxis();
    case RequirementKind::program:
      return program(wanted);
    case RequirementKind::drop_caches:
      return drop_caches(wanted);
    case RequirementKind::memlock:
      return memlock(wanted);
    case RequirementKind::peer_memory:
      return peer_memory(root);
    case RequirementKind::space:
      return space(wanted);
    case RequirementKind::pmix:
      return pmix(wanted);
    case RequirementKind::licence:
    case RequirementKind::dataset:
    case RequirementKind::checkpoint:
    case RequirementKind::tokenizer:
      break;
  }
  return file(wanted);
}

}  // namespace

std::string_view to_string(Met state) {
  return state == Met::yes ? "met" : state == Met::no ? "missing" : state == Met::wrong ? "wrong" : "unknown";
}

CheckedRequirement checked(const Requirement& requirement, const fs::path& root) {
  Requirement here = requirement;
  const Parameter run = {"run", std::string(".")};
  here.path = filled(here.path, std::span(&run, 1));
  Answer found = answer(here, root);
  return {requirement, found.met, std::move(found.found)};
}

std::string remedy_of(const CheckedRequirement& each) {
  const Requirement& requirement = each.requirement;
  if (!requirement.remedy.empty()) return requirement.remedy;
  return std::string(each.met == Met::wrong ? remedy_of_wrong(requirement.kind)
                                            : usual_remedy(requirement.kind));
}

namespace {

using nlohmann::ordered_json;

Met met_from(std::string_view text) {
  for (const Met met : {Met::yes, Met::no, Met::wrong})
    if (text == to_string(met)) return met;
  return Met::unknown;
}

}  // namespace

std::string requirements_json(const std::vector<CheckedRequirement>& list, std::string_view node) {
  ordered_json document = {{"schema", "shakedown.requirements/1"}};
  if (!node.empty()) document["node"] = node;
  document["requirements"] = ordered_json::array();
  for (const CheckedRequirement& each : list) {
    const Requirement& wanted = each.requirement;
    ordered_json object = {{"kind", to_string(wanted.kind)}};
    for (const auto& [key, text] : {std::pair("what", &wanted.what), std::pair("path", &wanted.path),
                                    std::pair("sha256", &wanted.sha256), std::pair("image", &wanted.image),
                                    std::pair("remedy", &wanted.remedy)})
      if (!text->empty()) object[key] = *text;
    if (wanted.bytes > 0) object["bytes"] = wanted.bytes;
    object["state"] = to_string(each.met);
    if (!each.found.empty()) object["found"] = each.found;
    document["requirements"].push_back(std::move(object));
  }
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Result<std::vector<CheckedRequirement>> requirements_from_json(std::string_view text, std::string_view name) {
  try {
    const auto document = json_or_thrown<ordered_json>(text);
    const ordered_json& stated = document.at("requirements");
    std::vector<CheckedRequirement> list;
    list.reserve(stated.size());
    for (const ordered_json& each : stated) {
      CheckedRequirement read;
      const auto kind = each.at("kind").get<std::string>();
      const auto known = requirement_kind(kind);
      if (!known) return fail(std::string(name), fmt::format("'{}' is no kind of requirement", kind));
      read.requirement = {*known,
                          each.value("what", ""),
                          each.value("path", ""),
                          each.value("sha256", ""),
                          each.value("bytes", std::int64_t{0}),
                          each.value("image", ""),
                          each.value("remedy", "")};
      read.met = met_from(each.at("state").get<std::string>());
      read.found = each.value("found", "");
      list.push_back(std::move(read));
    }
    return list;
  } catch (const ordered_json::exception& error) {
    return fail(std::string(name), fmt::format("is no list of requirements: {}", error.what()));
  }
}

}  // namespace shakedown
