#include "orchestrator/core/text_source.hpp"
#include "orchestrator/core/file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

namespace shakedown {
namespace {

constexpr size_t piece_bytes = size_t{1} << 18;
constexpr size_t longest_line = size_t{1} << 20;
constexpr size_t most_zeros = size_t{64} << 20;
constexpr size_t most_of_pipe = size_t{16} << 30;

tl::unexpected<Error> read_failure(const std::string& name) {
  return fail_environment(name, fmt::format("cannot read: {}", std::strerror(errno)));
}

/// Bytes read, 0 at the end, below 0 with errno.
ssize_t read_some(int fd, char* to, size_t bytes) {
  ssize_t n = 0;
  do n = ::read(fd, to, bytes);
  while (n < 0 && errno == EINTR);
  return n;
}

/// A temporary file without a name that holds all that comes through a pipe.
Result<int> copy_of_pipe(int pipe, const std::string& name) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> copy(std::tmpfile(), std::fclose);
  if (!copy) return fail_environment(name, "no temporary file can be made for it");
  const auto no_room = [&] {
    return fail_environment(name,
                            fmt::format("cannot be copied to a temporary file: {}", std::strerror(errno)),
                            "free some space in /tmp, or give the log as a file");
  };
  std::string buffer(piece_bytes, '\0');
  bool empty = true;
  size_t bytes = 0;
  while (const ssize_t n = read_some(pipe, buffer.data(), buffer.size())) {
    if (n < 0 && errno == EAGAIN) {  // opened without waiting, and somebody writes
      pollfd more{pipe, POLLIN, 0};
      ::poll(&more, 1, -1);
      continue;
    }
    if (n < 0) return read_failure(name);
    empty = false;
    bytes += static_cast<size_t>(n);
    if (bytes > most_of_pipe)
      return fail_environment(name, "gives more than 16 GiB and does not end",
                              "give the log as a file, or the part of it that counts");
    if (std::fwrite(buffer.data(), 1, static_cast<size_t>(n), copy.get()) != static_cast<size_t>(n))
      return no_room();
  }
  if (empty && pipe != STDIN_FILENO) return fail_environment(name, "is a pipe without a writer");
  if (std::fflush(copy.get()) != 0) return no_room();
  const int fd = ::dup(::fileno(copy.get()));
  if (fd < 0) return read_failure(name);
  return fd;
}

}  // namespace

Result<TextSource> TextSource::file(const fs::path& path) {
  TextSource source;
  source.name_ = path.string();
  source.fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat info = {};
  const bool is_socket = source.fd_ < 0 && ::stat(path.c_str(), &info) == 0 && S_ISSOCK(info.st_mode);
  if (source.fd_ < 0 && !is_socket)
    return fail_environment(source.name_, fmt::format("cannot open: {}", std::strerror(errno)));
  if (!is_socket && ::fstat(source.fd_, &info) != 0) return read_failure(source.name_);
  if (S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return read_failure(source.name_);
  }
  if (S_ISFIFO(info.st_mode)) {
    const int pipe = std::exchange(source.fd_, -1);
    const auto copied = copy_of_pipe(pipe, source.name_);
    ::close(pipe);
    if (!copied) return failure_of(copied);
    source.fd_ = *copied;
    source.rewind();
    return source;
  }
  if (!S_ISREG(info.st_mode))
    return fail_environment(source.name_,
                            fmt::format("is {}: a log is a regular file or a pipe", special_file(path)));
  return source;
}

Result<TextSource> TextSource::standard_input() {
  TextSource source;
  source.name_ = "standard input";
  if (::lseek(STDIN_FILENO, 0, SEEK_CUR) >= 0) {
    source.fd_ = ::dup(STDIN_FILENO);
    if (source.fd_ < 0) return read_failure(source.name_);
    return source;
  }
  const auto copied = copy_of_pipe(STDIN_FILENO, source.name_);
  if (!copied) return failure_of(copied);
  source.fd_ = *copied;
  source.rewind();
  return source;
}

TextSource TextSource::of(std::string_view text) {
  TextSource source;
  source.text_ = text;
  return source;
}

TextSource::TextSource(TextSource&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      name_(std::move(other.name_)),
      text_(other.text_),
      ended_(other.ended_),
      buffer_(std::move(other.buffer_)),
      given_(other.given_),
      zeros_(other.zeros_) {}

TextSource& TextSource::operator=(TextSource&& other) noexcept {
  std::swap(fd_, other.fd_);
  name_ = std::move(other.name_);
  text_ = other.text_;
  ended_ = other.ended_;
  buffer_ = std::move(other.buffer_);
  given_ = other.given_;
  zeros_ = other.zeros_;
  return *this;
}

TextSource::~TextSource() {
  if (fd_ >= 0) ::close(fd_);
}

void TextSource::rewind() {
  if (fd_ >= 0) ::lseek(fd_, 0, SEEK_SET);
  ended_ = false;
  buffer_.clear();
  given_ = 0;
  zeros_ = 0;
}

/// Reads on until the buffer holds a line feed, a whole longest line, or the end.
Result<void> TextSource::fill() {
  size_t seen = 0;
  while (!ended_ && buffer_.size() < longest_line && buffer_.find('\n', seen) == std::string::npos) {
    seen = buffer_.size();
    buffer_.resize(seen + piece_bytes);
    const ssize_t n = read_some(fd_, buffer_.data() + seen, piece_bytes);
    if (n < 0) {
      buffer_.resize(seen);
      return read_failure(name_);
    }
    buffer_.resize(seen + static_cast<size_t>(n));
    ended_ = n == 0;
  }
  return {};
}

Result<TextPiece> TextSource::next() {
  if (fd_ < 0) {
    const std::string_view all = ended_ ? std::string_view() : text_;
    ended_ = true;
    return TextPiece{all, true};
  }
  buffer_.erase(0, given_);
  given_ = 0;
  if (auto filled = fill(); !filled) return failure_of(filled);
  const size_t feed = buffer_.rfind('\n');
  given_ = feed == std::string::npos ? buffer_.size() : feed + 1;
  const bool only_zeros = buffer_.find_first_not_of('\0') == std::string::npos;
  zeros_ = only_zeros ? zeros_ + given_ : 0;
  if (zeros_ > most_zeros)
    return fail_environment(name_, "has more than 64 MiB of zero bytes in a row: a sparse or damaged file",
                            "cut the log to the part that has text");
  // A line without its line feed at the end of the file is a piece of its own.
  return TextPiece{std::string_view(buffer_).substr(0, given_), ended_ && given_ == buffer_.size()};
}

}  // namespace shakedown
