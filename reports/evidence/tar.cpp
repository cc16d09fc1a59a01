#include "reports/evidence/tar.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "orchestrator/core/text.hpp"
#include "reports/evidence/archive_path.hpp"

namespace shakedown {
namespace {

constexpr std::int64_t tar_second_ns = 1'000'000'000;
constexpr std::int64_t tar_end_bytes = 1024;                    // two blocks of zeros
constexpr std::int64_t most_end_bytes = std::int64_t{1} << 20;  // tar fills up records of 10 KiB or more

std::string kind_of(archive_entry* entry) {
  if (archive_entry_hardlink(entry) != nullptr) return "a hard link";
  switch (archive_entry_filetype(entry)) {
    case AE_IFREG:
      return archive_entry_sparse_count(entry) > 0 ? "a sparse file" : "";
    case AE_IFLNK:
      return "a symbolic link";
    case AE_IFDIR:
      return "a folder";
    case AE_IFIFO:
      return "a pipe";
    case AE_IFCHR:
    case AE_IFBLK:
      return "a device";
    default:
      return "of an unknown kind";
  }
}

}  // namespace

struct TarReader::State {
  std::function<Result<std::string>()> source;
  std::string name;
  archive* reader = archive_read_new();
  // The last two pieces, and where they begin: what follows the archive's end is in them.
  std::string piece;
  std::string piece_before;
  std::int64_t begins_at = 0;
  std::optional<Error> failure;  ///< of the source
  std::int64_t position = 0;     ///< within the file

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { archive_read_free(reader); }

  static la_ssize_t read(archive* /*reader*/, void* data, const void** buffer) {
    auto& state = *static_cast<State*>(data);
    auto next = state.source();
    if (!next) {
      state.failure = next.error();
      return ARCHIVE_FATAL;
    }
    if (next->empty()) return 0;
    state.begins_at += static_cast<std::int64_t>(state.piece.size());
    state.piece_before = std::exchange(state.piece, *std::move(next));
    *buffer = state.piece.data();
    return static_cast<la_ssize_t>(state.piece.size());
  }

  [[nodiscard]] tl::unexpected<Error> refused() const {
    if (failure) return tl::unexpected<Error>(*failure);
    const char* why = archive_error_string(reader);
    return fail(name, fmt::format("is no tar archive, or a damaged one: {}", why == nullptr ? "" : why),
                "copy the file again");
  }
};

TarReader::TarReader(std::function<Result<std::string>()> source, std::string name)
    : state_(std::make_unique<State>()) {
  if (state_->reader == nullptr) throw std::bad_alloc();
  state_->source = std::move(source);
  state_->name = std::move(name);
  archive_read_support_format_tar(state_->reader);
  archive_read_open(state_->reader, state_.get(), nullptr, &State::read, nullptr);
}
TarReader::TarReader(TarReader&& other) noexcept = default;
TarReader& TarReader::operator=(TarReader&& other) noexcept = default;
TarReader::~TarReader() = default;

Result<std::optional<TarEntry>> TarReader::next() {
  archive_entry* entry = nullptr;
  const int status = archive_read_next_header(state_->reader, &entry);
  if (status == ARCHIVE_EOF && !state_->failure) return std::nullopt;
  if (status <= ARCHIVE_FAILED || state_->failure) return state_->refused();
  const char* path = archive_entry_pathname(entry);
  // A warning of libarchive is of a name that this locale can't take.
  const std::string name = path == nullptr ? "" : path;
  const std::string shown = printable_line(std::string_view(name).substr(0, 200));
  if (const std::string kind = kind_of(entry); !kind.empty())
    return fail(state_->name,
                fmt::format("holds '{}', which is {}: a bundle holds regular files alone", shown, kind));
  if (path == nullptr)
    return fail(state_->name, "holds a file whose name holds bytes that a bundle writes otherwise");
  if (const std::string wrong = wrong_archive_path(name); !wrong.empty())
    return fail(state_->name, fmt::format("holds a file called '{}', which {}", shown, wrong));
  if (status != ARCHIVE_OK) return state_->refused();
  if (archive_entry_size_is_set(entry) == 0 || archive_entry_size(entry) < 0)
    return fail(state_->name, fmt::format("holds '{}' without a size", shown));
  state_->position = 0;
  return TarEntry{name, static_cast<std::uint64_t>(archive_entry_size(entry)),
                  archive_entry_mtime(entry) * tar_second_ns + archive_entry_mtime_nsec(entry)};
}

Result<std::string_view> TarReader::piece() {
  const void* data = nullptr;
  std::size_t size = 0;
  la_int64_t offset = 0;
  do {
    const int status = archive_read_data_block(state_->reader, &data, &size, &offset);
    if (status == ARCHIVE_EOF) return std::string_view();
    if (status != ARCHIVE_OK || state_->failure) return state_->refused();
    if (offset != state_->position) return fail(state_->name, "holds a sparse file");
  } while (size == 0);
  state_->position += static_cast<std::int64_t>(size);
  return std::string_view(static_cast<const char*>(data), size);
}

Result<void> TarReader::finish() {
  // Where the two blocks of zeros begin that end it.
  std::int64_t at = archive_read_header_position(state_->reader);
  std::int64_t bytes = 0;
  const auto take = [&](std::string_view rest) -> Result<void> {
    bytes += static_cast<std::int64_t>(rest.size());
    if (std::ranges::any_of(rest, [](char c) { return c != '\0'; }) || bytes > most_end_bytes)
      return fail(state_->name, "goes on behind the end of the archive");
    return {};
  };
  const auto before = static_cast<std::int64_t>(state_->piece_before.size());
  if (at < state_->begins_at - before) return fail(state_->name, "goes on behind the end of the archive");
  if (at < state_->begins_at) {
    if (auto zeros = take(std::string_view(state_->piece_before)
                              .substr(static_cast<std::size_t>(at - (state_->begins_at - before))));
        !zeros)
      return zeros;
    at = state_->begins_at;
  }
  const auto from = static_cast<std::size_t>(at - state_->begins_at);
  if (from < state_->piece.size())
    if (auto zeros = take(std::string_view(state_->piece).substr(from)); !zeros) return zeros;
  while (true) {
    const auto more = state_->source();
    if (!more) return failure_of(more);
    if (more->empty()) break;
    if (auto zeros = take(*more); !zeros) return zeros;
  }
  if (bytes < tar_end_bytes)
    return fail(state_->name, "is cut: the end of the tar archive is missing", "copy the file again");
  return {};
}

struct TarWriter::State {
  std::function<Result<void>(std::string_view)> sink;
  std::string name;
  archive* writer = archive_write_new();
  std::optional<Error> failure;  ///< of the sink

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    archive_write_fail(writer);  // what was not finished is not written out here
    archive_write_free(writer);
  }

  static la_ssize_t write(archive* writer, void* data, const void* buffer, std::size_t size) {
    auto& state = *static_cast<State*>(data);
    if (auto taken = state.sink({static_cast<const char*>(buffer), size}); !taken) {
      state.failure = taken.error();
      archive_set_error(writer, EIO, "cannot be written");
      return -1;
    }
    return static_cast<la_ssize_t>(size);
  }

  [[nodiscard]] Result<void> done(bool well) const {
    if (failure) return tl::unexpected<Error>(*failure);
    if (well) return {};
    return fail_environment(name, fmt::format("cannot be written: {}", archive_error_string(writer)));
  }
};

TarWriter::TarWriter(std::function<Result<void>(std::string_view)> sink, std::string name)
    : state_(std::make_unique<State>()) {
  if (state_->writer == nullptr) throw std::bad_alloc();
  state_->sink = std::move(sink);
  state_->name = std::move(name);
  archive_write_set_format_pax(state_->writer);
  archive_write_set_bytes_per_block(state_->writer, 1 << 20);
  archive_write_set_bytes_in_last_block(state_->writer, 1);
  archive_write_open(state_->writer, state_.get(), nullptr, &State::write, nullptr);
}
TarWriter::TarWriter(TarWriter&& other) noexcept = default;
TarWriter& TarWriter::operator=(TarWriter&& other) noexcept = default;
TarWriter::~TarWriter() = default;

Result<void> TarWriter::begin(const TarEntry& entry) {
  const std::unique_ptr<archive_entry, void (*)(archive_entry*)> header(archive_entry_new(),
                                                                        &archive_entry_free);
  archive_entry_set_pathname(header.get(), entry.path.c_str());
  archive_entry_set_size(header.get(), static_cast<la_int64_t>(entry.bytes));
  archive_entry_set_filetype(header.get(), AE_IFREG);
  archive_entry_set_perm(header.get(), S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
  archive_entry_set_mtime(header.get(), entry.changed_ns / tar_second_ns,
                          static_cast<long>(entry.changed_ns % tar_second_ns));
  return state_->done(archive_write_header(state_->writer, header.get()) == ARCHIVE_OK);
}

Result<void> TarWriter::write(std::string_view piece) {
  const la_ssize_t n = archive_write_data(state_->writer, piece.data(), piece.size());
  return state_->done(n == static_cast<la_ssize_t>(piece.size()));
}

Result<void> TarWriter::finish() {
  return state_->done(archive_write_close(state_->writer) == ARCHIVE_OK);
}

}  // namespace shakedown
