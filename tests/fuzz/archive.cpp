// libFuzzer on the reader of bundles: whatever the bytes of a tar archive, it neither crashes nor hangs, a
// refusal states what and where, and a manifest that was read is written and read again as the same.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "reports/evidence/archive_path.hpp"
#include "reports/evidence/bundle_file.hpp"

using namespace shakedown;

namespace {

void demand(bool holds, std::string_view what) {
  if (holds) return;
  fmt::print(stderr, "{}\n", what);
  std::abort();
}

/// Pieces of another length each time, so that headers lie across them.
Result<BundleContent> read_in_pieces(std::string_view bytes, std::size_t most) {
  return read_bundle_tar(
      [&bytes, most]() -> Result<std::string> {
        std::string piece(bytes.substr(0, std::min(most, bytes.size())));
        bytes.remove_prefix(piece.size());
        return piece;
      },
      "input", std::nullopt);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto content = read_in_pieces(bytes, std::size_t{1} << 20);
  const auto again = read_in_pieces(bytes, 1000);
  demand(content.has_value() == again.has_value(), "in pieces another outcome than at once");
  if (!content) {
    demand(!content.error().where.empty() && !content.error().what.empty(),
           "a refusal without a place or a word");
    return 0;
  }
  demand(content->findings == again->findings && content->manifest == again->manifest,
         "in pieces other findings than at once");
  for (const ManifestFile& file : content->manifest.files)
    demand(wrong_archive_path(file.path).empty(), "a path that leads out");
  const auto manifest = manifest_from_json(manifest_json(content->manifest), "written");
  demand(manifest.has_value() && *manifest == content->manifest,
         "a manifest that is read otherwise once written");
  return 0;
}
