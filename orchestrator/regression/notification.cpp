#include "orchestrator/regression/notification.hpp"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/journal_check.hpp"
#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/secret.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/launch/process.hpp"

namespace shakedown {
namespace {

/// Notifies from a temporary folder: of a full disk, or of a workspace that is missing.
Result<void> notified_from_other_folder(const RegressionNotice& notice, const std::string& content,
                                        const Error& because) {
  const PrivateFolder folder;
  const fs::path payload = folder.path() / "notification.json";
  if (folder.path().empty() || !write_file(payload, content)) return tl::unexpected<Error>(because);
  return notified(notice, payload);
}

using nlohmann::ordered_json;

fs::path payload_file(const Workspace& workspace, const CheckNotification& notification) {
  if (notification.skipped)
    return workspace.folder / "regression-skipped.json";  // beside a check that may fail
  return notification.campaign.empty() ? workspace.folder / "regression-notification.json"
                                       : workspace.campaign(notification.campaign) / "notification.json";
}

}  // namespace

std::string_view CheckNotification::kind() const {
  if (skipped) return "skipped";
  return campaign.empty() ? "failed" : "verdict";
}

std::string notification_json(const CheckNotification& notification, double at_s) {
  const CheckVerdict& verdict = notification.verdict;
  ordered_json document = {{"schema", "shakedown.notification/1"},
                           {"kind", notification.kind()},
                           {"system", notification.system},
                           {"campaign", notification.campaign},
                           {"at", utc_text(at_s)},
                           {"exit_code", verdict.exit_code},
                           {"sentence", verdict.sentence},
                           {"title", notification.title},
                           {"report", notification.report.string()},
                           {"series", ordered_json::array()}};
  if (!notification.first_root.empty()) document["first_root"] = notification.first_root;
  if (!notification.last_root.empty()) document["last_root"] = notification.last_root;
  if (const auto& skipped = notification.skipped) {
    document["skipped"] = {
        {"checks", skipped->count}, {"since", utc_text(skipped->since_s)}, {"because", skipped->because}};
    if (skipped->last_check_s) document["skipped"]["last_verdict_of"] = utc_text(*skipped->last_check_s);
  }
  for (const JudgedSeries& each : verdict.series) {
    if (!each.alarm() && !each.watched.below_floor) continue;
    const Watched& watched = each.watched;
    ordered_json series = {
        {"name", series_text(each.series.name)}, {"state", each.state()}, {"value", each.value}};
    if (watched.expected > 0) {  // else there is no baseline yet
      series["expected"] = watched.expected;
      series["loss"] = watched.loss;
    }
    series["text"] = watched.text;
    if (each.series.floor) series["floor"] = *each.series.floor;
    if (watched.floor_value_of > 0) {
      series["floor_value"] = watched.floor_value;
      series["floor_value_of"] = watched.floor_value_of;
    }
    document["series"].push_back(std::move(series));
  }
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

bool is_notified(const RegressionNotice& notice, int exit_code) {
  return notice.notifies_anyone() && (exit_code != 0 || notice.always);
}

Result<void> notify(const Workspace& workspace, const RegressionNotice& notice,
                    const CheckNotification& notification) {
  if (!is_notified(notice, notification.verdict.exit_code)) return {};
  const fs::path payload = payload_file(workspace, notification);
  CheckNotification bound = notification;
  if (!bound.campaign.empty())
    if (const auto journal = check_journal(workspace.campaign(bound.campaign))) {
      bound.first_root = journal->first_root;
      bound.last_root = journal->last_root;
    }
  const std::string content = notification_json(bound, now_s());
  if (auto written = write_file(payload, content); !written)
    return notified_from_other_folder(notice, content, written.error());
  if (auto sent = notified(notice, payload); !sent) return sent;
  if (notification.kind() == "failed") return {};  // it is sent at once or never
  return log_notification(workspace, {notification.system, notification.campaign, now_s()});
}

std::optional<CheckNotification> unsent_notification(const Workspace& workspace, const Regression& regression,
                                                     const CheckLog& log, const std::string& system) {
  const auto last = std::find_if(log.checks.rbegin(), log.checks.rend(),
                                 [&](const LoggedCheck& each) { return each.system == system; });
  if (last == log.checks.rend() || !is_notified(regression.notice, last->exit_code)) return std::nullopt;
  if (std::ranges::find(log.notifications, last->campaign, &LoggedNotification::campaign) !=
      log.notifications.end())
    return std::nullopt;
  const fs::path folder = workspace.campaign(last->campaign);
  const auto text = file_content(folder / check_verdict_file);
  if (!text) return std::nullopt;
  auto verdict = check_verdict_from_json(*text, check_verdict_file);
  if (!verdict) return std::nullopt;
  std::error_code code;
  const fs::path report = folder / "report.html";
  return CheckNotification{system, last->campaign, regression.facts.title,
                           fs::is_regular_file(report, code) ? report : fs::path(), *std::move(verdict)};
}

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

std::string without(std::string text, const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets)
    if (!secret.empty())
      for (size_t at = text.find(secret); at != std::string::npos;
           at = text.find(secret, at + secret_mask.size()))
        text.replace(at, secret.size(), secret_mask);
  return without_secrets(text);
}

/// One line that a variable or a file holds, of which only the name may be printed: `key` is of the
/// configuration.
Result<std::string> stated_elsewhere(std::string_view key, const std::string& variable,
                                     const std::string& file) {
  std::string text;
  std::string where;
  if (!variable.empty()) {
    where = "$" + variable;
    const char* value = std::getenv(variable.c_str());
    if (value == nullptr)
      return fail_environment(where, fmt::format("is not set, and the webhook's {} should be there", key),
                              fmt::format("set it where the check is started, or use {}_file", key));
    text = value;
  } else if (!file.empty()) {
    where = file;
    const auto content = named_file_content(file);
    if (!content) return failure_of(content);
    text = *content;
  } else {
    return text;
  }
  text = trimmed(text);
  if (text.empty()) return fail_environment(where, fmt::format("holds no {}", key));
  for (const char c : text)
    if (static_cast<unsigned char>(c) < ' ')
      return fail_environment(where, "holds several lines, or control characters",
                              fmt::format("a {} is one line", key));
  return text;
}

/// Begins the line in which curl prints the status that it was answered with.
constexpr std::string_view status_mark = "http-status=";

/// That status, removed from curl's output; empty: none came.
std::string taken_status(std::string& text) {
  const size_t at = text.rfind(status_mark);
  if (at == std::string::npos) return "";
  const size_t end = std::min(text.find('\n', at), text.size());
  std::string status = text.substr(at + status_mark.size(), end - at - status_mark.size());
  text.erase(at, end - at);
  return status;
}

/// Runs a command that notifies, and returns its output; on failure the output is part of the error.
Result<std::string> reported_by(const std::string& whom, const std::vector<std::string>& argv, double limit_s,
                                std::string_view input, const std::vector<std::string>& secrets) {
  const auto output = command_output(argv, limit_s, input);
  if (!output) return fail_environment(whom, without(output.error().what, secrets), output.error().hint);
  if (output->exit_code == 0) return output->text;
  std::string words = output->text;
  taken_status(words);
  words = std::string(trimmed(without(std::move(words), secrets)));
  if (words.size() > most_words) words.resize(most_words);
  return fail_environment(whom, fmt::format("the notification failed with exit code {}{}{}",
                                            output->exit_code, words.empty() ? "" : ": ", words));
}

}  // namespace

Result<std::string> webhook_secret(const RegressionNotice& notice) {
  return stated_elsewhere("secret", notice.secret_environment, notice.secret_file);
}

Result<std::string> webhook_url(const RegressionNotice& notice) {
  if (!notice.url.empty()) return notice.url;
  auto url = stated_elsewhere("url", notice.url_environment, notice.url_file);
  if (url && !url->starts_with("https://") && !url->starts_with("http://"))
    return fail_environment(notice.url_file.empty() ? "$" + notice.url_environment : notice.url_file,
                            "holds no http or https address");
  return url;
}

std::string curl_configuration(const RegressionNotice& notice, const std::string& url,
                               const std::string& secret, const fs::path& payload) {
  std::string text = "silent\nshow-error\nfail\n";
  text += fmt::format("max-time = {}\n", notice.timeout_s);
  text += "proto = \"=http,https\"\noutput = \"/dev/null\"\n";
  text += fmt::format("write-out = \"\\n{}%{{http_code}}\\n\"\n", status_mark);
  text += fmt::format("url = {}\n", curl_quoted(url));
  text += "header = \"Content-Type: application/json\"\n";
  if (!secret.empty()) text += fmt::format("header = {}\n", curl_quoted(notice.header + ": " + secret));
  return text + fmt::format("data-binary = {}\n", curl_quoted("@" + payload.string()));
}

Result<void> notified(const RegressionNotice& notice, const fs::path& payload) {
  Result<void> outcome;
  if (!notice.command.empty()) {
    const auto content = file_content(payload);
    if (!content) return failure_of(content);
    if (auto sent = reported_by(notice.command.front(), notice.command, notice.timeout_s, *content, {});
        !sent)
      outcome = failure_of(sent);
  }
  if (!notice.has_webhook()) return outcome;
  if (program_in_path("curl").empty())
    return fail_environment("curl", "no such program in PATH, and the webhook needs it",
                            "apt-get install curl");
  const auto secret = webhook_secret(notice);
  if (!secret) return failure_of(secret);
  const auto url = webhook_url(notice);
  if (!url) return failure_of(url);
  // A little longer than curl's own limit, whose message explains more.
  auto hooked = reported_by("webhook", {"curl", "--disable", "--config", "-"}, notice.timeout_s + 5,
                            curl_configuration(notice, *url, *secret, payload), {*secret, *url});
  if (!hooked) return failure_of(hooked);
  const std::string status = taken_status(*hooked);
  if (status.starts_with('2')) return outcome;
  return fail_environment(
      "webhook", fmt::format("answered with status {}, which takes no notification", status),
      status.starts_with('3') ? "state the address that it redirects to" : "only a 2xx status confirms it");
}

}  // namespace shakedown
