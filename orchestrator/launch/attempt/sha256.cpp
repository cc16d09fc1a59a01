#include "orchestrator/launch/attempt/sha256.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "orchestrator/core/sha256_blocks.hpp"
#include "orchestrator/launch/attempt/sole_use.hpp"

namespace attempt {

namespace {

constexpr size_t block_bytes = 64;

uint32_t rotated(uint32_t word, int bits) {
  return word >> bits | word << (32 - bits);
}

struct Sha256 {
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

  void take_block(const unsigned char* block) {
    uint32_t w[64];
    for (int i = 0; i < 16; ++i, block += 4)
      w[i] = static_cast<uint32_t>(block[0]) << 24 | static_cast<uint32_t>(block[1]) << 16 |
             static_cast<uint32_t>(block[2]) << 8 | static_cast<uint32_t>(block[3]);
    for (int i = 16; i < 64; ++i) {
      const uint32_t s0 = rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ w[i - 15] >> 3;
      const uint32_t s1 = rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ w[i - 2] >> 10;
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; ++i) {
      const uint32_t s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
      const uint32_t t1 =
          h + s1 + ((e & f) ^ (~e & g)) + shakedown::sha256_constants[static_cast<size_t>(i)] + w[i];
      const uint32_t s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
      const uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + t1;
      d = c, c = b, b = a, a = t1 + t2;
    }
    const uint32_t next[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; ++i) state[i] += next[i];
  }

  void take_blocks(const unsigned char* block, size_t count) {
    // Programs of vendors have hundreds of megabytes.
    if (shakedown::has_sha256_instructions()) return shakedown::add_sha256_blocks(state, block, count);
    for (; count > 0; --count, block += block_bytes) take_block(block);
  }

  /// The last bytes, fewer than a block, with the padding: a bit 1, zeros, the length in bits.
  void take_end(const unsigned char* rest, size_t left, uint64_t all_bytes) {
    unsigned char last[2 * block_bytes] = {};
    memcpy(last, rest, left);
    last[left] = 0x80;
    const size_t size = left + 9 <= block_bytes ? block_bytes : 2 * block_bytes;
    for (int i = 0; i < 8; ++i)
      last[size - 1 - static_cast<size_t>(i)] = static_cast<unsigned char>(all_bytes * 8 >> 8 * i);
    take_blocks(last, size / block_bytes);
  }
};

/// Reads until the buffer is full or the file ends; -1: it can't be read.
ssize_t read_whole(int fd, unsigned char* buffer, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t n = read(fd, buffer + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    done += static_cast<size_t>(n);
  }
  return static_cast<ssize_t>(done);
}

constexpr std::int64_t second_ns = 1'000'000'000;

HashedFiles::File without_hash(const struct stat& info) {
  return {info.st_dev, info.st_ino, info.st_size, info.st_ctim.tv_sec * second_ns + info.st_ctim.tv_nsec, {}};
}

bool is_same(const HashedFiles::File& a, const HashedFiles::File& b) {
  return a.device == b.device && a.inode == b.inode && a.bytes == b.bytes && a.changed_ns == b.changed_ns;
}

bool is_hash_known(const HashedFiles::File& file, char (&digits)[sha256_text]) {
  const SoleUse use(hashed_files);
  if (use.get() == nullptr) return false;
  for (const HashedFiles::File& each : use.get()->files)
    if (each.changed_ns != 0 && is_same(each, file)) {
      memcpy(digits, each.digits, sizeof digits);
      return true;
    }
  return false;
}

/// Not where the file changed a moment ago: one that changes again within the clock's step looks the same.
void keep_hash(HashedFiles::File file, const char (&digits)[sha256_text]) {
  constexpr std::int64_t moment_ns = 2 * second_ns;
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  if (now.tv_sec * second_ns + now.tv_nsec - file.changed_ns < moment_ns) return;
  const SoleUse use(hashed_files);
  if (use.get() == nullptr) return;
  memcpy(file.digits, digits, sizeof digits);
  HashedFiles& known = *use.get();
  known.files[known.next] = file;
  known.next = (known.next + 1) % HashedFiles::most;
}

}  // namespace

HashedFiles* hashed_files = nullptr;

bool sha256_of_file(const char* path, char (&digits)[sha256_text]) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  struct stat info = {};
  bool readable = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  const HashedFiles::File file = without_hash(info);
  if (readable && is_hash_known(file, digits)) {
    close(fd);
    return true;
  }
  Sha256 hash;
  uint64_t all_bytes = 0;
  static unsigned char buffer[1024 * block_bytes];
  while (readable) {
    const ssize_t n = read_whole(fd, buffer, sizeof buffer);
    readable = n >= 0;
    if (!readable) break;
    const auto bytes = static_cast<size_t>(n);
    all_bytes += bytes;
    hash.take_blocks(buffer, bytes / block_bytes);
    const size_t at = bytes / block_bytes * block_bytes;
    if (bytes == sizeof buffer) continue;
    hash.take_end(buffer + at, bytes - at, all_bytes);
    break;
  }
  for (int i = 0; i < 8 && readable; ++i) snprintf(digits + 8 * i, 9, "%08x", hash.state[i]);
  // What was written to while it was read has another change time now.
  if (readable && fstat(fd, &info) == 0 && is_same(without_hash(info), file)) keep_hash(file, digits);
  close(fd);
  return readable;
}

bool found_program(const char* program, char* path, unsigned long size) {
  const size_t length = strlen(program);
  if (strchr(program, '/') != nullptr) {
    if (length + 1 > size) return false;
    memcpy(path, program, length + 1);
    return true;
  }
  const char* folders = getenv("PATH");
  while (folders != nullptr && *folders != '\0') {
    const size_t folder = strcspn(folders, ":");
    if (folder + length + 2 <= size) {
      memcpy(path, folders, folder);
      path[folder] = '/';
      memcpy(path + folder + (folder > 0 ? 1 : 0), program, length + 1);
      if (access(path, X_OK) == 0) return true;
    }
    folders += folder + (folders[folder] == ':' ? 1 : 0);
  }
  return false;
}

}  // namespace attempt
