// libFuzzer on the reader of bundles: whatever the bytes of a tar archive, it neither crashes nor hangs, a
// refusal states what and where, and a manifest that was read is written and read again as the same. Bytes
// that begin as JSON are read as a manifest, and as lines of signatures, by themselves: changes in an archive
// seldom fit its headers.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "reports/evidence/archive_path.hpp"
#include "reports/evidence/bundle_file.hpp"
#include "reports/evidence/signatures.hpp"

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

template <class T>
bool is_read(const Result<T>& result) {
  if (!result)
    demand(!result.error().where.empty() && !result.error().what.empty(),
           "a refusal without a place or a word");
  return result.has_value();
}

void check_manifest(const Manifest& manifest) {
  for (const auto* files : {&manifest.files, &manifest.withheld})
    for (const ManifestFile& file : *files)
      demand(wrong_archive_path(file.path).empty(), "a path that leads out");
  const auto again = manifest_from_json(manifest_json(manifest), "written");
  demand(again.has_value(), "a manifest that is refused once written");
  demand(manifest_root(*again) == manifest_root(manifest), "another root once written");
  Manifest read = manifest;
  read.root = again->root;  // the true one is written, not the one that was stated
  demand(read == *again, "a manifest that is read otherwise once written");
}

void read_json(std::string_view text) {
  if (const auto manifest = manifest_from_json(text, "input"); is_read(manifest)) check_manifest(*manifest);
  const auto signatures = signatures_from_lines(text, "input");
  if (!is_read(signatures)) return;
  std::string lines;
  for (const Signature& each : *signatures) lines += signature_line(each);
  const auto again = signatures_from_lines(lines, "written");
  demand(again.has_value() && *again == *signatures, "signatures that are read otherwise once written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.starts_with('{')) {
    read_json(bytes);
    return 0;
  }
  const auto content = read_in_pieces(bytes, std::size_t{1} << 20);
  const auto again = read_in_pieces(bytes, 1000);
  demand(content.has_value() == again.has_value(), "in pieces another outcome than at once");
  if (!is_read(content)) return 0;
  demand(content->findings == again->findings && content->manifest == again->manifest,
         "in pieces other findings than at once");
  check_manifest(content->manifest);
  return 0;
}
