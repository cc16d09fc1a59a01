#include "orchestrator/campaign/folder_files.hpp"

#include <algorithm>
#include <map>

#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/campaign/file_comparison.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/launch/loaded_files.hpp"
#include "orchestrator/plan/run_file.hpp"

namespace shakedown {
namespace {

/// What a node stated in an attempt.
struct StatedHashes {
  std::string attempt;  ///< "hpl/attempt-1"
  LoadedRecord loaded;
};

bool is_of_node(const std::string& name) {
  return name.starts_with("node-") && name.ends_with(".json");
}

/// What attempts' nodes stated, by the file that they knew hashes from.
using StatedByFile = std::map<std::string, std::vector<StatedHashes>>;

/// Adds what an attempt's nodes stated. Returns whether its version stated nothing.
bool read_stated(const fs::path& folder, const std::string& attempt, StatedByFile& stated) {
  bool older = false;
  std::vector<fs::path> files;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code))
    if (is_of_node(entry.path().filename().string())) files.push_back(entry.path());
  if (files.size() == 1) files.clear();  // of one node, environment.json has it
  files.push_back(folder / environment_file);
  for (const fs::path& file : files) {
    const auto text = file_content(file);
    if (!text) continue;
    LoadedRecord loaded = loaded_from_json(*text);
    const std::string known = loaded.known.file;
    if (known.empty() && file.filename() == environment_file) older = true;
    if (!known.empty()) stated[known].push_back({attempt, std::move(loaded)});
  }
  return older;
}

/// A file that a node found with several hashes: each but one must be named as the one after another.
std::string unnoticed_change(const std::string& path, const std::vector<StatedHashes>& stated) {
  std::map<std::string, std::string> first_seen;  // by hash, those that no attempt noticed as a change
  std::set<std::string> noticed;
  for (const StatedHashes& each : stated)
    for (const LoadedFile& file : each.loaded.files) {
      if (file.path != path) continue;
      if (file.written) return "";
      if (file.before.empty())
        first_seen.emplace(file.sha256, each.attempt);
      else
        noticed.insert(file.sha256);
    }
  std::erase_if(first_seen, [&](const auto& seen) { return noticed.contains(seen.first); });
  if (first_seen.size() < 2) return "";
  const auto& [one, in_one] = *first_seen.begin();
  const auto& [other, in_other] = *std::next(first_seen.begin());
  return fmt::format(
      "{} has SHA-256 {} in {} and {} in {}, and neither attempt noticed a change: {} was removed "
      "or put back",
      path, one.substr(0, 16), in_one, other.substr(0, 16), in_other, stated.front().loaded.known.file);
}

}  // namespace

std::vector<CollectedFile> job_files(const fs::path& campaign_folder) {
  std::vector<CollectedFile> found;
  std::error_code code;
  auto it = fs::recursive_directory_iterator(campaign_folder / "jobs", code);
  for (; !code && it != fs::recursive_directory_iterator(); it.increment(code)) {
    const auto stamp = it->is_symlink() ? std::nullopt : stamp_of(fs::absolute(it->path()).string());
    if (!stamp) continue;
    if (const auto hash = sha256_of_file(it->path()))
      found.push_back(
          {it->path().lexically_relative(campaign_folder).string(), *hash, stamp->bytes, stamp->changed_ns});
  }
  std::ranges::sort(found, {}, &CollectedFile::name);
  return found;
}

std::vector<std::string> job_file_faults(const JournalContent& journal, const fs::path& campaign_folder) {
  std::vector<std::string> faults;
  FileReader reading(Hashing::all);
  const fs::path folder = settled_folder(campaign_folder);
  for (const CollectedFile& file : journal.job_files) {
    const bool below = stays_below(file.name);
    const FileState state =
        below ? reading.state(folder / file.name, file, /*grows=*/file.name.ends_with(".log"))
              : FileState::other;
    if (state == FileState::other)
      faults.push_back(fmt::format("{} is not the file that the campaign ended with", file.name));
    else if (state == FileState::not_here)
      faults.push_back(fmt::format("{}, which the campaign ended with, is gone", file.name));
  }
  return faults;
}

KnownHashesCheck check_known_hashes(const fs::path& campaign_folder) {
  StatedByFile stated;
  bool older = false;  // an attempt left what it does not state
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(campaign_folder, code))
    for (const int index : attempts_in(entry.path()))
      older |= read_stated(entry.path() / fmt::format("attempt-{}", index),
                           fmt::format("{}/attempt-{}", entry.path().filename().string(), index), stated);
  KnownHashesCheck check;
  for (auto& [name, of_node] : stated) {
    std::ranges::sort(of_node, {}, &StatedHashes::attempt);
    std::set<std::string> left;
    std::set<std::string> paths;
    for (const StatedHashes& each : of_node) {
      left.insert(each.loaded.known.left);
      for (const LoadedFile& file : each.loaded.files) paths.insert(file.path);
    }
    for (const StatedHashes& each : of_node)
      if (!older &&
          std::ranges::any_of(each.loaded.known.read, [&](const auto& read) { return !left.contains(read); }))
        check.faults.push_back(
            fmt::format("{} was edited before {} read it: no attempt left it so", name, each.attempt));
    for (const std::string& path : paths)
      if (std::string change = unnoticed_change(path, of_node); !change.empty())
        check.faults.push_back(std::move(change));
    check.left.merge(left);
  }
  return check;
}

}  // namespace shakedown
