#include "orchestrator/cli/text/verify_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/core/version.hpp"

namespace shakedown {
namespace {

using VerifyJson = nlohmann::ordered_json;

/// "The verdict follows from these logs: ..."
std::string conclusion_of(const Verification& done) {
  std::string sentence = done.sentence.empty() ? "" : ": " + printable_line(done.sentence);
  if (done.sentence.starts_with("screening passed")) sentence += " (a screening accepts nothing)";
  switch (done.exit_code()) {
    case 0:
      return done.sentence.starts_with("not judged") ? "Nothing differs; there is no verdict" + sentence
                                                     : "The verdict follows from these logs" + sentence;
    case exit_not_accepted:
      return fmt::format("The verdict does not follow from these logs: {} {}{}",
                         plural(static_cast<std::int64_t>(done.findings.size()), "difference"),
                         done.findings.size() == 1 ? "was found" : "were found",
                         done.sentence.empty() ? "" : fmt::format(" (it was{})", sentence));
    default:
      return "Whether the verdict follows from these logs could not be confirmed" + sentence;
  }
}

std::vector<std::string> unproven(const Verification& done) {
  std::vector<std::string> all;
  if (done.signatures.empty())
    all.emplace_back(
        "nobody signed it: who passed it on may have made it anew from other logs. What is proven is that "
        "its "
        "parts fit each other");
  else if (std::ranges::none_of(done.signatures, [](const auto& each) { return !each.key_file.empty(); }))
    all.emplace_back(
        "whose the keys are: compare the fingerprints with those that the signers gave you, or give "
        "--public");
  all.emplace_back(
      "that the programs computed: the administrator of the nodes can forge logs that pass every rule");
  all.emplace_back("the times: they are by the clocks of the site and of whoever signed");
  all.emplace_back("what other campaigns of the workspace gave, or that there were none: they are not in it");
  return all;
}

std::string signature_state(const CheckedSignature& each) {
  if (!each.wrong.empty()) return each.wrong;
  if (each.key_file.empty())
    return "signature valid: made with the private key of that fingerprint; whose it is was not checked "
           "(--public)";
  return fmt::format("signature valid: made with the private key that belongs to {}{}", each.key_file,
                     each.owner.empty() ? "" : fmt::format(" ({})", each.owner));
}

/// "25: 20 pass, 2 fail, 3 unknown": what passed stands first.
std::string counts_text(int all, const std::map<std::string, int>& by_word) {
  std::vector<std::string> parts;
  parts.push_back(fmt::format("{} pass", by_word.contains("pass") ? by_word.at("pass") : 0));
  for (const auto& [word, count] : by_word)
    if (word != "pass") parts.push_back(fmt::format("{} {}", count, word));
  return fmt::format("{}: {}", all, joined(parts, ", "));
}

/// A signer's role in words: "maker" is what `bundle --key` signs as, if nothing else is said.
std::string_view signer_role(const std::string& role) {
  return role == "maker" ? std::string_view("who made the bundle") : std::string_view(role);
}

void add_table(std::string& text, const Verification& done) {
  const auto row = [&](std::string_view what, const std::string& found) {
    text += fmt::format("  {:<21} {}\n", what, found);
  };
  text += "checked\n";
  row("files",
      fmt::format("{}, {}", done.manifest.files.size(), bytes_text(static_cast<double>(done.bytes))));
  const auto root = [](const std::string& digits) { return digits.empty() ? "none" : in_groups(digits); };
  row("hash of the bundle", root(done.manifest.root));
  row("campaign", done.manifest.campaign);
  row("journal's first hash", root(done.manifest.first_root));
  row("journal's last hash", root(done.manifest.last_root));
  if (done.recomputed) {
    row("logs", fmt::format("{} of {}, {}", done.logs, plural(done.attempts, "attempt"),
                            plural(done.results, "result")));
    row("rules",
        counts_text(done.rules, done.rules_by_status) +
            (done.rules_by_status.contains("fail")
                 ? fmt::format(
                       " (of those that fail, {} on validity{}, the others on lists or advice)",
                       done.rules_invalidating,
                       done.rules_of_length == 0
                           ? ""
                           : fmt::format(", {} of them by the official length alone", done.rules_of_length))
                 : ""));
    row("criteria", fmt::format("{}; judged as of {} (not of today)",
                                counts_text(done.criteria, done.criteria_by_verdict), done.judged_as_of));
  }
  if (done.signatures.empty()) row("signatures", "none");
  for (const CheckedSignature& each : done.signatures)
    row("signed",
        printable_line(fmt::format("{}: {}, {}, fingerprint {}; {}", signer_role(each.signature.role),
                                   each.signature.name, each.signature.time,
                                   fingerprint_of(each.signature.public_key), signature_state(each))));
  for (const CheckedTimestamp& each : done.timestamps)
    row("time stamp",
        fmt::format("{} was seen at {} by {}{}", each.what, each.stamp.time,
                    each.stamp.authority.empty() ? "an unnamed authority" : each.stamp.authority,
                    each.stamp.trusted ? ""
                                       : fmt::format("; not trusted: {}; --tsa-ca FILE gives its certificate",
                                                     each.stamp.why_not)));
}

}  // namespace

std::string verify_text(const Verification& done) {
  std::string text;
  for (const VerifyFinding& each : done.findings) {
    text += fmt::format("differs ({}): {}", to_string(each.step), printable_line(each.where));
    if (!each.what.empty()) text += " " + printable_line(each.what);
    if (each.what.empty())
      text += fmt::format("\n  saved       {}\n  recomputed  {}", each.was.empty() ? "(not there)" : each.was,
                          each.is.empty() ? "(not there)" : each.is);
    text += "\n";
  }
  for (const std::string& each : done.open) text += fmt::format("open: {}\n", printable_line(each));
  for (const std::string& each : done.notes) text += fmt::format("note: {}\n", printable_line(each));
  add_table(text, done);
  text += "not proven\n";
  for (const std::string& each : unproven(done)) text += fmt::format("  {}\n", each);
  return text + conclusion_of(done) + "\n";
}

std::string verify_json(const Verification& done) {
  VerifyJson document = {{"schema", "shakedown.verification/1"},
                         {"tool_version", tool_version},
                         {"bundle_version", done.manifest.tool_version},
                         {"campaign", done.manifest.campaign},
                         {"exit_code", done.exit_code()},
                         {"conclusion", conclusion_of(done)},
                         {"verdict", done.verdict},
                         {"sentence", done.sentence},
                         {"root", done.manifest.root},
                         {"first_root", done.manifest.first_root},
                         {"last_root", done.manifest.last_root}};
  document["findings"] = VerifyJson::array();
  for (const VerifyFinding& each : done.findings) {
    VerifyJson finding = {{"step", to_string(each.step)}, {"where", each.where}};
    if (!each.what.empty()) finding["what"] = each.what;
    if (each.what.empty()) finding.update({{"saved", each.was}, {"recomputed", each.is}});
    document["findings"].push_back(std::move(finding));
  }
  document["open"] = done.open;
  document["notes"] = done.notes;
  document["signatures"] = VerifyJson::array();
  for (const CheckedSignature& each : done.signatures)
    document["signatures"].push_back({{"role", each.signature.role},
                                      {"name", each.signature.name},
                                      {"time", each.signature.time},
                                      {"public_key", each.signature.public_key},
                                      {"fingerprint", fingerprint_of(each.signature.public_key)},
                                      {"right", each.wrong.empty()},
                                      {"state", signature_state(each)}});
  document["timestamps"] = VerifyJson::array();
  for (const CheckedTimestamp& each : done.timestamps)
    document["timestamps"].push_back({{"of", each.what},
                                      {"root", each.stamp.root},
                                      {"time", each.stamp.time},
                                      {"authority", each.stamp.authority},
                                      {"trusted", each.stamp.trusted},
                                      {"why_not", each.stamp.why_not}});
  document["checked"] = {{"files", done.manifest.files.size()},
                         {"bytes", done.bytes},
                         {"recomputed", done.recomputed},
                         {"attempts", done.attempts},
                         {"logs", done.logs},
                         {"results", done.results},
                         {"rules", done.rules},
                         {"rules_by_status", done.rules_by_status},
                         {"rules_invalidating", done.rules_invalidating},
                         {"rules_of_length", done.rules_of_length},
                         {"criteria", done.criteria},
                         {"criteria_by_verdict", done.criteria_by_verdict},
                         {"judged_as_of", done.judged_as_of}};
  document["not_proven"] = unproven(done);
  document["reading_s"] = done.reading_s;
  document["recomputing_s"] = done.recomputing_s;
  return document.dump(2, ' ', false, VerifyJson::error_handler_t::replace) + "\n";
}

}  // namespace shakedown
