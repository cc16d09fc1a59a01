#pragma once
#include <filesystem>
#include <string>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/regression.hpp"

namespace shakedown {

/// What stands between the program and a webhook's secret: a file, or a variable of the environment. Empty
/// where none is stated. Fails where it can't be read, is empty, or spans several lines; the sentence never
/// holds it.
Result<std::string> webhook_secret(const RegressionNotice& notice);

/// The webhook's address: as it stands in the configuration, or from where that says it is. Fails as
/// `webhook_secret`, and where it is no http or https address; the sentence never holds it.
Result<std::string> webhook_url(const RegressionNotice& notice);

/// curl's configuration for a webhook, which it reads from its standard input: address and secret never
/// stand on a command line, where `ps` shows them. `payload`: the file that is sent.
std::string curl_configuration(const RegressionNotice& notice, const std::string& url,
                               const std::string& secret, const std::filesystem::path& payload);

/// Tells by command, by webhook, or by both. `payload` is a file that holds a `shakedown.notification/1`.
/// Fails (environment) with what the command or curl says, secret and address masked, and where the webhook
/// answers with another status than 2xx: a redirect to a page to log in at tells nobody.
Result<void> notified(const RegressionNotice& notice, const std::filesystem::path& payload);

}  // namespace shakedown
