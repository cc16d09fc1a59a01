#include "orchestrator/campaign/imported_run.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "orchestrator/campaign/run_files.hpp"
#include "orchestrator/core/document_limits.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/filesystem.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/run_file.hpp"
#include "parsers/rules/rule.hpp"
#include "reports/measure/conditions.hpp"

namespace shakedown {
namespace {

constexpr std::string_view schema = "shakedown.imported/1";
constexpr std::string_view statement = "--state";  ///< the rule of what whoever imported a log states

/// The parameter as every result states it; nothing if one doesn't, or another states a different value.
const Value* agreed(const std::vector<ResultRecord>& results, std::string_view name) {
  const Value* stated = nullptr;
  for (const ResultRecord& result : results) {
    const Value* here = find_parameter(result.parsed.parameters, name);
    if (here == nullptr || (stated != nullptr && *stated != *here)) return nullptr;
    stated = here;
  }
  return stated;
}

/// A number of things as the results state it; 0: they don't.
int stated_count(const std::vector<ResultRecord>& results, std::string_view name) {
  const Value* value = agreed(results, name);
  const auto* whole = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
  return whole == nullptr || *whole < 1 || *whole > std::numeric_limits<int>::max()
             ? 0
             : static_cast<int>(*whole);
}

/// One process per cell of a grid P x Q, or as many as the log states.
int stated_ranks(const std::vector<ResultRecord>& results) {
  const std::int64_t cells = std::int64_t{stated_count(results, "P")} * stated_count(results, "Q");
  if (cells > 0 && cells <= std::numeric_limits<int>::max()) return static_cast<int>(cells);
  return stated_count(results, "procs");
}

/// The nodes of logs that name the host of each rank ("cn001:4,cn002:4"), if all ranks are among them; else
/// 0.
int named_nodes(const std::vector<ResultRecord>& results, int ranks) {
  int nodes = 0;
  for (const ResultRecord& result : results) {
    const Fact* hosts = result.parsed.fact("hosts");
    if (hosts == nullptr) return 0;
    std::int64_t named = 0;
    int count = 0;
    for (const std::string_view each : split(hosts->value, ',')) {
      named += parsed_integer(each.substr(std::min(each.rfind(':') + 1, each.size()))).value_or(0);
      ++count;
    }
    if (named != ranks || (nodes != 0 && nodes != count)) return 0;
    nodes = count;
  }
  return nodes;
}

}  // namespace

Result<std::string> text_hash_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail_environment(path.string(), fmt::format("cannot open: {}", std::strerror(errno)));
  constexpr std::size_t piece = 1 << 16;
  std::array<char, piece> buffer{};
  std::string text;
  std::string hash;  // of the pieces so far
  while (file.read(buffer.data(), buffer.size()), file.gcount() > 0) {
    const std::string_view read(buffer.data(), static_cast<std::size_t>(file.gcount()));
    for (const char c : read) {
      if (std::string_view(" \t\r\n\v\f").find(c) != std::string_view::npos) continue;
      text += c;
      if (text.size() < piece) continue;
      hash = sha256(hash.append(text));
      text.clear();
    }
  }
  if (file.bad())
    return fail_environment(path.string(), fmt::format("cannot read: {}", std::strerror(errno)));
  return sha256(hash + text);
}

std::string ImportedRun::key() const {
  std::vector<std::string> hashes;
  hashes.reserve(files.size());
  for (const ImportedFile& file : files)
    hashes.push_back(file.text_hash.empty() ? file.sha256 : file.text_hash);
  std::sort(hashes.begin(), hashes.end());
  std::string key = planned.suite;
  for (const std::string& hash : hashes) key += " " + hash;
  return key;
}

std::string imported_json(const ImportedRun& run) {
  nlohmann::ordered_json document = {{"schema", schema}, {"number", run.number}};
  document["files"] = nlohmann::ordered_json::array();
  for (const ImportedFile& file : run.files)
    document["files"].push_back({{"name", file.name},
                                 {"source", file.source},
                                 {"sha256", file.sha256},
                                 {"text_hash", file.text_hash}});
  document["case"] = json_or_discarded<nlohmann::ordered_json>(case_json(run.planned));
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<ImportedRun> imported_from_json(std::string_view text, const std::string& name) {
  if (auto within = json_within_limits(text, name); !within) return failure_of(within);
  const auto document = json_or_discarded<nlohmann::ordered_json>(text);
  if (!document.is_object()) return fail(name, "is not a JSON object");
  ImportedRun run;
  try {
    if (document.at("schema") != schema) return fail(name, fmt::format("is no {} document", schema));
    run.number = document.at("number").get<int>();
    for (const auto& file : document.at("files"))
      run.files.push_back({file.at("name").get<std::string>(), file.at("source").get<std::string>(),
                           file.at("sha256").get<std::string>(), file.value("text_hash", "")});
    for (const ImportedFile& file : run.files)
      if (const std::string why = wrong_run_file(file.name);
          !why.empty() || file.name.find('/') != std::string::npos)
        return fail(name,
                    why.empty() ? fmt::format("file '{}' lies in no attempt's folder", file.name) : why);
    auto planned = case_from_json(document.at("case").dump(), name);
    if (!planned) return failure_of(planned);
    run.planned = std::move(*planned);
  } catch (const nlohmann::json::exception& error) {
    return fail(name, error.what());
  }
  return run;
}

Result<std::vector<ImportedRun>> imported_runs(const fs::path& campaign_folder) {
  std::vector<ImportedRun> runs;
  std::error_code code;
  auto it = fs::directory_iterator(campaign_folder, code);
  for (; !code && it != fs::directory_iterator(); it.increment(code)) {
    const fs::path path = it->path() / imported_file;
    std::error_code absent;
    if (it->path().filename().string().starts_with('.') || !fs::exists(path, absent)) continue;
    if (leads_out(it->path(), campaign_folder) || leads_out(path, campaign_folder)) continue;
    const auto text = file_content(path);
    if (!text) return failure_of(text);
    auto run = imported_from_json(*text, path.string());
    if (!run) return failure_of(run);
    runs.push_back(std::move(*run));
  }
  if (code)
    return fail_environment(campaign_folder.string(), fmt::format("cannot be read: {}", code.message()));
  std::sort(runs.begin(), runs.end(), [](const ImportedRun& a, const ImportedRun& b) {
    return std::pair(a.number, a.planned.id) < std::pair(b.number, b.planned.id);
  });
  return runs;
}

Result<std::vector<ResultRecord>> results_made_elsewhere(const ImportedRun& run, const fs::path& folder,
                                                         std::span<const Parameter> stated,
                                                         const Inventory* inventory) {
  std::vector<ResultRecord> results;
  LogSet set(
      [&](FoundResult&& found) {
        Judged outcome = judged({.result = &found.result,
                                 .planned = nullptr,
                                 .inventory = inventory,
                                 .screens = {},
                                 .stated = stated});
        results.push_back(
            {std::move(found.result), std::move(outcome.rules), outcome.validity, std::move(found.file)});
      },
      {});
  for (const ImportedFile& file : run.files) {
    auto text = TextSource::file(folder / file.name);
    if (!text) return failure_of(text);
    const auto read =
        parse_log_by_grammar(*text, run.planned.suite, [&](const Parser& grammar, ParsedResult&& result) {
          set.add(grammar, {file.name, std::move(result)});
        });
    if (!read) return fail((folder / file.name).string(), read.error().what, read.error().hint);
  }
  set.end_folders();
  return results;
}

void describe(Case& planned, const std::vector<ResultRecord>& results) {
  if (results.empty()) return;
  planned.nodes = stated_count(results, "nodes");
  planned.ranks = stated_ranks(results);
  planned.ranks_per_node = 0;
  planned.threads_per_rank = stated_count(results, "threads");
  planned.parameters.clear();
  for (const Parameter& parameter : results.front().parsed.parameters)
    if (agreed(results, parameter.name) != nullptr) planned.parameters.push_back(parameter);
  if (const Value* benchmark = agreed(results, "benchmark")) planned.benchmark = value_text(*benchmark);
  if (planned.nodes == 0) planned.nodes = named_nodes(results, planned.ranks);
}

Result<void> add_statement(Case& planned, const RunStatement& stated, const Inventory* inventory) {
  constexpr const char* because = "stated by whoever imported the log";
  const auto contradicted = [&](std::string_view what, const std::string& log, const std::string& said) {
    return fail(planned.origin, fmt::format("states {} {}, and not {}", what, log, said),
                "leave out what this log states itself, or import it in a command of its own");
  };
  if (stated.nodes > 0) {
    if (planned.nodes > 0 && planned.nodes != stated.nodes)
      return contradicted("nodes", std::to_string(planned.nodes), std::to_string(stated.nodes));
    if (planned.nodes == 0) planned.why.push_back({"nodes", stated.nodes, because, "--nodes"});
    planned.nodes = stated.nodes;
  }
  if (inventory != nullptr && planned.nodes > inventory->nodes())
    return fail(planned.origin,
                fmt::format("is of {} nodes, and the inventory has {}", planned.nodes, inventory->nodes()),
                "give the inventory of the machine that ran it");
  for (const Parameter& each : stated.conditions) {
    if (const Value* known = find_parameter(planned.parameters, each.name)) {
      if (!same_condition(each.name, *known, each.value))
        return contradicted(each.name, value_text(*known), value_text(each.value));
      continue;
    }
    planned.parameters.push_back(each);
    planned.why.push_back({each.name, each.value, because, std::string(statement)});
  }
  return {};
}

const Inventory* stated_inventory(const CampaignRecord& campaign) {
  return campaign.inventory.groups.empty() ? nullptr : &campaign.inventory;
}

CaseRecord imported_case(const ImportedRun& run, std::vector<ResultRecord> results,
                         std::vector<FileRecord> files) {
  AttemptRecord attempt;
  attempt.index = 1;
  attempt.state = AttemptState::imported;
  attempt.run_folder = run.planned.id + "/attempt-1";
  attempt.results = std::move(results);
  const bool complete = std::any_of(attempt.results.begin(), attempt.results.end(),
                                    [](const ResultRecord& result) { return result.parsed.complete; });
  if (!complete && !attempt.results.empty()) attempt.failure = attempt.results.front().parsed.reason;
  attempt.files = std::move(files);
  return {run.planned, {std::move(attempt)}};
}

Result<CaseRecord> collected_import(const ImportedRun& run, const fs::path& campaign_folder,
                                    const CampaignRecord& campaign) {
  const fs::path folder = campaign_folder / run.planned.id / "attempt-1";
  std::vector<Parameter> stated;
  for (const Reason& each : run.planned.why)
    if (each.rule == statement) stated.push_back({each.what, each.value});
  auto results = results_made_elsewhere(run, folder, stated, stated_inventory(campaign));
  if (!results) return failure_of(results);
  return imported_case(run, std::move(*results), run_files(folder));
}

namespace {

namespace fs = std::filesystem;

/// Gathers the runs of one path. Of each result it stores only what names its case.
class Search {
 public:
  Search(FoundRuns& found, const std::function<bool()>& stop)
      : found_(found), stop_(stop), set_([this](FoundResult&& result) { take(result); }, {}) {}

  void folder(const fs::path& path) {
    const FolderFiles below = files_below(path);
    const size_t before = found_.runs.size();
    fs::path last;
    for (const std::string& file : below.files) {
      if (stops()) return;
      if (fs::path(file).parent_path() != last) set_.end_folders();
      last = fs::path(file).parent_path();
      if (const auto read = log(file); !read) {
        const bool may_be_log = read.error().fault == Fault::environment || is_unread_text(read.error());
        (printable_line(file) != file ? found_.refused
         : may_be_log                 ? found_.failures
                                      : found_.left_out)
            .push_back(read.error());
      }
    }
    set_.end_folders();
    move_to(found_.left_out, set_.left_alone());
    found_.failures.insert(found_.failures.end(), below.unreadable.begin(), below.unreadable.end());
    found_.refused.insert(found_.refused.end(), below.refused.begin(), below.refused.end());
    if (found_.runs.size() == before)
      found_.failures.push_back({path.string(),
                                 fmt::format("holds no benchmark log among its {} files", below.files.size()),
                                 "", Fault::input});
  }

  void file(const fs::path& path) {
    if (stops()) return;
    std::error_code code;
    if (const std::uintmax_t bytes = fs::file_size(path, code); !code && bytes > largest_imported_file) {
      found_.failures.push_back(
          {path.string(),
           fmt::format("has {}: files of at most {} are imported", bytes_text(static_cast<double>(bytes)),
                       bytes_text(static_cast<double>(largest_imported_file))),
           "cut the log to the run that counts", Fault::input});
      return;
    }
    if (const auto read = log(path.string()); !read) {
      found_.failures.push_back(read.error());
      if (Error& error = found_.failures.back(); error.hint.empty() && !fs::exists(path, code))
        error.hint = "name a log, a folder of logs, or the folder of a campaign";
    }
  }

  void end() {
    set_.end_folders();
    move_to(found_.failures, set_.left_alone());
  }

 private:
  static void move_to(std::vector<Error>& list, std::vector<Error>&& errors) {
    std::move(errors.begin(), errors.end(), std::back_inserter(list));
  }

  bool stops() {
    found_.stopped = found_.stopped || stop_();
    return found_.stopped;
  }

  Result<void> log(const std::string& file) {
    // JSON, journal and pages hold the name as a text.
    if (printable_line(file) != file)
      return fail(printable_line(file), "has a character in its name that can't be shown",
                  "import a copy under another name");
    auto source = TextSource::file(file);
    if (!source) return failure_of(source);
    auto read = parse_log_by_grammar(*source, "", [&](const Parser& grammar, ParsedResult&& result) {
      if (grammar.joined == nullptr) {  // its name will do: the rest is read again from the copy
        result.metrics.clear();
        result.facts.clear();
        result.phases.clear();
      }
      set_.add(grammar, {file, std::move(result)});
    });
    if (!read && read.error().where.empty()) return fail(file, read.error().what, read.error().hint);
    return read;
  }

  void take(const FoundResult& result) {
    const auto [place, is_new] = places_.try_emplace({result.file, result.result.suite}, found_.runs.size());
    if (is_new) {
      FoundRun run{.suite = result.result.suite,
                   .implementation = result.result.implementation,
                   .benchmark = "",
                   .grammar = std::string(result.grammar->id),
                   .file = result.file,
                   .files = {}};
      if (const Value* benchmark = find_parameter(result.result.parameters, "benchmark"))
        run.benchmark = value_text(*benchmark);
      found_.runs.push_back(std::move(run));
    }
    found_.runs[place->second].files.insert(result.files.begin(), result.files.end());
  }

  FoundRuns& found_;
  const std::function<bool()>& stop_;
  LogSet set_;
  std::map<std::pair<std::string, std::string>, size_t> places_;  ///< of a file's suite among the runs
};

}  // namespace

FoundRuns found_runs(const std::vector<fs::path>& paths, const std::function<bool()>& stop) {
  FoundRuns found;
  Search search(found, stop);
  std::error_code code;
  for (const fs::path& path : paths)
    if (!fs::is_directory(path, code)) search.file(path);
  search.end();
  for (const fs::path& path : paths)
    if (fs::is_directory(path, code)) search.folder(path);
  return found;
}

}  // namespace shakedown
