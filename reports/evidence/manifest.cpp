#include "reports/evidence/manifest.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/text.hpp"
#include "reports/evidence/archive_path.hpp"

namespace shakedown {
namespace {

using ManifestDocument = nlohmann::ordered_json;

constexpr std::string_view manifest_schema = "shakedown.bundle/1";

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Not a folder and a file in one: "a" and "a/b".
Result<void> check_paths(const Manifest& manifest, const std::string& name) {
  std::vector<std::string_view> paths(manifest.folders.begin(), manifest.folders.end());
  for (const ManifestFile& file : manifest.files) paths.push_back(file.path);
  for (const std::string_view path : paths)
    if (path == manifest_file || path == signatures_file)
      return fail(name, fmt::format("lists '{}', which no manifest does", path));
    else if (const std::string wrong = wrong_archive_path(path); !wrong.empty())
      return fail(name, fmt::format("names '{}', which {}", printable_line(path.substr(0, 200)), wrong));
  // A slash sorts before all else that a name holds, so that what is below a path follows it.
  const auto order = [](std::string_view a, std::string_view b) {
    return std::ranges::lexicographical_compare(
        a, b, {}, [](char c) { return c == '/' ? '\0' : c; }, [](char c) { return c == '/' ? '\0' : c; });
  };
  std::ranges::sort(paths, order);
  for (std::size_t i = 1; i < paths.size(); ++i) {
    const std::string_view before = paths[i - 1];
    if (paths[i] == before) return fail(name, fmt::format("names '{}' twice", before));
    if (paths[i].starts_with(before) && paths[i][before.size()] == '/')
      return fail(name, fmt::format("names '{}' as a file and as a folder", before));
  }
  return {};
}

Result<std::vector<ManifestFile>> files_from(const ManifestDocument& array, const std::string& name) {
  std::vector<ManifestFile> files;
  for (const auto& each : array) {
    if (!each.at("bytes").is_number_unsigned() || each.at("bytes").get<std::uint64_t>() > INT64_MAX)
      return fail(name, "states a size that is no number of bytes");
    files.push_back({each.at("path"), each.at("bytes"), each.at("sha256")});
    if (!is_sha256(files.back().sha256)) return fail(name, "states a hash that is no SHA-256");
  }
  return files;
}

}  // namespace

std::string manifest_root(const Manifest& manifest) {
  std::vector<std::string> lines = {fmt::format("campaign {}\n", manifest.campaign),
                                    fmt::format("first_root {}\n", manifest.first_root),
                                    fmt::format("last_root {}\n", manifest.last_root),
                                    fmt::format("tool_version {}\n", manifest.tool_version)};
  for (const ManifestFile& file : manifest.files)
    lines.push_back(fmt::format("file {} {} {}\n", file.path, file.bytes, file.sha256));
  for (const std::string& folder : manifest.folders) lines.push_back(fmt::format("folder {}\n", folder));
  for (const OmittedFile& each : manifest.left_out)
    lines.push_back(fmt::format("left_out {} {}\n", each.path, each.because));
  for (const ManifestFile& file : manifest.withheld)
    lines.push_back(fmt::format("withheld {} {} {}\n", file.path, file.bytes, file.sha256));
  if (!manifest.redacted_of.empty()) lines.push_back(fmt::format("redacted_of {}\n", manifest.redacted_of));
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) text += line;
  return sha256(text);
}

std::string manifest_json(const Manifest& manifest) {
  ManifestDocument document = {{"schema", manifest_schema},       {"tool_version", manifest.tool_version},
                               {"campaign", manifest.campaign},   {"first_root", manifest.first_root},
                               {"last_root", manifest.last_root}, {"root", manifest_root(manifest)}};
  const auto add = [&](const char* name, const std::vector<ManifestFile>& files) {
    document[name] = ManifestDocument::array();
    for (const ManifestFile& file : files)
      document[name].push_back({{"path", file.path}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  };
  add("files", manifest.files);
  document["folders"] = manifest.folders;
  document["left_out"] = ManifestDocument::array();
  for (const OmittedFile& each : manifest.left_out)
    document["left_out"].push_back({{"path", each.path}, {"because", each.because}});
  if (!manifest.redacted_of.empty()) add("withheld", manifest.withheld);
  if (!manifest.redacted_of.empty()) document["redacted_of"] = manifest.redacted_of;
  return document.dump(1, ' ', false, ManifestDocument::error_handler_t::replace) + "\n";
}

Result<Manifest> manifest_from_json(std::string_view text, const std::string& name) try {
  const auto document = json_or_thrown<ManifestDocument>(text);
  if (!document.is_object() || document.value("schema", "") != manifest_schema)
    return fail(name, fmt::format("is no manifest of a bundle: its schema is not {}", manifest_schema));
  Manifest manifest{.tool_version = document.at("tool_version"),
                    .campaign = document.at("campaign"),
                    .first_root = document.at("first_root"),
                    .last_root = document.at("last_root"),
                    .files = {},
                    .folders = document.at("folders").get<std::vector<std::string>>(),
                    .left_out = {},
                    .withheld = {},
                    .redacted_of = document.value("redacted_of", ""),
                    .root = document.at("root")};
  if (auto files = files_from(document.at("files"), name))
    manifest.files = *std::move(files);
  else
    return failure_of(files);
  if (auto files = files_from(document.value("withheld", ManifestDocument::array()), name))
    manifest.withheld = *std::move(files);
  else
    return failure_of(files);
  if (manifest.redacted_of.empty() && !manifest.withheld.empty())
    return fail(name, "withholds files, and names no bundle that holds them");
  for (const ManifestFile& each : manifest.withheld)
    if (const std::string wrong = wrong_archive_path(each.path); !wrong.empty())
      return fail(name,
                  fmt::format("withholds '{}', which {}", printable_line(each.path.substr(0, 200)), wrong));
  for (const auto& each : document.at("left_out"))
    manifest.left_out.push_back({each.at("path"), each.at("because")});
  for (const std::string_view line :
       {std::string_view(manifest.campaign), std::string_view(manifest.tool_version)})
    if (line.find('\n') != std::string_view::npos) return fail(name, "holds a line break in a name");
  for (const OmittedFile& each : manifest.left_out)
    if (each.path.find('\n') != std::string::npos || each.because.find('\n') != std::string::npos)
      return fail(name, "holds a line break in a name");
  for (const std::string* root : {&manifest.first_root, &manifest.last_root, &manifest.redacted_of})
    if (!root->empty() && !is_sha256(*root)) return fail(name, "states a root that is no SHA-256");
  if (auto paths = check_paths(manifest, name); !paths) return failure_of(paths);
  std::ranges::sort(manifest.files, {}, &ManifestFile::path);
  return manifest;
} catch (const ManifestDocument::exception& error) {
  return fail(name, fmt::format("is no manifest of a bundle: {}", error.what()));
}

const ManifestFile* file_of(const Manifest& manifest, std::string_view path) {
  const auto it = std::ranges::lower_bound(manifest.files, path, {}, &ManifestFile::path);
  return it == manifest.files.end() || it->path != path ? nullptr : &*it;
}

}  // namespace shakedown
