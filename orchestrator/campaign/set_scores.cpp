#include "orchestrator/campaign/set_scores.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

namespace shakedown {
namespace {

namespace fs = std::filesystem;

/// The log of a result: where it came from, or its path below the campaign's folder.
std::string log_of(const Case& planned, const AttemptRecord& attempt, const ResultRecord& result) {
  if (!planned.origin.empty()) return planned.origin;
  return (fs::path(attempt.run_folder) / result.file).string();
}

/// The first of the cases that repeat each other, whose runs make one set. Of runs made elsewhere nothing:
/// their files tell.
std::string set_of(const CampaignRecord& campaign, const Case& planned) {
  if (!planned.origin.empty()) return "";
  const auto key = [](const Case& each) {
    return std::tie(each.suite, each.implementation, each.benchmark, each.nodes, each.stage, each.bound);
  };
  const auto first = std::ranges::find_if(campaign.cases, [&](const CaseRecord& record) {
    const Case& other = record.planned;
    return other.origin.empty() && key(other) == key(planned) &&
           (!planned.bound || other.hosts == planned.hosts);
  });
  return first == campaign.cases.end() ? planned.id : first->planned.id;
}

}  // namespace

std::vector<SetScore> set_scores(const CampaignRecord& campaign, std::span<const RuleBook* const> books) {
  std::vector<SetScore> scores;
  for (const RuleBook* book : books) {
    if (book->score == nullptr) continue;
    std::multimap<std::string, FileResult>
        found;  // as a folder gives them, in whatever order they were stored
    for (const CaseRecord& record : campaign.cases)
      for (const AttemptRecord& attempt : record.attempts)
        for (const ResultRecord& result : attempt.results)
          if (result.parsed.suite == book->suite && !record.planned.confirms &&
              attempt.state != AttemptState::not_started) {
            const std::string log = log_of(record.planned, attempt, result);
            found.emplace(
                log,
                FileResult{.file = log, .result = result.parsed, .set = set_of(campaign, record.planned)});
          }
    if (found.empty()) continue;
    std::vector<FileResult> results;
    for (auto& [file, result] : found) results.push_back(std::move(result));
    for (SetScore& score : book->score(results)) scores.push_back(std::move(score));
  }
  return scores;
}

Result<void> store_set_scores(Database& database, const std::string& campaign) {
  const auto books = rule_books();
  if (std::none_of(books.begin(), books.end(), [](const RuleBook* book) { return book->score != nullptr; }))
    return {};
  const auto record = database.campaign(campaign);
  if (!record) return failure_of(record);
  return database.put_set_scores(campaign, set_scores(*record));
}

}  // namespace shakedown
