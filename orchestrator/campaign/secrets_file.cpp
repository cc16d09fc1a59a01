#include "orchestrator/campaign/secrets_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/secret.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/regression.hpp"

namespace shakedown {
namespace {

constexpr std::string_view head =
    "# Values of secrets, for the jobs of this campaign. Removed when the campaign ends; only its owner can "
    "read it.\n";

constexpr std::string_view not_quoted =
    "(output not shown: the values of secrets are no longer available to mask it)";

/// One word of a shell, always in quotes.
std::string single_quoted(std::string_view value) {
  std::string text = "'";
  for (const char c : value)
    if (c == '\'')
      text += "'\\''";
    else
      text += c;
  return text + "'";
}

/// What `single_quoted` made at `at`, which moves behind it.
std::string unquoted(std::string_view text, size_t& at) {
  std::string value;
  while (at < text.size() && text[at] == '\'') {
    const size_t end = std::min(text.find('\'', at + 1), text.size());
    value += text.substr(at + 1, end - at - 1);
    at = std::min(end + 1, text.size());
    if (text.substr(at).starts_with("\\''")) {
      value += '\'';
      at += 2;
    }
  }
  return value;
}

/// The variable of the operator's environment that has a secret's value, where nothing else does.
std::string variable_of(const Secret& secret) {
  if (!secret.from.empty()) return secret.from;
  return secret.number == 1 ? secret.name : fmt::format("{}__{}", secret.name, secret.number);
}

void take_from_environment(std::vector<Secret>& secrets) {
  for (Secret& secret : secrets)
    if (secret.value.empty())
      if (const char* value = std::getenv(variable_of(secret).c_str())) secret.value = value;
}

/// The secrets among the variables of the operator's environment, which local jobs and sbatch's inherit.
std::vector<Secret> inherited_secrets() {
  constexpr std::size_t least = 8;  // bytes: a shorter value may be an ordinary word of a log
  std::vector<Secret> secrets;
  for (char** each = ::environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view variable(*each);
    const std::size_t equals = std::min(variable.find('='), variable.size() - 1);
    const std::string_view name = variable.substr(0, equals);
    const std::string_view value = variable.substr(equals + 1);
    if (value.size() >= least && shown_value(name, value) != value)
      secrets.push_back({std::string(name), 1, "", std::string(value)});
  }
  return secrets;
}

/// The secrets in the configuration's file as it is now; none where there is no such file any more.
std::vector<Secret> of_configuration(const CampaignRecord& campaign) {
  const auto options = json_or_discarded<nlohmann::json>(campaign.planned_by);
  if (!options.is_object() || !options.contains("config") || !options["config"].is_string()) return {};
  const auto file = options["config"].get<std::string>();
  const auto text = file.empty() ? Result<std::string>(std::string()) : file_content(file);
  if (!text || text->empty()) return {};
  auto facts = configured_facts(campaign.kind, *text, file);
  return facts ? std::move(facts->secrets) : std::vector<Secret>();
}

bool lacks_values(std::span<const Secret> secrets) {
  return std::ranges::any_of(secrets, [](const Secret& secret) { return secret.value.empty(); });
}

/// Whether `masked` is `text` with masks in the place of parts of it.
bool is_masked_of(std::string_view masked, std::string_view text) {
  bool any = false;  // a mask was just passed: what it stands for may go on
  while (!masked.empty()) {
    const std::size_t length = masked.starts_with(not_quoted) ? not_quoted.size() : mask_length(masked);
    if (length > 0) {
      masked.remove_prefix(length);
      any = true;
      continue;
    }
    std::size_t plain = 1;  // up to the next mask
    while (plain < masked.size() && !masked.substr(plain).starts_with(not_quoted) &&
           mask_length(masked.substr(plain)) == 0)
      ++plain;
    const std::string_view piece = masked.substr(0, plain);
    const bool last = plain == masked.size();
    const std::size_t at = !any ? 0 : last ? text.size() - std::min(text.size(), plain) : text.find(piece);
    if (at == std::string_view::npos || !text.substr(at).starts_with(piece)) return false;
    if (last && at + plain != text.size()) return false;
    text.remove_prefix(at + plain);
    masked.remove_prefix(plain);
    any = false;
  }
  return any || text.empty();
}

}  // namespace

bool same_but_for_masks(std::string_view one, std::string_view other) {
  return one == other || is_masked_of(one, other) || is_masked_of(other, one);
}

Result<std::vector<Secret>> secrets_with_values(const CampaignRecord& campaign,
                                                std::span<const Secret> known) {
  std::vector<Secret> secrets;
  for (const CaseRecord& record : campaign.cases)
    for (Secret& each : secrets_of(record.planned))
      if (find_secret(secrets, each) == nullptr) secrets.push_back(std::move(each));
  take_values(secrets, known);
  if (lacks_values(secrets)) take_values(secrets, of_configuration(campaign));
  take_from_environment(secrets);
  std::vector<std::string> lacking;
  for (const Secret& secret : secrets)
    if (secret.value.empty()) lacking.push_back(variable_of(secret));
  if (lacking.empty()) return secrets;
  std::string exports;
  for (const std::string& name : lacking) exports += fmt::format(" {}=...", name);
  return fail_environment(joined(lacking, ", "),
                          fmt::format("{} not set. Plans and campaigns do not store the values of secrets",
                                      lacking.size() == 1 ? "is" : "are"),
                          fmt::format("export{}, or give the configuration that states {} (--config F)",
                                      exports, lacking.size() == 1 ? "it" : "them"));
}

Result<void> write_secrets(const fs::path& campaign_folder, std::span<const Secret> secrets) {
  if (secrets.empty()) return {};
  std::string text(head);
  for (const Secret& secret : secrets)
    text += fmt::format("{}={}\n", shell_variable(secret), single_quoted(secret.value));
  return write_private_file(campaign_folder / secrets_file, text);
}

std::vector<Secret> read_secrets(const fs::path& campaign_folder) {
  std::vector<Secret> secrets;
  std::error_code code;
  if (!fs::exists(campaign_folder / secrets_file, code)) return secrets;
  const auto text = file_content(campaign_folder / secrets_file);
  if (!text) return secrets;
  for (size_t at = 0; at < text->size();) {
    const size_t equals = text->find('=', at);
    if ((*text)[at] == '#' || equals == std::string::npos) {
      const size_t end = text->find('\n', at);
      at = end == std::string::npos ? text->size() : end + 1;
      continue;
    }
    Secret secret = secret_of_shell_variable(std::string_view(*text).substr(at, equals - at));
    at = equals + 1;
    secret.value = unquoted(*text, at);
    const size_t end = text->find('\n', at);
    at = end == std::string::npos ? text->size() : end + 1;
    if (!secret.name.empty()) secrets.push_back(std::move(secret));
  }
  return secrets;
}

Result<void> provide_secrets(const fs::path& campaign_folder, const CampaignRecord& campaign) {
  const std::vector<Secret> there = read_secrets(campaign_folder);
  const auto needed = secrets_with_values(campaign, there);
  if (!needed) return failure_of(needed);
  const bool all = std::ranges::all_of(
      *needed, [&](const Secret& secret) { return find_secret(there, secret) != nullptr; });
  return all ? Result<void>() : write_secrets(campaign_folder, *needed);
}

void remove_secrets(const fs::path& campaign_folder) {
  std::error_code code;
  fs::remove(campaign_folder / secrets_file, code);
}

SecretMask::SecretMask(const fs::path& campaign_folder, const Case& planned) {
  std::vector<Secret> secrets = read_secrets(campaign_folder);
  for (Secret& secret : secrets_of(planned))
    if (find_secret(secrets, secret) == nullptr) {
      quotes_ = false;
      secrets.push_back(std::move(secret));
    }
  take_from_environment(secrets);
  static const std::vector<Secret> inherited = inherited_secrets();
  secrets.insert(secrets.end(), inherited.begin(), inherited.end());
  for (const Secret& secret : secrets)
    for (std::string& part : known_parts(secret.value)) parts_.push_back(std::move(part));
  std::ranges::sort(parts_, std::ranges::greater(), &std::string::size);
}

std::string SecretMask::operator()(std::string_view text) const {
  return without_secrets(without_parts(without_cut_parts(text, parts_), parts_));
}

std::string SecretMask::sentence(std::string_view text) const {
  std::string shown = (*this)(text);
  const size_t begin = shown.find('\'');
  if (quotes_ || begin == std::string::npos) return shown;
  return shown.replace(begin, shown.rfind('\'') + 1 - begin, not_quoted);
}

std::string SecretMask::tail(const fs::path& path, size_t bytes) const {
  constexpr size_t margin = 64 << 10;  // a secret that begins before the end's first byte is seen whole
  const auto text = file_tail(path, bytes + margin);
  if (!text) return "";
  const std::string shown = (*this)(*text);
  return shown.size() > bytes ? shown.substr(shown.size() - bytes) : shown;
}

void each_quoted_text(AttemptRecord& attempt,
                      const std::function<void(std::string& text, bool sentence)>& visit) {
  visit(attempt.failure, true);
  for (ResultRecord& result : attempt.results) {
    visit(result.parsed.reason, true);
    for (std::string& warning : result.parsed.warnings) visit(warning, true);
    for (Fact& fact : result.parsed.facts) visit(fact.value, false);
    for (Parameter& parameter : result.parsed.parameters)
      if (auto* text = std::get_if<std::string>(&parameter.value)) visit(*text, false);
    for (RuleResult& rule : result.rules) {
      visit(rule.value, false);
      visit(rule.text, true);
    }
  }
}

void mask_secrets(AttemptRecord& attempt, const SecretMask& mask) {
  each_quoted_text(
      attempt, [&](std::string& text, bool sentence) { text = sentence ? mask.sentence(text) : mask(text); });
}

bool holds_mask(std::string_view text) {
  if (text.find(not_quoted) != std::string_view::npos) return true;
  constexpr char begins = '(';
  for (std::size_t at = text.find(begins); at != std::string_view::npos; at = text.find(begins, at + 1))
    if (mask_length(text.substr(at)) > 0) return true;
  return false;
}

}  // namespace shakedown
