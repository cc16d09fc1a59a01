#include "parsers/rules/rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "parsers/rules/conditions.hpp"

namespace shakedown {

Validity validity(std::span<const RuleResult> rules, std::string_view own_check) {
  bool own_passed = false;
  for (const RuleResult& rule : rules) {
    if (rule.severity == Severity::validity && rule.status == RuleStatus::fail) return Validity::invalid;
    if (rule.id == own_check && rule.status == RuleStatus::pass) own_passed = true;
  }
  return own_passed ? Validity::valid : Validity::unknown;
}

const RuleBook* rule_book(std::string_view suite) {
  const auto books = rule_books();
  const auto found = std::ranges::find(books, suite, &RuleBook::suite);
  return found == books.end() ? nullptr : *found;
}

const RunLengthRule* run_length_rule(std::string_view suite, std::string_view id) {
  for (const RuleBook* book : rule_books()) {
    if (book->suite != suite) continue;
    for (const RunLengthRule& rule : book->run_length)
      if (rule.id == id) return &rule;
  }
  return nullptr;
}

namespace {

bool contains(std::span<const std::string_view> ids, std::string_view id) {
  return std::ranges::find(ids, id) != ids.end();
}

/// Which screens count is known when the campaign is judged: what is recorded of a run follows from its own
/// files.
void leave_to_judging(std::vector<RuleResult>& rules, const RuleBook& book) {
  for (RuleResult& rule : rules) {
    if (!contains(book.by_screens, rule.id)) continue;
    rule.status = RuleStatus::unknown;
    rule.value.clear();
    rule.line = 0;
    rule.text = "judged with the campaign, by its reference runs that count";
  }
}

}  // namespace

bool leaves_open(std::string_view suite, const RuleResult& rule) {
  if (rule.id.starts_with("COND-")) return is_undecided(rule);
  if (rule.status != RuleStatus::unknown) return false;
  return std::ranges::any_of(rule_books(), [&](const RuleBook* book) {
    return book->suite == suite &&
           (contains(book->decisive, rule.id) || contains(book->decisive_in_campaigns, rule.id));
  });
}

bool must_be_noted(std::string_view suite, const RuleResult& rule) {
  if (rule.status != RuleStatus::unknown && rule.status != RuleStatus::fail) return false;
  if (rule.id == "IMPL-04") return true;  // which file holds the result is not clear
  return std::ranges::any_of(rule_books(), [&](const RuleBook* book) {
    return book->suite == suite && contains(book->noted, rule.id);
  });
}

bool is_of_list(std::string_view suite, const RuleResult& rule) {
  if (rule.severity != Severity::validity) return rule.severity == Severity::eligibility;
  const RuleBook* book = rule_book(suite);
  return book != nullptr && contains(book->of_list, rule.id);
}

Judged judged(const Evidence& evidence, std::vector<RuleResult> room) {
  for (const RuleBook* book : rule_books()) {
    if (book->suite != evidence.result->suite) continue;
    Judged outcome;
    outcome.rules = book->judge(evidence, std::move(room));
    if (evidence.nodes != nullptr) {
      leave_to_judging(outcome.rules, *book);
      for (RuleResult& rule : condition_rules(evidence)) outcome.rules.push_back(std::move(rule));
    }
    outcome.validity = validity(outcome.rules, book->own_check);
    // That nobody saw what was agreed is no evidence that it held.
    const bool open = std::ranges::any_of(outcome.rules, [&](const RuleResult& rule) {
      const bool of_log = !evidence.bare || !contains(book->decisive_in_campaigns, rule.id);
      return of_log && leaves_open(book->suite, rule);
    });
    if (open && outcome.validity == Validity::valid) outcome.validity = Validity::unknown;
    // A value without its check proves nothing.
    if (!evidence.result->complete && outcome.validity == Validity::valid)
      outcome.validity = Validity::unknown;
    return outcome;
  }
  return {};
}

std::string rule_name(std::string_view id, std::string_view title) {
  return title.empty() ? std::string(id) : fmt::format("{} ({})", id, title);
}

std::string_view to_string(RuleStatus status) {
  static constexpr std::array<std::string_view, 4> words = {"pass", "fail", "unknown", "n/a"};
  return words.at(static_cast<std::size_t>(status));
}

std::string_view to_string(Validity validity) {
  return validity == Validity::valid ? "valid" : validity == Validity::invalid ? "invalid" : "unknown";
}

LogSet::LogSet(Sink sink, std::span<const RuleBook* const> books) : sink_(std::move(sink)), books_(books) {}

void LogSet::add(const Parser& grammar, FileResult&& found) {
  if (grammar.joined != nullptr) {
    std::string folder = std::filesystem::path(found.file).parent_path().string();
    Waiting& waiting = waiting_[{std::move(folder), grammar.id}];
    waiting.grammar = &grammar;
    waiting.results.push_back(std::move(found));
    return;
  }
  std::string file = found.file;
  give({&grammar, file, {file}, std::move(found.result)});
}

void LogSet::end_folders() {
  for (auto& [place, waiting] : waiting_) {
    for (FileResult& each : waiting.grammar->joined(std::move(waiting.results))) {
      std::vector<std::string> files = {each.file};
      files.insert(files.end(), each.others.begin(), each.others.end());
      give({waiting.grammar, std::move(each.file), std::move(files), std::move(each.result)});
    }
  }
  waiting_.clear();
}

void LogSet::give(FoundResult&& found) {
  if (found.result.part) {
    alone_.push_back(part_alone(found.file, found.result));
    return;
  }
  for (const RuleBook* book : books_)
    if (book->suite == found.result.suite && book->score != nullptr)
      scored_[book].push_back({found.file, found.result});
  sink_(std::move(found));
}

std::vector<SetScore> LogSet::scores() const {
  std::vector<SetScore> scores;
  for (const RuleBook* book : books_) {
    const auto results = scored_.find(book);
    if (results == scored_.end()) continue;
    for (SetScore& score : book->score(results->second)) scores.push_back(std::move(score));
  }
  return scores;
}

}  // namespace shakedown
