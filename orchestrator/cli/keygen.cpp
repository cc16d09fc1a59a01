#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "orchestrator/cli/command.hpp"
#include "orchestrator/core/text.hpp"
#include "reports/evidence/key_file.hpp"

namespace shakedown::command {
namespace {

struct KeyOptions {
  std::string output;
  std::string comment;
};

Result<int> make_key(const KeyOptions& options, const CommonOptions& common) {
  if (std::ranges::any_of(options.comment, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    return fail("--comment", "holds a control character", "give one line of text");
  const auto files = make_key_files(options.output, std::string(trimmed(options.comment)));
  if (!files) return failure_of(files);
  const std::string fingerprint = fingerprint_of(files->public_key);
  if (common.json) {
    const nlohmann::ordered_json document = {{"schema", "shakedown.key/1"},
                                             {"secret", files->secret.string()},
                                             {"public", files->public_file.string()},
                                             {"public_key", files->public_key},
                                             {"fingerprint", fingerprint}};
    std::cout << document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
    return 0;
  }
  std::cout << "secret key   " << files->secret.string()
            << "  (mode 0600, no passphrase: keep it where nobody else reads)\n"
            << "public key   " << files->public_file.string()
            << "  (give it to whoever shall check your signature)\n"
            << "fingerprint  " << fingerprint << "\n";
  return 0;
}

}  // namespace

extern const Command keygen;
const Command keygen = {
    .id = "keygen",
    .about = "make a key to sign bundles with (Ed25519)",
    .rank = 86,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<KeyOptions>();
      app.add_option("-o,--output", options->output, "files NAME.key and NAME.pub; neither may be there")
          ->type_name("NAME")
          ->required();
      app.add_option("--comment", options->comment, "whose key it is; stands in both files")
          ->type_name("TEXT");
      app.footer("Example: shakedown keygen -o acme --comment \"ACME, acceptance team\"");
      return [options, &common] { return make_key(*options, common); };
    },
};

}  // namespace shakedown::command
