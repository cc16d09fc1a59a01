#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/hash_stream.hpp"
#include "orchestrator/core/parallel.hpp"
#include "orchestrator/core/text.hpp"
#include "reports/evidence/bundle_file.hpp"
#include "reports/evidence/tar.hpp"
#include "reports/evidence/zstd_file.hpp"

namespace shakedown {
namespace {

constexpr std::size_t bundled_piece = std::size_t{1} << 20;

/// A new file beside its final name, which takes it once it is whole. It is removed otherwise.
class NewArchive {
 public:
  static Result<NewArchive> create(const fs::path& target) {
    NewArchive archive(target, target.string() + fmt::format(".tmp{}", ::getpid()));
    ::unlink(archive.temporary_.c_str());  // of a process of this number that was killed
    archive.fd_ =
        ::open(archive.temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (archive.fd_ < 0) return archive.failure("create");
    return archive;
  }
  NewArchive(NewArchive&& other) noexcept
      : target_(std::move(other.target_)),
        temporary_(std::move(other.temporary_)),
        fd_(std::exchange(other.fd_, -1)) {}
  NewArchive& operator=(NewArchive&&) = delete;
  NewArchive(const NewArchive&) = delete;
  NewArchive& operator=(const NewArchive&) = delete;
  ~NewArchive() {
    if (fd_ < 0) return;
    ::close(fd_);
    ::unlink(temporary_.c_str());
  }

  [[nodiscard]] int fd() const { return fd_; }

  Result<void> put_in_place() {
    if (::fsync(fd_) != 0) return failure("write");
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) return failure("rename into place");
    ::close(std::exchange(fd_, -1));
    return sync_folder(target_.has_parent_path() ? target_.parent_path() : fs::path("."));
  }

 private:
  NewArchive(fs::path target, fs::path temporary)
      : target_(std::move(target)), temporary_(std::move(temporary)) {}
  [[nodiscard]] tl::unexpected<Error> failure(std::string_view verb) const {
    return fail_environment(target_.string(), fmt::format("cannot {}: {}", verb, std::strerror(errno)),
                            errno == ENOSPC   ? "free some space there"
                            : errno == ENOENT ? fmt::format("mkdir -p {}, or name another path",
                                                            shell_quoted(target_.parent_path().string()))
                                              : "");
  }
  fs::path target_;
  fs::path temporary_;
  int fd_ = -1;
};

std::int64_t changed_ns_of(const fs::path& source) {
  struct stat info = {};
  if (::stat(source.c_str(), &info) != 0) return 0;
  return info.st_mtim.tv_sec * std::int64_t{1'000'000'000} + info.st_mtim.tv_nsec;
}

Result<void> add_content(TarWriter& tar, std::string_view path, std::string_view content) {
  if (auto begun = tar.begin({std::string(path), content.size(), 0}); !begun) return begun;
  return content.empty() ? Result<void>() : tar.write(content);
}

Result<void> add_source(TarWriter& tar, const ManifestFile& file, const fs::path& source) {
  const auto changed = [&] {
    return fail_environment(source.string(), "changed while it was being bundled",
                            "give the same command again once nothing writes there");
  };
  const int fd = ::open(source.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0)
    return fail_environment(source.string(), fmt::format("cannot be read: {}", std::strerror(errno)));
  const std::unique_ptr<const int, void (*)(const int*)> closing(&fd,
                                                                 [](const int* open) { ::close(*open); });
  if (auto begun = tar.begin({file.path, file.bytes, changed_ns_of(source)}); !begun) return begun;
  std::string buffer(bundled_piece, '\0');
  Sha256 hash;
  std::uint64_t left = file.bytes;
  while (left > 0) {
    const ssize_t n = ::read(fd, buffer.data(), std::min<std::uint64_t>(buffer.size(), left));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return changed();
    const std::string_view piece = std::string_view(buffer).substr(0, static_cast<std::size_t>(n));
    hash.add(piece);
    if (auto written = tar.write(piece); !written) return written;
    left -= piece.size();
  }
  if (hash.hex() != file.sha256) return changed();
  return {};
}

}  // namespace

Result<ManifestFile> listed_file(const BundledFile& file) {
  if (const auto* content = std::get_if<std::string>(&file.from))
    return ManifestFile{file.path, content->size(), sha256(*content)};
  const fs::path& source = std::get<fs::path>(file.from);
  std::error_code code;
  const std::uintmax_t bytes = fs::file_size(source, code);
  if (code) return fail_environment(source.string(), fmt::format("cannot be read: {}", code.message()));
  auto hash = sha256_of_file(source);
  if (!hash) return failure_of(hash);
  return ManifestFile{file.path, bytes, *std::move(hash)};
}

Result<Manifest> write_bundle(const fs::path& target, Manifest header, std::vector<BundledFile> files,
                              const std::function<std::string(const std::string& root)>& sign) {
  std::ranges::sort(files, {}, &BundledFile::path);
  std::vector<Result<ManifestFile>> entries(files.size());
  for_each_index(files.size(), usable_cpus(), [&](std::size_t i) { entries[i] = listed_file(files[i]); });
  for (Result<ManifestFile>& entry : entries) {
    if (!entry) return failure_of(entry);
    header.files.push_back(*std::move(entry));
  }
  header.root = manifest_root(header);
  const std::string text = manifest_json(header);
  // What is written here must be what `read_bundle` takes.
  if (const auto readable = manifest_from_json(text, std::string(manifest_file)); !readable)
    return failure_of(readable);

  if (const std::string_view kind = special_file(target); !kind.empty())
    return fail(target.string(), fmt::format("is {}, not a regular file", kind),
                "choose another file with -o");
  auto archive = NewArchive::create(target);
  if (!archive) return failure_of(archive);
  ZstdWriter zstd(archive->fd(), target.string());
  TarWriter tar([&zstd](std::string_view piece) { return zstd.write(piece); }, target.string());
  auto written = add_content(tar, manifest_file, text);
  if (written && sign) written = add_content(tar, signatures_file, sign(header.root));
  for (std::size_t i = 0; written && i < files.size(); ++i)
    if (const auto* content = std::get_if<std::string>(&files[i].from))
      written = add_content(tar, files[i].path, *content);
    else
      written = add_source(tar, header.files[i], std::get<fs::path>(files[i].from));
  if (written) written = tar.finish();
  if (written) written = zstd.finish();
  if (written) written = archive->put_in_place();
  if (!written) return failure_of(written);
  return header;
}

}  // namespace shakedown
