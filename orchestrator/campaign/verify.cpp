#include "orchestrator/campaign/verify.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "orchestrator/campaign/bundle.hpp"
#include "orchestrator/campaign/bundled_folder.hpp"
#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/campaign/declarations.hpp"
#include "orchestrator/campaign/folder_files.hpp"
#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/campaign/journal_check.hpp"
#include "orchestrator/campaign/rebuilt_campaign.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/version.hpp"
#include "reports/evidence/archive_path.hpp"
#include "reports/evidence/bundle_file.hpp"
#include "reports/evidence/json_difference.hpp"
#include "reports/judge/tally.hpp"
#include "reports/measure/screening.hpp"

namespace shakedown {
namespace {

constexpr std::size_t most_values = 200;  // that differ, and are named

/// One verification.
class BundleVerification {
 public:
  BundleVerification(const VerifyRequest& request, const Layout& layout, const fs::path& folder)
      : request_(request), layout_(layout), folder_(folder) {}

  Result<Verification> run() {
    const double begin = steady_s();
    auto content = read_bundle(request_.archive, folder_);
    if (!content) return failure_of(content);
    done_.reading_s = steady_s() - begin;
    done_.bytes = content->bytes;
    done_.other_version = content->manifest.tool_version != tool_version;
    for (const BundleFinding& each : content->findings) found(VerifyStep::manifest, each.path, each.what);
    done_.manifest = std::move(content->manifest);
    if (!is_campaign_name(done_.manifest.campaign))
      return fail(request_.archive.string(), "names no campaign in its manifest");
    check_places();
    if (auto checked = check_signatures(std::move(content->signatures)); !checked) return failure_of(checked);
    if (auto checked = check_timestamps(); !checked) return failure_of(checked);
    read_verdict();
    if (done_.manifest.redacted_of.empty()) {
      check_journal_and_files();
      recompute();
    } else {
      check_redacted();
    }
    note_what_remains();
    done_.recomputing_s = steady_s() - begin - done_.reading_s;
    return std::move(done_);
  }

 private:
  void found(VerifyStep step, std::string where, std::string what) {
    done_.findings.push_back({step, within(std::move(where)), within(std::move(what)), "", ""});
  }

  /// A text without the folder that the bundle was unpacked to, which is gone when somebody reads it.
  [[nodiscard]] std::string within(std::string text) const {
    const std::string prefix = folder_.string() + "/";
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at))
      text.erase(at, prefix.size());
    return text;
  }

  [[nodiscard]] fs::path campaign_folder() const { return folder_ / "campaigns" / done_.manifest.campaign; }

  /// A bundle holds what `make_bundle` puts there. A database of its own, or another campaign, would be read
  /// in the place of what the logs give.
  void check_places() {
    const std::string own = fmt::format("campaigns/{}/", done_.manifest.campaign);
    const bool redacted = !done_.manifest.redacted_of.empty();
    const auto has_place = [&](std::string_view path) {
      const auto is_one_of = [&](auto... names) { return ((path == names) || ...); };
      if (redacted)
        return path.starts_with(fmt::format("{}/", bundled_timestamps)) ||
               is_one_of(bundled_results, bundled_report);
      return path.starts_with(own) || path.starts_with(fmt::format("{}/", bundled_baselines)) ||
             path.starts_with(fmt::format("{}/", bundled_timestamps)) ||
             is_one_of(bundled_results, bundled_report, bundled_store, bundled_others, bundled_acceptances,
                       bundled_list, bundled_comparability);
    };
    for (const ManifestFile& file : done_.manifest.files) {
      const std::string below =
          file.path.starts_with(own) ? unbundled_because(path_of_archive(file.path.substr(own.size()))) : "";
      if (!has_place(file.path) || !below.empty())
        found(VerifyStep::manifest, file.path,
              fmt::format("has no place in a bundle{}{}", below.empty() ? "" : ": it ", below));
    }
    for (const std::string& folder : done_.manifest.folders)
      if (redacted || !folder.starts_with(own))
        found(VerifyStep::manifest, folder, "has no place in a bundle");
  }

  Result<void> check_signatures(std::vector<Signature> inside) {
    std::map<std::string, std::string> files;  // of the public keys that were given
    std::map<std::string, std::string> owners;
    for (const fs::path& file : request_.public_keys) {
      auto key = read_public_key(file);
      if (!key) return failure_of(key);
      files.emplace(key->key, file.string());
      owners.emplace(file.string(), key->comment);
    }
    for (Signature& each : inside) done_.signatures.push_back({std::move(each), false, "", "", ""});
    std::error_code code;
    if (const fs::path beside = countersignature_file(request_.archive); fs::exists(beside, code)) {
      auto text = file_content_within(beside, largest_signatures);
      if (!text) return failure_of(text);
      auto more = signatures_from_lines(*text, beside.string());
      if (!more) return failure_of(more);
      for (Signature& each : *more) done_.signatures.push_back({std::move(each), true, "", "", ""});
    }
    for (CheckedSignature& each : done_.signatures) {
      if (!holds(each.signature))
        each.wrong = "is not by its key, or what was signed was changed";
      else if (each.signature.root != done_.manifest.root)
        each.wrong = fmt::format("is of another bundle, with the hash {}", each.signature.root);
      if (const auto it = files.find(each.signature.public_key); it != files.end() && each.wrong.empty()) {
        each.key_file = it->second;
        each.owner = owners[it->second];
      }
      if (!each.wrong.empty())
        found(VerifyStep::signatures,
              printable_line(fmt::format("{}: {}", each.signature.role, each.signature.name)), each.wrong);
    }
    for (const auto& [key, file] : files)
      if (std::ranges::none_of(done_.signatures, [&](const auto& each) { return each.key_file == file; }))
        done_.open.push_back(
            done_.signatures.empty()
                ? fmt::format("the bundle is not signed, and a signature by the key of {} was asked for",
                              file)
                : fmt::format("no signature is by the key of {}", file));
    return {};
  }

  Result<void> check_timestamps() {
    for (const ManifestFile& file : done_.manifest.files) {
      if (!file.path.starts_with(fmt::format("{}/", bundled_timestamps))) continue;
      const auto bytes = file_content(folder_ / file.path);
      if (!bytes) continue;  // found already
      const auto stamp = read_timestamp(*bytes, file.path, request_.authorities);
      if (!stamp && std::ranges::find(request_.authorities, fs::path(stamp.error().where)) !=
                        request_.authorities.end())
        return failure_of(stamp);
      if (!stamp) {
        found(VerifyStep::signatures, file.path, stamp.error().what);
      } else if (stamp->root == done_.manifest.last_root || stamp->root == done_.manifest.first_root) {
        const bool first = stamp->root == done_.manifest.first_root;
        done_.timestamps.push_back({*stamp, first ? "the journal's first hash" : "the journal's last hash"});
      } else {
        found(VerifyStep::signatures, file.path,
              fmt::format("stamps {}, which is neither the first nor the last hash of this bundle's journal",
                          stamp->root));
      }
    }
    return {};
  }

  /// The verdict that the bundle states.
  void read_verdict() {
    const auto text = file_content(folder_ / bundled_results);
    const auto document = json_or_discarded<nlohmann::json>(text ? *text : "");
    if (!document.is_object()) {
      found(VerifyStep::results, std::string(bundled_results),
            text ? "is no JSON document" : "is not in the bundle");
      return;
    }
    saved_results_ = *text;
    const auto member = [&](const char* name) {
      return document.contains(name) && document[name].is_string() ? document[name].get<std::string>() : "";
    };
    done_.verdict = member("verdict");
    done_.sentence = member("sentence");
    if (document.contains("journal") && document["journal"].is_object())
      for (const auto& each : document["journal"].value("faults", nlohmann::json::array()))
        if (each.is_string()) stated_faults_.push_back(each.get<std::string>());
  }

  /// What a redacted bundle holds is what was signed, and its verdict is of the withheld files; no more is
  /// certain.
  void check_redacted() {
    const auto document = json_or_discarded<nlohmann::json>(saved_results_);
    const auto text = [&](const char* object, const char* name) {
      const auto at = nlohmann::json::json_pointer(fmt::format("/{}/{}", object, name));
      return document.is_object() && document.contains(at) && document[at].is_string()
                 ? document[at].get<std::string>()
                 : std::string();
    };
    const std::string of = text("redaction", "results_sha256");
    if (std::ranges::find(done_.manifest.withheld, of, &ManifestFile::sha256) ==
        done_.manifest.withheld.end())
      found(VerifyStep::results, std::string(bundled_results),
            fmt::format("is redacted from a document that is not among those withheld: SHA-256 {}", of));
    for (const auto& [name, root] : {std::pair("first_root", &done_.manifest.first_root),
                                     std::pair("last_root", &done_.manifest.last_root)})
      if (text("journal", name) != *root)
        found(VerifyStep::results, std::string(bundled_results),
              fmt::format("has another {} than the manifest", name));
    if (const std::string what = text("redaction", "what"); !what.empty()) done_.notes.push_back(what);
    done_.open.push_back(fmt::format(
        "the bundle is redacted: {} withheld, with their SHA-256 in the manifest, and nothing was judged "
        "again. The bundle with the hash {} holds them",
        plural(static_cast<std::int64_t>(done_.manifest.withheld.size()), "file is", "files are"),
        in_groups(done_.manifest.redacted_of)));
  }

  /// What the verdict states of the journal, or the list, is found nowhere else; of a file that differs
  /// nothing is excused.
  void check_journal_and_files() {
    const Workspace workspace{folder_};
    const auto check = check_journal(campaign_folder(), JournalScope::files);
    if (!check) return found(VerifyStep::journal, check.error().where, check.error().what);
    const auto record = journal_record(workspace, done_.manifest.campaign);
    if (!record) return found(VerifyStep::journal, record.error().where, record.error().what);
    const auto differs = [&](std::string_view which, const std::string& now, const std::string& stated) {
      if (now != stated)
        found(VerifyStep::journal, "journal.jsonl",
              fmt::format("has the {} hash {}, and the manifest states {}", which, now.empty() ? "none" : now,
                          stated.empty() ? "none" : stated));
    };
    differs("first", check->first_root, done_.manifest.first_root);
    differs("last", check->last_root, done_.manifest.last_root);
    const std::vector<std::string> faults = record->value_or(JournalRecord()).faults;
    std::vector<JournalFinding> all = check->findings;
    for (const std::string& fault : faults)
      if (std::ranges::find(all, fault, &JournalFinding::sentence) == all.end()) all.push_back({0, fault});
    for (const JournalFinding& each : all) {
      const bool of_journal = std::ranges::find(faults, each.sentence) != faults.end();
      if (of_journal && std::ranges::find(stated_faults_, each.sentence) != stated_faults_.end())
        done_.notes.push_back(fmt::format("the verdict states this of the journal: {}", each.sentence));
      else
        found(VerifyStep::journal,
              each.line > 0 ? fmt::format("journal.jsonl:{}:", each.line)
                            : fmt::format("campaigns/{}:", done_.manifest.campaign),
              each.sentence);
    }
    for (const JournalFinding& each : check->remarks) done_.notes.push_back(within(each.sentence));
    if (const auto accepted = read_acceptances(workspace); !accepted)
      found(VerifyStep::journal, accepted.error().where, accepted.error().what);
    note_unbound();
  }

  /// Files of the campaign that anybody may have written: neither its first line nor an attempt's line has
  /// their hash.
  void note_unbound() {
    const auto journal = read_journal(campaign_folder());
    const auto bound = read_commitment(campaign_folder());
    if (!journal || !bound) return;
    std::set<std::string> known = {"journal.jsonl"};
    for (const CommittedPart& part : bound->parts) known.insert(part.name);
    for (const JournaledCriteria& each : journal->criteria) known.insert(each.file);
    if (!journal->verdict_sha256.empty()) known.emplace(check_verdict_file);
    for (const CollectedFile& file : journal->job_files) known.insert(file.name);
    for (const auto& [key, attempt] : journal->collected)
      for (const CollectedFile& file : attempt.files)
        known.insert(fmt::format("{}/attempt-{}/{}", key.first, key.second, file.name));
    const std::set<std::string> left = check_known_hashes(campaign_folder()).left;
    const std::string own = fmt::format("campaigns/{}/", done_.manifest.campaign);
    std::vector<std::string> unbound;
    for (const ManifestFile& file : done_.manifest.files)
      if (file.path.starts_with(own) && !known.contains(path_of_archive(file.path.substr(own.size()))) &&
          !(file.path.starts_with(own + "environment-") && left.contains(file.sha256)))
        unbound.push_back(file.path.substr(own.size()));
    constexpr std::size_t most = 5;
    const std::size_t more = unbound.size() - std::min(unbound.size(), most);
    unbound.resize(unbound.size() - more);
    if (!unbound.empty())
      done_.notes.push_back(fmt::format("not bound by the journal: {}{}", joined(unbound, ", "),
                                        more > 0 ? fmt::format(" and {} more", more) : ""));
  }

  void recompute() {
    if (std::ranges::any_of(done_.findings, [](const VerifyFinding& each) {
          return each.step == VerifyStep::manifest || each.step == VerifyStep::journal;
        })) {
      done_.notes.emplace_back(
          "the logs were not judged again: files are not those that were collected, or the archive is not "
          "whole");
      return;
    }
    auto rebuilt = rebuilt_campaign(folder_, done_.manifest.campaign, layout_);
    if (!rebuilt) {
      const Error& error = rebuilt.error();
      done_.open.push_back(within(fmt::format("the logs cannot be judged again: {}{}{}", error.where,
                                              error.where.empty() ? "" : ": ", error.what)));
      return;
    }
    done_.recomputed = true;
    for (std::string& each : rebuilt->other_data)
      if (done_.other_version)  // whoever makes a bundle may name a version that never was
        done_.open.push_back(each + " of this version: who has the bundle's version can compare it");
      else
        found(VerifyStep::results, each, "that ships with this version");
    for (std::string& each : rebuilt->other_history)
      found(VerifyStep::journal, std::string(bundled_others), std::move(each));
    compare_lines(rebuilt->store);
    compare_documents(VerifyStep::results, std::string(bundled_results), saved_results_, rebuilt->results);
    for (auto& [where, what] : rebuilt->other_records) found(VerifyStep::store, where, what);
    if (const auto page = file_content(folder_ / bundled_report); !page || *page != rebuilt->report)
      found(VerifyStep::results, std::string(bundled_report),
            page ? "is not the report that the logs give" : "is not in the bundle");
    count(rebuilt->outcome);
    rejudge_check(rebuilt->outcome);
  }

  void compare_documents(VerifyStep step, const std::string& name, const std::string& saved,
                         const std::string& now) {
    const auto differences = json_differences(saved, now, most_values);
    if (!differences) return found(step, name, differences.error().what);
    for (const JsonDifference& each : *differences)
      done_.findings.push_back({step, fmt::format("{}: {}", name, each.path), "", each.was, each.is});
    // A member that is there twice has two values for two readers.
    if (differences->empty() && saved != now)
      found(step, name, "has the values that the logs give, and is written otherwise");
  }

  void compare_lines(const std::string& now) {
    const auto text = file_content(folder_ / bundled_store);
    if (!text && !now.empty())
      return found(VerifyStep::store, std::string(bundled_store), "is not in the bundle");
    if (!text || *text == now) return;
    const auto saved_lines = split(*text, '\n');
    const auto lines = split(now, '\n');
    if (saved_lines.size() != lines.size())
      found(VerifyStep::store, std::string(bundled_store),
            fmt::format("has {} attempts, and the run directories have {}", saved_lines.size() - 1,
                        lines.size() - 1));
    for (std::size_t i = 0; i < std::min(lines.size(), saved_lines.size()); ++i)
      if (saved_lines[i] != lines[i])
        compare_documents(VerifyStep::store, fmt::format("{}:{}", bundled_store, i + 1),
                          std::string(saved_lines[i]), std::string(lines[i]));
  }

  void count(const Outcome& outcome) {
    done_.criteria = static_cast<int>(outcome.judgement.criteria.size());
    for (const CriterionResult& each : outcome.judgement.criteria)
      ++done_.criteria_by_verdict[each.waived ? "waived" : std::string(verdict_name(each.verdict))];
    const CampaignRecord& campaign = outcome.campaign.record;
    done_.judged_as_of =
        utc_text(std::max({campaign.created_s, campaign.finished_s, judging_criteria(campaign).at_s}));
    for (const MeasuredCase& record : outcome.campaign.cases)
      done_.results += static_cast<int>(record.counted.size());  // as the report does
    for (const CaseRecord& record : outcome.campaign.record.cases)
      for (const AttemptRecord& attempt : record.attempts) {
        ++done_.attempts;
        std::vector<std::string> logs;
        for (const ResultRecord& result : attempt.results) {
          done_.rules += static_cast<int>(result.rules.size());
          for (const RuleResult& rule : result.rules) {
            ++done_.rules_by_status[std::string(to_string(rule.status))];
            if (rule.status != RuleStatus::fail || rule.severity != Severity::validity) continue;
            ++done_.rules_invalidating;
            done_.rules_of_length += short_by_design(campaign, result, rule) ? 1 : 0;
          }
          if (std::ranges::find(logs, result.file) == logs.end()) logs.push_back(result.file);
        }
        done_.logs += static_cast<int>(logs.size());
      }
  }

  /// A scheduled check: its verdict is in its folder, and follows from its logs and from those of earlier
  /// ones.
  void rejudge_check(const Outcome& outcome) {
    if (!outcome.judgement.check) return;
    const auto journal = read_journal(campaign_folder());
    if (journal && journal->verdict_sha256.empty())
      done_.open.push_back(fmt::format("no line of the journal binds {}", check_verdict_file));
    auto again = request_.rejudge_check ? request_.rejudge_check(Workspace{folder_}, outcome, layout_)
                                        : fail("", "nobody here judges scheduled checks");
    if (!again) {
      done_.open.push_back(
          within(fmt::format("the check cannot be judged again: {}", to_string(again.error()))));
      return;
    }
    std::ranges::move(again->differences, std::back_inserter(done_.findings));
    std::ranges::move(again->open, std::back_inserter(done_.open));
  }

  void note_what_remains() {
    if (done_.other_version)
      done_.notes.push_back(
          fmt::format("made by shakedown {}; this is {}: where a value differs, its parser or "
                      "its rules may differ",
                      done_.manifest.tool_version, tool_version));
    for (const OmittedFile& each : done_.manifest.left_out)
      done_.notes.push_back(printable_line(fmt::format("not in the bundle: {} {}", each.path, each.because)));
  }

  const VerifyRequest& request_;
  const Layout& layout_;
  fs::path folder_;
  Verification done_;
  std::string saved_results_;
  std::vector<std::string> stated_faults_;  ///< of the journal, by the saved verdict
};

}  // namespace

std::string_view to_string(VerifyStep step) {
  switch (step) {
    case VerifyStep::manifest:
      return "manifest";
    case VerifyStep::signatures:
      return "signatures";
    case VerifyStep::journal:
      return "journal";
    case VerifyStep::store:
      return "store";
    case VerifyStep::results:
      return "results";
  }
  return "";
}

int Verification::exit_code() const {
  // Another version's parser may read a log otherwise; nothing excuses a file that is another one.
  const bool changed = std::ranges::any_of(findings, [&](const VerifyFinding& each) {
    return !other_version || (each.step != VerifyStep::store && each.step != VerifyStep::results);
  });
  if (changed) return exit_not_accepted;
  return findings.empty() && open.empty() && recomputed ? 0 : exit_undecided;
}

Result<Verification> verified_bundle(const VerifyRequest& request, const Layout& layout) {
  const PrivateFolder folder;
  if (folder.path().empty())
    return fail_environment("TMPDIR", "no folder can be made there",
                            "set TMPDIR to a folder that you can write");
  return BundleVerification(request, layout, folder.path()).run();
}

}  // namespace shakedown
