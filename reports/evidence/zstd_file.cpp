#include "reports/evidence/zstd_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "orchestrator/core/parallel.hpp"

namespace shakedown {
namespace {

constexpr int largest_window_log = 23;  // 8 MiB: zstd -19; --ultra and --long may need more
constexpr std::size_t zstd_piece = std::size_t{1} << 20;
constexpr int zstd_level = 3;

template <class Context, std::size_t (*release)(Context*)>
struct ZstdRelease {
  void operator()(Context* context) const { release(context); }
};
using Decompression = std::unique_ptr<ZSTD_DCtx, ZstdRelease<ZSTD_DCtx, ZSTD_freeDCtx>>;
using Compression = std::unique_ptr<ZSTD_CCtx, ZstdRelease<ZSTD_CCtx, ZSTD_freeCCtx>>;

Result<void> write_whole(int fd, std::string_view rest, const std::string& name) {
  while (!rest.empty()) {
    const ssize_t n = ::write(fd, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      return fail_environment(name, fmt::format("cannot be written: {}", std::strerror(errno)),
                              errno == ENOSPC ? "free some space there" : "");
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

}  // namespace

struct ZstdReader::State {
  std::string name;
  int fd = -1;
  Decompression context{ZSTD_createDCtx()};
  std::vector<char> input = std::vector<char>(ZSTD_DStreamInSize());
  ZSTD_inBuffer in = {nullptr, 0, 0};
  bool begun = false;  ///< a frame has begun
  bool over = false;   ///< and ended

  explicit State(std::string file) : name(std::move(file)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (fd >= 0) ::close(fd);
  }

  /// Whether there is more; fills `in`.
  Result<bool> fill() {
    if (in.pos < in.size) return true;
    ssize_t n = 0;
    do n = ::read(fd, input.data(), input.size());
    while (n < 0 && errno == EINTR);
    if (n < 0) return fail_environment(name, fmt::format("cannot be read: {}", std::strerror(errno)));
    in = {input.data(), static_cast<std::size_t>(n), 0};
    return n > 0;
  }
};

ZstdReader::ZstdReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
ZstdReader::ZstdReader(ZstdReader&& other) noexcept = default;
ZstdReader& ZstdReader::operator=(ZstdReader&& other) noexcept = default;
ZstdReader::~ZstdReader() = default;

Result<ZstdReader> ZstdReader::open(const std::filesystem::path& path) {
  auto state = std::make_unique<State>(path.string());
  state->fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat info = {};
  if (state->fd < 0 || ::fstat(state->fd, &info) != 0)
    return fail(path.string(), fmt::format("cannot be read: {}", std::strerror(errno)));
  if (!S_ISREG(info.st_mode)) return fail(path.string(), "is no regular file");
  if (!state->context) throw std::bad_alloc();
  ZSTD_DCtx_setParameter(state->context.get(), ZSTD_d_windowLogMax, largest_window_log);
  const auto more = state->fill();
  if (!more) return failure_of(more);
  constexpr std::string_view magic("\x28\xb5\x2f\xfd", 4);
  if (std::string_view(state->input.data(), state->in.size).substr(0, magic.size()) != magic)
    return fail(path.string(), "is no bundle: it is not compressed with zstd",
                "give the file that `shakedown bundle -o FILE` wrote");
  return ZstdReader(std::move(state));
}

Result<std::string> ZstdReader::read() {
  std::string piece(zstd_piece, '\0');
  ZSTD_outBuffer out = {piece.data(), piece.size(), 0};
  while (out.pos < out.size) {
    const auto more = state_->fill();
    if (!more) return failure_of(more);
    if (state_->over && *more) return fail(state_->name, "goes on behind the end of the archive");
    if (state_->over) break;
    if (!*more) return fail(state_->name, "is cut: its end is missing", "copy the file again");
    const std::size_t left = ZSTD_decompressStream(state_->context.get(), &out, &state_->in);
    if (ZSTD_isError(left) != 0)
      return fail(state_->name, fmt::format("is damaged, or no archive of zstd: {}", ZSTD_getErrorName(left)),
                  "copy the file again");
    state_->over = left == 0;
  }
  piece.resize(out.pos);
  return piece;
}

struct ZstdWriter::State {
  int fd;
  std::string name;
  Compression context{ZSTD_createCCtx()};
  std::vector<char> output = std::vector<char>(ZSTD_CStreamOutSize());

  Result<void> put(std::string_view piece, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in = {piece.data(), piece.size(), 0};
    while (true) {
      ZSTD_outBuffer out = {output.data(), output.size(), 0};
      const std::size_t left = ZSTD_compressStream2(context.get(), &out, &in, directive);
      if (ZSTD_isError(left) != 0) throw std::runtime_error(ZSTD_getErrorName(left));
      if (auto written = write_whole(fd, {output.data(), out.pos}, name); !written) return written;
      if (directive == ZSTD_e_end ? left == 0 : in.pos == in.size) return {};
    }
  }
};

ZstdWriter::ZstdWriter(int fd, std::string name)
    : state_(std::make_unique<State>(State{.fd = fd, .name = std::move(name)})) {
  if (!state_->context) throw std::bad_alloc();
  ZSTD_CCtx* context = state_->context.get();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, zstd_level);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  // Where the library was built without threads it compresses here.
  ZSTD_CCtx_setParameter(context, ZSTD_c_nbWorkers,
                         static_cast<int>(std::min<std::size_t>(usable_cpus(), 4)));
}
ZstdWriter::ZstdWriter(ZstdWriter&& other) noexcept = default;
ZstdWriter& ZstdWriter::operator=(ZstdWriter&& other) noexcept = default;
ZstdWriter::~ZstdWriter() = default;

Result<void> ZstdWriter::write(std::string_view piece) {
  return state_->put(piece, ZSTD_e_continue);
}
Result<void> ZstdWriter::finish() {
  return state_->put({}, ZSTD_e_end);
}

}  // namespace shakedown
