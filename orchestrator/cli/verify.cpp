#include "orchestrator/campaign/verify.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/cli/text/verify_text.hpp"
#include "orchestrator/core/secret.hpp"
#include "orchestrator/regression/rejudged_check.hpp"

namespace shakedown::command {
namespace {

struct VerifyOptions {
  std::string archive;
  std::vector<std::string> public_keys;
  std::vector<std::string> authorities;
};

/// Secrets of this environment are masked in what programs printed here. In a bundle's logs they are none of
/// ours: what comes out must not depend on who verifies.
void forget_secrets() {
  std::vector<std::string> names;
  for (char** each = ::environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view variable(*each);
    const std::size_t equals = variable.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view value = variable.substr(equals + 1);
    if (shown_value(variable.substr(0, equals), value) != value)
      names.emplace_back(variable.substr(0, equals));
  }
  for (const std::string& name : names)
    ::unsetenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): no thread yet
}

Result<int> verify_archive(const VerifyOptions& options, const CommonOptions& common) {
  std::error_code code;
  const std::filesystem::file_status found = std::filesystem::status(options.archive, code);
  constexpr const char* how =
      "`shakedown bundle -o x.tar.zst --key NAME.key` packs a campaign into an archive";
  if (std::filesystem::is_directory(found)) return fail(options.archive, "is a folder, not an archive", how);
  if (found.type() == std::filesystem::file_type::not_found)
    return fail(options.archive, "no such file", how);
  forget_secrets();
  VerifyRequest request;
  request.archive = options.archive;
  request.public_keys.assign(options.public_keys.begin(), options.public_keys.end());
  request.authorities.assign(options.authorities.begin(), options.authorities.end());
  request.rejudge_check = &rejudged_check;
  const auto done = verified_bundle(request, installed_layout());
  if (!done) return failure_of(done);
  std::cout << (common.json ? verify_json(*done) : shown(verify_text(*done)));
  return done->exit_code();
}

}  // namespace

extern const Command verify;
const Command verify = {
    .id = "verify",
    .about = "check a bundle offline: hashes, signatures, journal, every log, every rule, the verdict",
    .rank = 88,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<VerifyOptions>();
      app.add_option("archive", options->archive, "an archive of `shakedown bundle`; it needs no workspace")
          ->type_name("FILE")
          ->required();
      app.add_option("--public", options->public_keys, "it must be signed by this key; may be given again")
          ->type_name("FILE.pub");
      app.add_option("--tsa-ca", options->authorities,
                     "certificates (PEM) that time stamps may rest on; may be given again")
          ->type_name("FILE");
      app.footer("Example: shakedown verify acme.tar.zst --public acme.pub");
      return [options, &common] { return verify_archive(*options, common); };
    },
};

}  // namespace shakedown::command
