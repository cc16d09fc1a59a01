#include "orchestrator/cli/support/notification.hpp"

#include <cstdlib>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/launch/process.hpp"

namespace shakedown {
namespace {

constexpr size_t most_words = 300;

/// A value of curl's configuration file. Source: curl(1), -K.
std::string curl_quoted(std::string_view value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

std::string without(std::string text, const std::string& secret) {
  if (!secret.empty())
    for (size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at))
      text.replace(at, secret.size(), "(secret)");
  return text;
}

/// Runs what tells; its words are part of the failure.
Result<void> told(const std::string& whom, const std::vector<std::string>& argv, double limit_s,
                  std::string_view input, const std::string& secret) {
  const auto output = command_output(argv, limit_s, input);
  if (!output) return fail_environment(whom, without(output.error().what, secret), output.error().hint);
  if (output->exit_code == 0) return {};
  std::string words(trimmed(without(output->text, secret)));
  if (words.size() > most_words) words.resize(most_words);
  return fail_environment(whom, fmt::format("the notification failed with exit code {}{}{}",
                                            output->exit_code, words.empty() ? "" : ": ", words));
}

}  // namespace

Result<std::string> webhook_secret(const RegressionNotice& notice) {
  std::string secret;
  std::string where;
  if (!notice.secret_environment.empty()) {
    where = "$" + notice.secret_environment;
    const char* value = std::getenv(notice.secret_environment.c_str());
    if (value == nullptr)
      return fail_environment(where, "is not set, and the webhook's secret should be there",
                              "set it where the pass is started, or use secret_file");
    secret = value;
  } else if (!notice.secret_file.empty()) {
    where = notice.secret_file;
    const auto content = file_content(notice.secret_file);
    if (!content) return pass_on(content);
    secret = *content;
  } else {
    return secret;
  }
  secret = trimmed(secret);
  if (secret.empty()) return fail_environment(where, "holds no secret");
  for (const char c : secret)
    if (static_cast<unsigned char>(c) < ' ')
      return fail_environment(where, "holds several lines, or control characters", "a secret is one line");
  return secret;
}

std::string curl_configuration(const RegressionNotice& notice, const std::string& secret,
                               const fs::path& payload) {
  std::string text = "silent\nshow-error\nfail\n";
  text += fmt::format("max-time = {}\n", notice.timeout_s);
  text += "proto = \"=http,https\"\noutput = \"/dev/null\"\n";
  text += fmt::format("url = {}\n", curl_quoted(notice.url));
  text += "header = \"Content-Type: application/json\"\n";
  if (!secret.empty()) text += fmt::format("header = {}\n", curl_quoted(notice.header + ": " + secret));
  return text + fmt::format("data-binary = {}\n", curl_quoted("@" + payload.string()));
}

Result<void> notified(const RegressionNotice& notice, const fs::path& payload) {
  Result<void> outcome;
  if (!notice.command.empty()) {
    const auto content = file_content(payload);
    if (!content) return pass_on(content);
    outcome = told(notice.command.front(), notice.command, notice.timeout_s, *content, "");
  }
  if (notice.url.empty()) return outcome;
  if (program_in_path("curl").empty())
    return fail_environment("curl", "no such program in PATH, and the webhook needs it",
                            "apt-get install curl");
  const auto secret = webhook_secret(notice);
  if (!secret) return pass_on(secret);
  // A little longer than curl's own limit, whose words say more.
  auto hooked = told("webhook", {"curl", "--disable", "--config", "-"}, notice.timeout_s + 5,
                     curl_configuration(notice, *secret, payload), *secret);
  return hooked ? outcome : hooked;
}

}  // namespace shakedown
