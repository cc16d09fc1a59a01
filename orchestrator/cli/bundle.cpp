#include "orchestrator/campaign/bundle.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/verify.hpp"
#include "orchestrator/cli/campaign_run.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/evidence/bundle_file.hpp"
#include "reports/evidence/key_file.hpp"

namespace shakedown::command {
namespace {

struct BundleOptions {
  std::string campaign;
  std::string output;
  std::string key;
  std::string as;
  std::string countersign;
  std::vector<std::string> timestamps;
  bool no_sign = false;
  bool redact = false;
};

using BundleJson = nlohmann::ordered_json;

void print_document(const BundleJson& document) {
  std::cout << document.dump(2, ' ', false, BundleJson::error_handler_t::replace) << "\n";
}

Result<int> countersign(const BundleOptions& options, const CommonOptions& common) {
  const auto refused = [](const char* option, const char* what) {
    return fail(option, what,
                "shakedown bundle --countersign x.tar.zst --key NAME.key --as \"customer: NAME\"");
  };
  if (!options.campaign.empty()) return refused("--countersign", "signs an archive, and a campaign is given");
  if (!options.output.empty())
    return refused("-o", "is for a new archive: the signature goes beside the old one");
  if (options.no_sign) return refused("--no-sign", "contradicts --countersign");
  if (options.redact) return refused("--redact", "is for a new archive");
  if (!options.timestamps.empty()) return refused("--timestamp", "goes into a new archive only");
  if (options.key.empty()) return refused("--countersign", "needs a key to sign with");
  if (options.as.empty()) return refused("--countersign", "needs who signs, and as what");
  const auto signer = signer_of(options.as);
  if (!signer) return failure_of(signer);
  const auto key = read_secret_key(options.key);
  if (!key) return failure_of(key);
  const auto signature = countersigned(options.countersign, *signer, *key);
  if (!signature) return failure_of(signature);
  const std::string file = countersignature_file(options.countersign).string();
  if (common.json) {
    print_document({{"schema", "shakedown.countersigned/1"},
                    {"file", file},
                    {"root", signature->root},
                    {"role", signature->role},
                    {"name", signature->name},
                    {"public_key", signature->public_key},
                    {"time", signature->time}});
    return 0;
  }
  std::cout << "signed   " << file << "  as " << signature->role << ": " << signature->name << ", key "
            << fingerprint_of(signature->public_key) << "\n"
            << "root     " << in_groups(signature->root) << "\n";
  if (!common.quiet)
    std::cerr
        << "note: the files are those of the manifest; whether the verdict holds says `shakedown verify "
        << shell_quoted(options.countersign) << "`\n";
  return 0;
}

Result<BundleRequest> bundle_request(const BundleOptions& options, const CommonOptions& common) {
  if (options.output.empty() && options.key.empty() && !options.no_sign)
    return fail(
        "-o and --key", "are missing: the archive, and the key that signs it",
        "shakedown bundle -o campaign.tar.zst --key NAME.key; `shakedown keygen -o NAME` makes a key, "
        "--no-sign leaves the bundle unsigned");
  if (options.output.empty())
    return fail("-o", "names the archive, and is missing",
                "shakedown bundle -o campaign.tar.zst --key NAME.key");
  if (options.key.empty() && !options.no_sign)
    return fail("--key", "is missing: an unsigned bundle proves only that its parts fit each other",
                "`shakedown keygen -o NAME` makes a key; --no-sign leaves the bundle unsigned");
  if (!options.key.empty() && options.no_sign)
    return fail("--no-sign", "contradicts --key", "give one of them");
  if (options.no_sign && !options.as.empty())
    return fail("--as", "is for a signature, and --no-sign makes none", "give --key, or leave it out");
  BundleRequest request;
  request.target = options.output;
  request.redact = options.redact;
  request.timestamps.assign(options.timestamps.begin(), options.timestamps.end());
  if (!options.key.empty()) {
    auto key = read_secret_key(options.key);
    if (!key) return failure_of(key);
    request.key = *std::move(key);
    auto signer = signer_of(
        options.as.empty() ? "maker: " + std::filesystem::path(options.key).stem().string() : options.as);
    if (!signer) return failure_of(signer);
    request.signer = *std::move(signer);
  }
  auto id = chosen_campaign(Workspace{common.workspace}, options.campaign);
  if (!id) return failure_of(id);
  request.campaign = *std::move(id);
  return request;
}

Result<int> bundle_campaign(const BundleOptions& options, const CommonOptions& common) {
  if (!options.countersign.empty()) return countersign(options, common);
  const auto request = bundle_request(options, common);
  if (!request) return failure_of(request);
  const auto made = make_bundle(Workspace{common.workspace}, *request, installed_layout());
  if (!made) return failure_of(made);
  if (common.json) {
    BundleJson document = {{"schema", "shakedown.bundled/1"},
                           {"file", options.output},
                           {"campaign", made->manifest.campaign},
                           {"sentence", made->sentence},
                           {"root", made->manifest.root},
                           {"first_root", made->manifest.first_root},
                           {"last_root", made->manifest.last_root},
                           {"files", made->manifest.files.size()},
                           {"bytes", made->bytes},
                           {"archive_bytes", made->archived},
                           {"signed", request->key.has_value()}};
    if (options.redact) document["redacted_of"] = made->manifest.redacted_of;
    if (options.redact) document["withheld"] = made->manifest.withheld.size();
    if (options.redact) document["doubtful"] = made->doubtful;
    document["left_out"] = BundleJson::array();
    for (const OmittedFile& each : made->manifest.left_out)
      document["left_out"].push_back({{"path", each.path}, {"because", each.because}});
    print_document(document);
    return 0;
  }
  std::cout << shown(
      fmt::format("{}\nbundled  {}: {}, {}, {} packed\nroot     {}\n", made->sentence, options.output,
                  plural(static_cast<std::int64_t>(made->manifest.files.size()), "file"),
                  bytes_text(static_cast<double>(made->bytes)),
                  bytes_text(static_cast<double>(made->archived)), in_groups(made->manifest.root)));
  if (const std::optional<SigningKey>& key = request->key)
    std::cout << "signed   as " << request->signer.role << ": " << request->signer.name << ", key "
              << fingerprint_of(key->public_key) << "\n";
  else
    std::cout << "unsigned: it proves only that its parts fit each other\n";
  if (options.redact)
    std::cout << fmt::format(
        "redacted {} withheld, each with its SHA-256; the bundle with the root {} holds them\n",
        plural(static_cast<std::int64_t>(made->manifest.withheld.size()), "file is", "files are"),
        in_groups(made->manifest.redacted_of));
  if (!common.quiet && !made->doubtful.empty())
    std::cerr << shown(
        fmt::format("note: read the report before you pass it on: these may be names, or plain words: {}\n",
                    joined(made->doubtful, ", ")));
  if (!common.quiet)
    for (const OmittedFile& each : made->manifest.left_out)
      std::cerr << "left out: " << each.path << " " << each.because << "\n";
  return 0;
}

}  // namespace

extern const Command bundle;
const Command bundle = {
    .id = "bundle",
    .about = "pack a campaign's evidence into one archive that others can verify, and sign it",
    .rank = 87,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<BundleOptions>();
      app.add_option("campaign", options->campaign, "id or its beginning (default: the newest)")
          ->type_name("CAMPAIGN");
      app.add_option("-o,--output", options->output, "the archive: tar, compressed with zstd")
          ->type_name("FILE");
      app.add_option("--key", options->key, "sign with this key, of `shakedown keygen`")->type_name("FILE");
      app.add_flag("--no-sign", options->no_sign, "leave it unsigned");
      app.add_option("--as", options->as,
                     "who signs, and as what: \"vendor: ACME\" (default: maker and the key's name)")
          ->type_name("ROLE:NAME");
      app.add_flag("--redact", options->redact,
                   "report and results without names of the site; all else is withheld, its SHA-256 is not");
      app.add_option(
             "--timestamp", options->timestamps,
             "an authority's answer (RFC 3161) for the first or the last root of the journal; may be given "
             "again")
          ->type_name("FILE.tsr");
      app.add_option("--countersign", options->countersign,
                     "sign an archive that is there: its root, in the file FILE.sig beside it")
          ->type_name("FILE");
      app.footer("Example: shakedown bundle -o acme.tar.zst --key acme.key --as \"vendor: ACME\"");
      return [options, &common] { return bundle_campaign(*options, common); };
    },
};

}  // namespace shakedown::command
