#include "orchestrator/launch/loaded_files.hpp"

#include <elf.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/launch/process.hpp"

namespace shakedown {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_files = 64;
constexpr std::size_t longest_script = 1 << 20;
constexpr std::uint64_t longest_comment = 1 << 20;
constexpr std::int64_t largest_hashed = std::int64_t{2} << 30;

struct Stamp {
  std::int64_t bytes = 0;
  std::int64_t changed_ns = 0;
};

/// Nothing for what is no regular file of a disk.
std::optional<Stamp> stamp_now(const std::string& path) {
  for (const std::string_view none : {"/dev/", "/proc/", "/sys/"})
    if (path.starts_with(none)) return std::nullopt;
  struct stat now = {};
  if (::stat(path.c_str(), &now) != 0 || !S_ISREG(now.st_mode)) return std::nullopt;
  constexpr std::int64_t second = 1'000'000'000;
  return Stamp{now.st_size, now.st_ctim.tv_sec * second + now.st_ctim.tv_nsec};
}

/// The words of a script that may be paths: what a shell's or another language's punctuation separates.
std::vector<std::string_view> script_words(std::string_view text) {
  constexpr std::string_view separators = " \t\r\n'\"`=:,;()<>|&{}[]";
  std::vector<std::string_view> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    if (end > at && text[at] == '/') found.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return found;
}

std::string resolved(const std::string& path) {
  std::error_code code;
  const fs::path whole = fs::canonical(path, code);  // reads links
  return code ? path : whole.string();
}

/// What a script's text names, its interpreter first; nothing of another file.
std::vector<std::string> named_by_script(const std::string& path) {
  const std::string file = resolved(path);
  const auto head = file_head(file, 2);
  if (!head || (*head != "#!" && !path.ends_with(".sh"))) return {};
  const auto text = file_head(file, longest_script);
  if (!text || text->find('\0') != std::string::npos) return {};
  std::vector<std::string> found;
  const std::string_view first = std::string_view(*text).substr(0, text->find('\n'));
  if (const auto pieces = words(first); pieces.size() > 1 && pieces.front().ends_with("/env"))
    found.push_back(program_in_path(pieces[1]).string());  // "#!/usr/bin/env python3"
  std::string_view body = *text;
  if (body.starts_with("#!")) body.remove_prefix(2);
  for (const std::string_view word : script_words(body)) found.emplace_back(word);
  return found;
}

/// The structure of an executable at a place of its bytes; nothing where they end before.
template <class Structure>
std::optional<Structure> read_as(std::string_view bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(Structure)) return std::nullopt;
  Structure structure = {};
  std::memcpy(&structure, bytes.data() + at, sizeof structure);
  return structure;
}

/// The dynamic linker that an executable asks for; empty: none, or it is of another kind of machine. The
/// kernel starts the same one. `ldd` tries all it knows, each as a process of its own.
std::string linker_of(const std::string& program) {
  constexpr std::size_t most_bytes = 64 << 10;  // program headers and their texts are at a file's beginning
  const auto head = file_head(resolved(program), most_bytes);
  const auto file = head ? read_as<Elf64_Ehdr>(*head, 0) : std::nullopt;
  if (!file || std::memcmp(file->e_ident, ELFMAG, SELFMAG) != 0 || file->e_ident[EI_CLASS] != ELFCLASS64)
    return "";
  for (std::size_t i = 0; i < file->e_phnum; ++i) {
    const auto part = read_as<Elf64_Phdr>(*head, file->e_phoff + i * sizeof(Elf64_Phdr));
    if (file->e_phentsize != sizeof(Elf64_Phdr) || !part) return "";
    if (part->p_type != PT_INTERP) continue;
    if (part->p_offset > head->size() || head->size() - part->p_offset < part->p_filesz) return "";
    const std::string text = head->substr(part->p_offset, part->p_filesz);
    return text.substr(0, text.find('\0'));
  }
  return "";
}

}  // namespace

std::vector<std::string> loaded_paths(std::span<const std::string> named, std::string_view program) {
  std::vector<std::string> found;
  std::deque<std::string> open(named.begin(), named.end());
  std::vector<std::string> seen;
  while (!open.empty() && seen.size() < most_files) {
    const std::string path = std::move(open.front());
    open.pop_front();
    if (path.empty() || std::ranges::find(seen, path) != seen.end() || !stamp_now(path)) continue;
    seen.push_back(path);
    if (resolved(path) != program && path != program) found.push_back(path);
    for (std::string& each : named_by_script(path)) open.push_back(std::move(each));
  }
  return found;
}

std::vector<std::string> linked_libraries(const std::string& program) {
  std::vector<std::string> paths;
  const std::string linker = linker_of(program);
  if (!linker.starts_with('/')) return paths;
  const auto output = command_output({linker, "--list", fs::absolute(program).string()}, 2);
  if (!output || output->exit_code != 0) return paths;
  for (const std::string_view line : split(output->text, '\n')) {
    const auto pieces = words(line);
    const bool found = pieces.size() >= 3 && pieces[1] == "=>" && pieces[2].starts_with('/');
    if (found || (!pieces.empty() && pieces[0].starts_with('/')))  // the dynamic linker itself
      paths.emplace_back(found ? pieces[2] : pieces[0]);
  }
  return paths;
}

std::vector<std::string> compilers_of(const std::string& program) {
  std::ifstream file(resolved(program), std::ios::binary);
  const auto text_at = [&](std::uint64_t offset, std::uint64_t bytes) {
    std::string text(std::min<std::uint64_t>(bytes, longest_comment), '\0');
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
  };
  const auto header = read_as<Elf64_Ehdr>(text_at(0, sizeof(Elf64_Ehdr)), 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shentsize != sizeof(Elf64_Shdr))
    return {};
  const std::string table = text_at(header->e_shoff, std::uint64_t{header->e_shnum} * sizeof(Elf64_Shdr));
  const auto names_part = read_as<Elf64_Shdr>(table, std::size_t{header->e_shstrndx} * sizeof(Elf64_Shdr));
  if (!names_part) return {};
  const std::string names = text_at(names_part->sh_offset, names_part->sh_size);
  std::vector<std::string> compilers;
  for (std::size_t i = 0; i < header->e_shnum; ++i) {
    const auto part = read_as<Elf64_Shdr>(table, i * sizeof(Elf64_Shdr));
    if (!part || part->sh_name >= names.size() || std::string_view(&names[part->sh_name]) != ".comment")
      continue;
    const std::string comment = text_at(part->sh_offset, part->sh_size);
    for (const std::string_view each : split(comment, '\0'))
      if (!each.empty() && !each.starts_with("Linker:") &&
          std::ranges::find(compilers, each) == compilers.end())
        compilers.emplace_back(each);
  }
  return compilers;
}

std::vector<LoadedFile> needed_libraries(std::span<const std::string> named,
                                         std::span<const LoadedFile> known) {
  if (named.empty()) return {};
  std::string program = named.front();
  if (const auto of_script = named_by_script(program); !of_script.empty()) program = of_script.front();
  std::vector<LoadedFile> libraries;
  for (const LoadedFile& file : known)
    if (file.needed_by == program) libraries.push_back(file);
  if (!libraries.empty()) return libraries;
  for (std::string& path : linked_libraries(program)) {
    LoadedFile library;
    library.path = std::move(path);
    library.needed_by = program;
    libraries.push_back(std::move(library));
  }
  return libraries;
}

std::vector<LoadedFile> loaded_files(std::span<const std::string> paths,
                                     std::span<const LoadedFile> libraries,
                                     std::span<const LoadedFile> known) {
  std::vector<LoadedFile> wanted(libraries.begin(), libraries.end());
  for (const std::string& path : paths)
    if (std::ranges::find(wanted, path, &LoadedFile::path) == wanted.end()) wanted.emplace_back().path = path;
  std::vector<LoadedFile> files;
  for (const LoadedFile& each : wanted) {
    const auto stamp = stamp_now(each.path);
    if (!stamp || stamp->bytes > largest_hashed) continue;
    const auto before = std::ranges::find(known, each.path, &LoadedFile::path);
    const bool is_known = before != known.end();
    LoadedFile file{
        each.path, "", stamp->bytes, stamp->changed_ns, "", each.needed_by, is_known && before->written};
    if (is_known && before->bytes == file.bytes && before->changed_ns == file.changed_ns) {
      file.sha256 = before->sha256;
    } else {
      const auto hash = sha256_of_file(each.path);
      if (!hash) continue;
      file.sha256 = *hash;
      if (is_known && before->sha256 != file.sha256) file.before = before->sha256;
    }
    files.push_back(std::move(file));
  }
  return files;
}

std::vector<LoadedFile> renewed(std::vector<LoadedFile> known, std::span<const LoadedFile> now) {
  for (const LoadedFile& file : now)
    if (const auto before = std::ranges::find(known, file.path, &LoadedFile::path); before != known.end())
      *before = file;
    else
      known.push_back(file);
  return known;
}

std::vector<LoadedFile> after_run(std::vector<LoadedFile>& loaded) {
  std::vector<LoadedFile> now;
  for (LoadedFile& file : loaded) {
    LoadedFile later = file;
    later.before.clear();
    if (const auto stamp = stamp_now(file.path);
        stamp && (stamp->bytes != file.bytes || stamp->changed_ns != file.changed_ns))
      if (const auto hash = sha256_of_file(file.path)) {
        file.written = file.written || *hash != file.sha256;
        later = {file.path, *hash,          stamp->bytes, stamp->changed_ns,
                 "",        file.needed_by, file.written, file.is_program};
      }
    now.push_back(std::move(later));
  }
  return now;
}

LoadedRecord loaded_in(const Json& document) try {
  LoadedRecord loaded;
  if (!document.is_object()) return loaded;
  if (const auto files = document.find("files"); files != document.end())
    for (const auto& file : *files)
      loaded.files.push_back({file.at("path"), file.at("sha256"), file.value("bytes", std::int64_t{0}),
                              file.value("changed_ns", std::int64_t{0}), file.value("before", ""),
                              file.value("needed_by", ""), file.value("written", false),
                              file.value("program", false)});
  if (const auto known = document.find("known"); known != document.end())
    loaded.known = {known->at("file"), known->at("read").get<std::vector<std::string>>(),
                    known->value("left", "")};
  return loaded;
} catch (const nlohmann::json::exception&) {
  return {};
}

LoadedRecord loaded_from_json(std::string_view text) {
  return loaded_in(json_or_discarded<Json>(text));
}

void put_loaded(Json& document, const LoadedRecord& loaded) {
  if (!document.is_object() || (loaded.files.empty() && loaded.known.file.empty())) return;
  document.erase("files");
  document.erase("known");
  for (const LoadedFile& file : loaded.files) {
    Json object = {{"path", file.path}, {"sha256", file.sha256}};
    if (file.changed_ns != 0) object["bytes"] = file.bytes;
    if (file.changed_ns != 0) object["changed_ns"] = file.changed_ns;
    if (!file.before.empty()) object["before"] = file.before;
    if (!file.needed_by.empty()) object["needed_by"] = file.needed_by;
    if (file.written) object["written"] = true;
    if (file.is_program) object["program"] = true;
    document["files"].push_back(std::move(object));
  }
  const KnownHashes& known = loaded.known;
  if (known.file.empty()) return;
  document["known"] = {{"file", known.file}, {"read", known.read}};
  if (!known.left.empty()) document["known"]["left"] = known.left;
}

std::string with_loaded(std::string_view text, const LoadedRecord& loaded) {
  auto document = json_or_discarded<Json>(text);
  if (!document.is_object() || loaded == LoadedRecord()) return std::string(text);
  put_loaded(document, loaded);
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace shakedown
