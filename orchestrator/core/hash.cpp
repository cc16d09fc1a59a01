#include "orchestrator/core/hash.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash_stream.hpp"
#include "orchestrator/core/sha256_blocks.hpp"

namespace shakedown {

struct Sha256::State {
  crypto_hash_sha256_state hash;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  crypto_hash_sha256_init(&state_->hash);
}
Sha256::Sha256(Sha256&& other) noexcept = default;
Sha256& Sha256::operator=(Sha256&& other) noexcept = default;
Sha256::~Sha256() = default;

namespace {

constexpr size_t block_bytes = 64;

/// unsigned char is what libsodium takes; the bytes are the same.
const unsigned char* hashed_bytes(std::string_view piece) {
  return reinterpret_cast<const unsigned char*>(piece.data());
}

/// Takes the first bytes off `piece` and leaves them to libsodium.
void add_first(crypto_hash_sha256_state& hash, std::string_view& piece, size_t bytes) {
  const std::string_view first = piece.substr(0, bytes);
  crypto_hash_sha256_update(&hash, hashed_bytes(first), first.size());
  piece.remove_prefix(first.size());
}

}  // namespace

void Sha256::add(std::string_view piece) {
  crypto_hash_sha256_state& hash = state_->hash;
  if (has_sha256_instructions()) {
    const size_t begun = hash.count / 8 % block_bytes;  // it counts bits
    if (begun > 0) add_first(hash, piece, block_bytes - begun);
    const size_t blocks = piece.size() / block_bytes;
    add_sha256_blocks(hash.state, hashed_bytes(piece), blocks);
    hash.count += blocks * block_bytes * 8;
    piece.remove_prefix(blocks * block_bytes);
  }
  add_first(hash, piece, piece.size());
}

std::string Sha256::hex() {
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
  crypto_hash_sha256_final(&state_->hash, digest.data());
  std::array<char, 2 * crypto_hash_sha256_BYTES + 1> text{};
  sodium_bin2hex(text.data(), text.size(), digest.data(), digest.size());
  return text.data();
}

std::string in_groups(std::string_view hash) {
  constexpr size_t digits = 8;
  std::string text;
  for (size_t i = 0; i < hash.size(); i += digits)
    text += (text.empty() ? "" : " ") + std::string(hash.substr(i, digits));
  return text;
}

std::string sha256(std::string_view data) {
  Sha256 hash;
  hash.add(data);
  return hash.hex();
}

Result<std::string> sha256_of_file(const std::filesystem::path& path, std::uint64_t bytes) {
  if (const std::string_view kind = special_file(path); !kind.empty())
    return fail_environment(path.string(), fmt::format("is {}, not a regular file", kind));
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail_environment(path.string(), fmt::format("cannot open: {}", std::strerror(errno)));
  Sha256 hash;
  std::array<char, 1 << 16> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): each read fills it
  while (bytes > 0) {
    file.read(buffer.data(), static_cast<std::streamsize>(std::min<std::uint64_t>(bytes, buffer.size())));
    if (file.gcount() == 0) break;
    hash.add({buffer.data(), static_cast<size_t>(file.gcount())});
    bytes -= static_cast<std::uint64_t>(file.gcount());
  }
  if (file.bad())
    return fail_environment(path.string(), fmt::format("cannot read: {}", std::strerror(errno)));
  return hash.hex();
}

}  // namespace shakedown
