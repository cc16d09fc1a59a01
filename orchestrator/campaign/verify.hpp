#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "reports/evidence/key_file.hpp"
#include "reports/evidence/manifest.hpp"
#include "reports/evidence/signatures.hpp"
#include "reports/evidence/timestamp.hpp"

namespace shakedown {

/// What is checked of a bundle, in this order.
enum class VerifyStep {
  manifest,    ///< the files are those that the manifest lists
  signatures,  ///< they are by their keys, over this root
  journal,     ///< it is whole, and the run directories are those that it binds
  store,       ///< the rows of the store are what the logs give
  results,     ///< the verdict and every value of results.json, and the report, are what the logs give
};
std::string_view to_string(VerifyStep step);

/// Something that differs.
struct VerifyFinding {
  VerifyStep step = VerifyStep::manifest;
  std::string where;  ///< a file of the bundle, or the path of a value in it
  std::string what;   ///< a sentence without its subject; empty: `was` and `is` say it
  std::string was;    ///< the saved value; empty: there is none
  std::string is;     ///< the one that was recomputed
};

/// A signature with what was found out about it.
struct CheckedSignature {
  Signature signature;
  bool beside = false;   ///< in the file beside the archive
  std::string key_file;  ///< of the public key that was given and fits it; empty: none of them
  std::string owner;     ///< whose that key is, by its file; may be empty
  std::string wrong;     ///< why it does not hold; empty: it holds
};

/// A time stamp with which root of the journal it stamps.
struct CheckedTimestamp {
  Timestamp stamp;
  std::string what;  ///< "the journal's first hash", "the journal's last hash"
};

/// What became of the verification.
struct Verification {
  Manifest manifest;
  std::string verdict;   ///< as it was saved: "pass"
  std::string sentence;  ///< as it was saved
  std::vector<VerifyFinding> findings;
  std::vector<std::string> open;   ///< why it is undecided, a sentence each
  std::vector<std::string> notes;  ///< what stands beside it
  std::vector<CheckedSignature> signatures;
  std::vector<CheckedTimestamp> timestamps;
  std::string judged_as_of;    ///< the campaign's own time that waivers are judged by
  bool other_version = false;  ///< the bundle was made by another version of shakedown
  bool recomputed = false;     ///< the logs were read again, and the verdict judged again
  std::uint64_t bytes = 0;     ///< of all files
  int logs = 0;
  int results = 0;
  int rules = 0;
  int criteria = 0;                                ///< each for each case that it judges
  std::map<std::string, int> rules_by_status;      ///< "pass", "fail", "unknown", "n/a"
  int rules_invalidating = 0;                      ///< of those that fail, those that make a result invalid
  int rules_of_length = 0;                         ///< of these, those that a screening breaks by being short
  std::map<std::string, int> criteria_by_verdict;  ///< "pass", "fail", "no result", ..., "waived"
  int attempts = 0;
  double reading_s = 0;      ///< the archive: decompress, hash, unpack
  double recomputing_s = 0;  ///< journal, logs, verdict

  /// 0: it holds; 1: something differs; 3: undecided.
  [[nodiscard]] int exit_code() const;
};

/// A scheduled check that was judged again.
struct RejudgedCheck {
  std::vector<VerifyFinding> differences;
  std::vector<std::string> open;  ///< what only other bundles could prove, a sentence each
};

/// A bundle that shall be verified.
struct VerifyRequest {
  std::filesystem::path archive;
  std::vector<std::filesystem::path> public_keys;  ///< whose signatures it must have
  std::vector<std::filesystem::path> authorities;  ///< certificates that time stamps may rest on
  /// Judges a scheduled check again, from the unpacked bundle with its store; not set: none is.
  std::function<Result<RejudgedCheck>(const Workspace& bundle, const Outcome&, const Layout&)> rejudge_check;
};

/// Verifies a bundle without its workspace and without a network: reads the archive once, unpacks it into a
/// private folder, and judges its logs again by what it holds. The clock here does not matter. Fails (input)
/// where it is no bundle or a key can't be read; (environment) where it can't be unpacked.
Result<Verification> verified_bundle(const VerifyRequest& request, const Layout& layout);

/// Adds a signature of an archive's root to the file beside it, after its files were compared with its
/// manifest. Returns that signature. Fails (input) where they differ, and where the same key has signed in
/// the same role.
Result<Signature> countersigned(const std::filesystem::path& archive, const Signer& signer,
                                const SigningKey& key);

}  // namespace shakedown
