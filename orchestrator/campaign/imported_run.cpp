#include "orchestrator/campaign/imported_run.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "orchestrator/campaign/run_files.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/folder.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/plan/run_file.hpp"
#include "parsers/rules/log_set.hpp"

namespace shakedown {
namespace {

constexpr std::string_view schema = "shakedown.imported/1";

/// The parameter as every result states it; nothing where one doesn't, or another says otherwise.
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

/// One process per cell of a grid P x Q, or as many as the log says.
int stated_ranks(const std::vector<ResultRecord>& results) {
  const std::int64_t cells = std::int64_t{stated_count(results, "P")} * stated_count(results, "Q");
  if (cells > 0 && cells <= std::numeric_limits<int>::max()) return static_cast<int>(cells);
  return stated_count(results, "procs");
}

}  // namespace

std::string ImportedRun::key() const {
  std::vector<std::string> hashes;
  hashes.reserve(files.size());
  for (const ImportedFile& file : files) hashes.push_back(file.sha256);
  std::sort(hashes.begin(), hashes.end());
  std::string key = planned.suite;
  for (const std::string& hash : hashes) key += " " + hash;
  return key;
}

std::string imported_json(const ImportedRun& run) {
  nlohmann::ordered_json document = {{"schema", schema}, {"number", run.number}};
  document["files"] = nlohmann::ordered_json::array();
  for (const ImportedFile& file : run.files)
    document["files"].push_back({{"name", file.name}, {"source", file.source}, {"sha256", file.sha256}});
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
                           file.at("sha256").get<std::string>()});
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

Result<std::vector<ResultRecord>> results_made_elsewhere(const ImportedRun& run, const fs::path& folder) {
  std::vector<ResultRecord> results;
  LogSet set(
      [&](FoundResult&& found) {
        Judged outcome =
            judged({.result = &found.result, .planned = nullptr, .inventory = nullptr, .screens = {}});
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

Result<CaseRecord> collected_import(const ImportedRun& run, const fs::path& campaign_folder) {
  const fs::path folder = campaign_folder / run.planned.id / "attempt-1";
  auto results = results_made_elsewhere(run, folder);
  if (!results) return failure_of(results);
  return imported_case(run, std::move(*results), run_files(folder));
}

}  // namespace shakedown
