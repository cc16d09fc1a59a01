#include "orchestrator/campaign/journal_check.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "orchestrator/campaign/chained_lines.hpp"
#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/campaign/file_comparison.hpp"
#include "orchestrator/campaign/folder_files.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/launch/run_directory.hpp"

namespace shakedown {
namespace {

using Json = nlohmann::ordered_json;
using Key = std::pair<std::string, int>;

constexpr double clock_step_s = 60;         // hosts that NTP keeps differ by less
constexpr double clock_difference_s = 300;  // of a node and the orchestrator's host

/// What the journal has of an attempt.
struct Announced {
  int line = 0;
  double at_s = 0;
  std::string job;
  int collected_line = 0;  ///< of the last line on its end; 0: none
  double collected_s = 0;
  bool explained = false;  ///< the machine failed it
};

bool is_made_elsewhere(const fs::path& folder) {
  const auto text = file_content(folder / "campaign.json");
  const auto document = json_or_discarded<Json>(text ? *text : "");
  return document.is_object() && document.contains("kind") && document["kind"] == "external";
}

std::string checked_attempt_name(const Key& key) {
  return fmt::format("attempt {} of {}", key.second, key.first);
}

/// One pass over a journal.
class JournalPass {
 public:
  explicit JournalPass(fs::path folder)
      : folder_(std::move(folder)), elsewhere_(is_made_elsewhere(folder_)) {}

  Result<JournalCheck> run(JournalScope scope) {
    std::error_code code;
    if (!fs::exists(folder_ / "journal.jsonl", code)) {
      find(0, "journal.jsonl is gone: nothing binds the logs");
      return std::move(found_);
    }
    const auto text = file_content(folder_ / "journal.jsonl");
    if (!text) return failure_of(text);
    const auto links = chain_links(*text);
    for (const ChainFault& fault : chain_faults(links)) find(fault.line, fault.what);
    for (const ChainLink& link : links) read(link);
    found_.last_root = chain_end(*text, links).sha256;
    if (!elsewhere_) check_first_line();
    if (const auto journal = read_journal(folder_); journal) check_beside_attempts(*journal);
    check_attempts();
    if (scope == JournalScope::files) check_files();
    std::ranges::stable_sort(found_.findings, {}, &JournalFinding::line);
    return std::move(found_);
  }

 private:
  void find(int line, const std::string& what) {
    found_.findings.push_back(
        {line, line == 0 ? what : fmt::format("line {} of the journal {}", line, what)});
  }

  void read(const ChainLink& link) try {
    if (link.text.size() + 1 < link.bytes.size())
      found_.remarks.push_back(
          {link.number,
           fmt::format("behind line {} of the journal a line is cut: a crash or a full disk", link.number)});
    if (link.number == 0) return;
    ++found_.lines;
    const auto line = json_or_discarded<Json>(link.text);
    const double at_s = utc_seconds(line.value("t", "")).value_or(0);
    check_time(link.number, at_s);
    take(link.number, line, at_s);
  } catch (const nlohmann::json::exception&) {
    find(link.number, "is not one of shakedown's");
  }

  void check_time(int number, double at_s) {
    if (at_s <= 0) return;
    found_.last_line_s = at_s;
    if (at_s < latest_s_ - clock_step_s)
      found_.remarks.push_back(
          {number, fmt::format("the clock was set back by {} before line {} of the journal ({})",
                               duration_text(latest_s_ - at_s), number, utc_text(at_s))});
    latest_s_ = std::max(latest_s_, at_s);
  }

  void take(int number, const Json& line, double at_s) {
    const std::string event = line.value("event", "");
    if (event == "job") {
      for (const auto& each : line.at("attempts"))
        announce({each.at(0).get<std::string>(), each.at(1).get<int>()}, {number, at_s, line.at("job")});
    } else if (event == "submitted") {
      submitted_.insert(line.at("job").get<std::string>());
    } else if (event == "collected") {
      Announced& attempt = attempts_[{line.at("case").get<std::string>(), line.at("attempt").get<int>()}];
      attempt.collected_line = number;
      attempt.collected_s = at_s;
    } else if (event == "machine-failed") {
      attempts_[{line.at("case").get<std::string>(), line.at("attempt").get<int>()}].explained = true;
    }
    if (event == "finished" || event == "interrupted" || event == "begun") is_over_ = event == "finished";
  }

  /// A job that was not taken is offered again, with the same attempts.
  void announce(const Key& key, const Announced& now) {
    Announced& attempt = attempts_[key];
    if (attempt.collected_line == 0) attempt = now;
  }

  void check_first_line() {
    const auto bound = read_commitment(folder_);
    if (!bound) return find(1, "no longer states the commitment");
    found_.first_root = bound->root;
    if (commitment_root(bound->parts) != bound->root)
      find(1, fmt::format("states parts that do not give its root {}", bound->root));
    for (const std::string& breach : file_breaches(*bound, folder_)) find(0, breach);
  }

  /// The files of jobs, and images.
  void check_beside_attempts(const JournalContent& journal) {
    for (const std::string& fault : job_file_faults(journal, folder_)) find(0, fault);
    if (const auto bound = read_commitment(folder_); bound && !elsewhere_)
      for (const std::string& image : unbound_images(*bound, journal)) found_.remarks.push_back({1, image});
  }

  void check_attempts() {
    std::set<std::string> cases;
    for (const auto& [key, attempt] : attempts_) {
      if (!is_one_name(key.first)) continue;
      cases.insert(key.first);
      check_attempt(key, attempt);
    }
    if (elsewhere_) return;
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(folder_, code))
      for (const int index : attempts_in(entry.path())) {
        const Key key{entry.path().filename().string(), index};
        if (!attempts_.contains(key) && fs::is_directory(place_of(key), code))
          find(0, fmt::format("{} has a folder, and no line of the journal announces it",
                              checked_attempt_name(key)));
      }
  }

  void check_attempt(const Key& key, const Announced& attempt) {
    std::error_code code;
    const bool there = fs::is_directory(place_of(key), code);
    if (attempt.collected_line > 0) return check_times(key, attempt);
    if (attempt.explained) return;
    if (!there && submitted_.contains(attempt.job))
      return find(attempt.line, fmt::format("submits {} at {}, which has no folder and no end",
                                            checked_attempt_name(key), utc_text(attempt.at_s)));
    if (!there || !is_over_) return;
    const auto started = read_started(place_of(key));
    if (started && !started->abandoned)
      find(attempt.line, fmt::format("announces {}, which ran at {}: no line states its end",
                                     checked_attempt_name(key), utc_text(started->started_s)));
  }

  /// The node's clock against the orchestrator's.
  void check_times(const Key& key, const Announced& attempt) {
    const auto finished = read_finished(place_of(key));
    if (!finished || attempt.at_s <= 0 || attempt.collected_s <= 0) return;
    if (finished->started_s >= attempt.at_s - clock_difference_s &&
        finished->finished_s <= attempt.collected_s + clock_difference_s)
      return;
    found_.remarks.push_back(
        {attempt.line,
         fmt::format("{} ran from {} to {} by its node's clock, and by the orchestrator's between {} "
                     "and {}",
                     checked_attempt_name(key), utc_text(finished->started_s), utc_text(finished->finished_s),
                     utc_text(attempt.at_s), utc_text(attempt.collected_s))});
  }

  void check_files() {
    const auto journal = read_journal(folder_);
    if (!journal) return;
    for (const Error& each : changed_files(*journal, folder_))
      find(0, fmt::format("{} {}", fs::path(each.where).lexically_relative(settled_folder(folder_)).string(),
                          each.what));
    const auto verdict = sha256_of_file(folder_ / "regression.json");
    if (const std::string& known = journal->verdict_sha256; !known.empty() && (!verdict || *verdict != known))
      find(0, verdict ? "regression.json is not the verdict that the scheduled check came to"
                      : "regression.json, the verdict of the scheduled check, is gone");
    for (const auto& [key, attempt] : journal->collected) {
      if (!is_one_name(key.first)) continue;
      std::error_code code;
      for (const CollectedFile& file : attempt.files)
        if (!fs::exists(place_of(key) / file.name, code))
          find(attempts_[key].collected_line,
               fmt::format("has {}/attempt-{}/{}, which is gone", key.first, key.second, file.name));
      check_added(key, attempt);
    }
  }

  /// A file that was added to a run directory would be read with the others.
  void check_added(const Key& key, const CollectedAttempt& attempt) {
    if (attempt.files.empty()) return;  // of an older version
    std::error_code code;
    auto it = fs::recursive_directory_iterator(place_of(key), code);
    for (; !code && it != fs::recursive_directory_iterator(); it.increment(code)) {
      const std::string name = it->path().lexically_relative(place_of(key)).string();
      std::error_code ignored;
      if (it->is_regular_file(ignored) &&
          std::ranges::find(attempt.files, name, &CollectedFile::name) == attempt.files.end())
        find(attempts_[key].collected_line,
             fmt::format("does not have {}/attempt-{}/{}: it was added since", key.first, key.second, name));
    }
  }

  [[nodiscard]] fs::path place_of(const Key& key) const {
    return folder_ / key.first / fmt::format("attempt-{}", key.second);
  }

  fs::path folder_;
  bool elsewhere_ = false;
  JournalCheck found_;
  std::map<Key, Announced> attempts_;
  std::set<std::string> submitted_;
  double latest_s_ = 0;
  bool is_over_ = false;
};

}  // namespace

Result<JournalCheck> check_journal(const fs::path& campaign_folder, JournalScope scope) {
  return JournalPass(campaign_folder).run(scope);
}

Result<std::optional<JournalRoot>> journal_root(const fs::path& campaign_folder, std::string_view digits) {
  const auto text = file_content(campaign_folder / "journal.jsonl");
  if (!text) return failure_of(text);
  std::vector<JournalRoot> found;
  const auto links = chain_links(*text);
  const int all =
      static_cast<int>(std::ranges::count_if(links, [](const auto& link) { return link.number > 0; }));
  int seen = 0;
  for (const ChainLink& link : links) {
    if (link.number == 0) continue;
    ++seen;
    std::string hash = sha256(std::string(link.bytes) + (link.bytes.ends_with('\n') ? "" : "\n"));
    const bool wanted = hash.starts_with(digits);
    if (seen > 1 && !wanted) continue;
    const auto line = json_or_discarded<Json>(link.text);
    const auto member = [&](const char* name) {
      return line.contains(name) && line[name].is_string() ? line[name].template get<std::string>() : "";
    };
    JournalRoot root{false, link.number, all - seen, member("event"), member("t"), ""};
    if (root.event == "commitment" && seen == 1)
      if (std::string first = member("root"); first.starts_with(digits)) {
        root.first = true;
        root.sha256 = std::move(first);
        found.push_back(root);
        root.first = false;
      }
    root.sha256 = std::move(hash);
    if (wanted) found.push_back(std::move(root));
  }
  if (found.size() != 1) return std::optional<JournalRoot>();
  return std::optional(std::move(found.front()));
}

}  // namespace shakedown
