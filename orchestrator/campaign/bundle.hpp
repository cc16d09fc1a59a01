#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "reports/evidence/manifest.hpp"
#include "reports/evidence/signatures.hpp"

namespace shakedown {

// Where a bundle holds what does not lie in the campaign's folder, campaigns/<campaign>.
inline constexpr std::string_view bundled_results = "report/results.json";
inline constexpr std::string_view bundled_report = "report/report.html";
inline constexpr std::string_view bundled_store = "store/attempts.jsonl";
inline constexpr std::string_view bundled_others = "store/others.json";
inline constexpr std::string_view bundled_acceptances = "accepted.jsonl";
inline constexpr std::string_view bundled_list = "campaigns.jsonl";
inline constexpr std::string_view bundled_comparability = "share/comparability.toml";
inline constexpr std::string_view bundled_baselines = "share/baselines";
inline constexpr std::string_view bundled_timestamps = "timestamps";

/// What shall be bundled.
struct BundleRequest {
  std::string campaign;                           ///< its whole id
  std::filesystem::path target;                   ///< the archive
  std::optional<SigningKey> key;                  ///< none: it stays unsigned
  Signer signer;                                  ///< whose the key is
  bool redact = false;                            ///< without names of the site (`redact_bundle`)
  std::vector<std::filesystem::path> timestamps;  ///< answers of time-stamp authorities
};

/// A bundle that was written.
struct MadeBundle {
  Manifest manifest;
  std::string sentence;        ///< the campaign's verdict
  std::uint64_t bytes = 0;     ///< of all files
  std::uint64_t archived = 0;  ///< of the archive
  std::vector<std::string>
      doubtful{};  ///< of a redacted one: words that may be names  NOLINT(readability-redundant-member-init)
};

/// Writes the archive that a third party checks: the campaign's folder without secrets, its verdict and its
/// report as they are judged now, its rows of the store, and what the verdict takes from elsewhere. The same
/// campaign gives the same root. The archive replaces an older one once it is whole.
///
/// Fails while the campaign runs, and where a time stamp is none or is of neither the journal's first nor its
/// last root; (environment) where store and run directories differ, and where the archive can't be written.
Result<MadeBundle> make_bundle(const Workspace& workspace, const BundleRequest& request,
                               const Layout& layout);

}  // namespace shakedown
