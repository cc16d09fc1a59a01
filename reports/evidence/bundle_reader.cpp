#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash_stream.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/evidence/archive_path.hpp"
#include "reports/evidence/bundle_file.hpp"
#include "reports/evidence/read_ahead.hpp"
#include "reports/evidence/tar.hpp"
#include "reports/evidence/zstd_file.hpp"

namespace shakedown {
namespace {

constexpr std::uint64_t largest_manifest = std::uint64_t{64} << 20;
constexpr std::uint64_t most_unlisted = std::uint64_t{64} << 20;  // bytes of files that the manifest lacks
constexpr int most_findings = 1000;

/// A file that is being unpacked.
class UnpackedFile {
 public:
  static Result<UnpackedFile> create(const fs::path& path) {
    if (auto made = make_folder(path.parent_path()); !made) return failure_of(made);
    UnpackedFile file(path);
    file.fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file.fd_ < 0) return file.failure("create");
    return file;
  }
  UnpackedFile(UnpackedFile&& other) noexcept
      : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}
  UnpackedFile& operator=(UnpackedFile&&) = delete;
  UnpackedFile(const UnpackedFile&) = delete;
  UnpackedFile& operator=(const UnpackedFile&) = delete;
  ~UnpackedFile() {
    if (fd_ >= 0) ::close(fd_);
  }

  Result<void> write(std::string_view rest) {
    while (!rest.empty()) {
      const ssize_t n = ::write(fd_, rest.data(), rest.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return failure("write");
      rest.remove_prefix(static_cast<std::size_t>(n));
    }
    return {};
  }
  /// Several logs of a run may be told apart by their times.
  void set_time(std::int64_t changed_ns) const {
    constexpr std::int64_t second = 1'000'000'000;
    const timespec time = {changed_ns / second, changed_ns % second};
    const std::array<timespec, 2> times = {time, time};
    ::futimens(fd_, times.data());
  }

 private:
  explicit UnpackedFile(fs::path path) : path_(std::move(path)) {}
  [[nodiscard]] tl::unexpected<Error> failure(std::string_view verb) const {
    return fail_environment(path_.string(), fmt::format("cannot {}: {}", verb, std::strerror(errno)),
                            errno == ENOSPC ? "set TMPDIR to a folder with more space" : "");
  }
  fs::path path_;
  int fd_ = -1;
};

/// One reading of an archive.
class BundleReading {
 public:
  BundleReading(std::function<Result<std::string>()> source, std::string name,
                const std::optional<fs::path>& folder)
      : name_(std::move(name)), tar_(std::move(source), name_), folder_(folder) {}

  Result<BundleContent> run() {
    if (auto read = read_manifest(); !read) return failure_of(read);
    if (auto made = prepare(); !made) return failure_of(made);
    for (int position = 1;; ++position) {
      const auto entry = tar_.next();
      if (!entry) return failure_of(entry);
      const std::optional<TarEntry>& file = *entry;
      if (!file) break;
      if (auto taken = take(*file, position); !taken) return failure_of(taken);
      if (content_.findings.size() > most_findings)
        return fail(name_, fmt::format("has more than {} files that its manifest does not state so: {} {}",
                                       most_findings, content_.findings.front().path,
                                       content_.findings.front().what));
    }
    if (auto ended = tar_.finish(); !ended) return failure_of(ended);
    for (const ManifestFile& file : content_.manifest.files)
      if (!seen_.contains(file.path)) found(file.path, "is missing");
    return std::move(content_);
  }

 private:
  void found(const std::string& path, std::string what) {
    content_.findings.push_back({path, std::move(what)});
  }

  /// The whole content of the file that is being read.
  Result<std::string> text_of(const TarEntry& entry, std::uint64_t most) {
    if (entry.bytes > most)
      return fail(name_, fmt::format("holds {} with {}: at most {} are read", entry.path,
                                     bytes_text(static_cast<double>(entry.bytes)),
                                     bytes_text(static_cast<double>(most))));
    std::string text;
    while (true) {
      const auto piece = tar_.piece();
      if (!piece) return failure_of(piece);
      if (piece->empty()) return text;
      text += *piece;
    }
  }

  Result<void> read_manifest() {
    const auto entry = tar_.next();
    if (!entry) return failure_of(entry);
    const std::string hint = "give the file that `shakedown bundle -o FILE` wrote";
    const std::optional<TarEntry>& file = *entry;
    if (!file) return fail(name_, "is no bundle: the archive is empty", hint);
    if (file->path != manifest_file)
      return fail(name_,
                  fmt::format("is no bundle: its first file is {}, not {}",
                              printable_line(std::string_view(file->path).substr(0, 200)), manifest_file),
                  hint);
    const auto text = text_of(*file, largest_manifest);
    if (!text) return failure_of(text);
    auto manifest = manifest_from_json(*text, fmt::format("{}: {}", name_, manifest_file));
    if (!manifest) return failure_of(manifest);
    content_.manifest = *std::move(manifest);
    const std::string root = manifest_root(content_.manifest);
    if (content_.manifest.root != root)
      found(std::string(manifest_file),
            fmt::format("states the root {}, and its lines give {}", content_.manifest.root, root));
    content_.manifest.root = root;
    return {};
  }

  /// Refuses what has no place here.
  Result<void> prepare() {
    std::uint64_t announced = 0;
    for (const ManifestFile& file : content_.manifest.files) {
      if (file.bytes > static_cast<std::uint64_t>(INT64_MAX) - announced)
        return fail(name_, "announces more bytes than any disk has");
      announced += file.bytes;
    }
    content_.bytes = announced;
    if (!folder_) return {};
    struct statvfs place = {};
    const bool known = ::statvfs(folder_->c_str(), &place) == 0;
    const double free_bytes =
        known ? static_cast<double>(place.f_bavail) * static_cast<double>(place.f_frsize) : 0;
    if (known && static_cast<double>(announced) > free_bytes)
      return fail_environment(folder_->string(),
                              fmt::format("has {} free, and the bundle announces {}", bytes_text(free_bytes),
                                          bytes_text(static_cast<double>(announced))),
                              "set TMPDIR to a folder with more space");
    for (const std::string& each : content_.manifest.folders)
      if (auto made = make_folder(*folder_ / path_of_archive(each)); !made) return made;
    return {};
  }

  Result<void> take(const TarEntry& entry, int position) {
    if (entry.path == manifest_file || !seen_.insert(entry.path).second)
      return fail(name_, fmt::format("holds {} twice", entry.path));
    if (entry.path == signatures_file && position == 1) {
      const auto text = text_of(entry, largest_signatures);
      if (!text) return failure_of(text);
      auto signatures = signatures_from_lines(*text, fmt::format("{}: {}", name_, signatures_file));
      if (!signatures) return failure_of(signatures);
      content_.signatures = *std::move(signatures);
      return {};
    }
    const ManifestFile* listed = file_of(content_.manifest, entry.path);
    if (listed == nullptr || listed->bytes != entry.bytes) {
      found(entry.path, listed == nullptr ? "is not in the manifest"
                                          : fmt::format("has {} bytes, and the manifest states {}",
                                                        entry.bytes, listed->bytes));
      unlisted_ += entry.bytes;  // read past, not written: a few may, a flood may not
      if (unlisted_ > most_unlisted)
        return fail(name_, fmt::format("holds more than its manifest announces: {} {}", entry.path,
                                       content_.findings.back().what));
      return {};
    }
    return take_listed(entry, *listed);
  }

  Result<void> take_listed(const TarEntry& entry, const ManifestFile& listed) {
    std::optional<UnpackedFile> file;
    if (folder_) {
      auto created = UnpackedFile::create(*folder_ / path_of_archive(entry.path));
      if (!created) return failure_of(created);
      file.emplace(*std::move(created));
    }
    Sha256 hash;
    std::uint64_t bytes = 0;
    while (true) {
      const auto piece = tar_.piece();
      if (!piece) return failure_of(piece);
      if (piece->empty()) break;
      bytes += piece->size();
      if (bytes > listed.bytes)
        return fail(name_, fmt::format("holds more of {} than it states", entry.path));
      hash.add(*piece);
      if (file)
        if (auto written = file->write(*piece); !written) return written;
    }
    if (file) file->set_time(entry.changed_ns);
    if (const std::string now = hash.hex(); now != listed.sha256)
      found(entry.path, fmt::format("has SHA-256 {}, and the manifest states {}", now, listed.sha256));
    return {};
  }

  std::string name_;
  TarReader tar_;
  std::optional<fs::path> folder_;
  BundleContent content_;
  std::set<std::string> seen_;
  std::uint64_t unlisted_ = 0;
};

}  // namespace

Result<BundleContent> read_bundle(const fs::path& archive, const std::optional<fs::path>& folder) {
  auto zstd = ZstdReader::open(archive);
  if (!zstd) return failure_of(zstd);
  ReadAhead ahead([&zstd] { return zstd->read(); });
  return read_bundle_tar([&ahead] { return ahead.next(); }, archive.string(), folder);
}

Result<BundleContent> read_bundle_tar(std::function<Result<std::string>()> source, const std::string& name,
                                      const std::optional<fs::path>& folder) {
  return BundleReading(std::move(source), name, folder).run();
}

fs::path countersignature_file(const fs::path& archive) {
  return archive.string() + ".sig";
}

}  // namespace shakedown
