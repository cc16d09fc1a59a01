#include <algorithm>

#include "orchestrator/campaign/verify.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "reports/evidence/bundle_file.hpp"

namespace shakedown {

Result<Signature> countersigned(const fs::path& archive, const Signer& signer, const SigningKey& key) {
  const auto content = read_bundle(archive, std::nullopt);
  if (!content) return failure_of(content);
  if (!content->findings.empty())
    return fail(archive.string(),
                fmt::format("is not what its manifest states: {} {}", content->findings.front().path,
                            content->findings.front().what),
                fmt::format("`shakedown verify {}` names all that differs", shell_quoted(archive.string())));
  const fs::path beside = countersignature_file(archive);
  std::string lines;
  std::error_code code;
  if (fs::exists(beside, code)) {
    auto text = file_content_within(beside, largest_signatures);
    if (!text) return failure_of(text);
    const auto known = signatures_from_lines(*text, beside.string());
    if (!known) return failure_of(known);
    if (std::ranges::any_of(*known, [&](const Signature& each) {
          return each.public_key == key.public_key && each.role == signer.role && each.name == signer.name &&
                 each.root == content->manifest.root && holds(each);
        }))
      return fail(beside.string(), "has this signature already");
    lines = *std::move(text);
    if (!lines.empty() && !lines.ends_with('\n')) lines += '\n';
  }
  Signature signature = signed_root(content->manifest.root, signer, key);
  lines += signature_line(signature);
  if (auto written = write_file(beside, lines, Durability::power_loss); !written) return failure_of(written);
  return signature;
}

}  // namespace shakedown
