#include "orchestrator/campaign/set_scores.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

namespace shakedown {
namespace {

namespace fs = std::filesystem;

/// The log of a result: where it came from, or its path below the campaign's folder.
std::string log_of(const Case& planned, const AttemptRecord& attempt, const ResultRecord& result) {
  if (!planned.origin.empty()) return planned.origin;
  return (fs::path(attempt.run_folder) / result.file).string();
}

}  // namespace

std::vector<SetScore> set_scores(const CampaignRecord& campaign, std::span<const RuleBook* const> books) {
  std::vector<SetScore> scores;
  for (const RuleBook* book : books) {
    if (book->score == nullptr) continue;
    std::multimap<std::string, ParsedResult>
        found;  // as a folder gives them, in whatever order they were stored
    for (const CaseRecord& record : campaign.cases)
      for (const AttemptRecord& attempt : record.attempts)
        for (const ResultRecord& result : attempt.results)
          if (result.parsed.suite == book->suite && !record.planned.confirms &&
              attempt.state != AttemptState::not_started)
            found.emplace(log_of(record.planned, attempt, result), result.parsed);
    if (found.empty()) continue;
    std::vector<FileResult> results;
    for (auto& [file, result] : found) results.push_back({file, std::move(result)});
    for (SetScore& score : book->score(results)) scores.push_back(std::move(score));
  }
  return scores;
}

Result<void> store_set_scores(Database& database, const std::string& campaign) {
  const auto books = rule_books();
  if (std::none_of(books.begin(), books.end(), [](const RuleBook* book) { return book->score != nullptr; }))
    return {};
  const auto record = database.campaign(campaign);
  if (!record) return pass_on(record);
  return database.put_set_scores(campaign, set_scores(*record));
}

}  // namespace shakedown
