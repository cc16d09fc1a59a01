#include "orchestrator/core/signature.hpp"

#include <sodium.h>

#include <array>
#include <stdexcept>

namespace shakedown {
namespace {

using Seed = std::array<unsigned char, crypto_sign_SEEDBYTES>;
using PublicKey = std::array<unsigned char, crypto_sign_PUBLICKEYBYTES>;
using SecretKey = std::array<unsigned char, crypto_sign_SECRETKEYBYTES>;

void begin_sodium() {
  if (sodium_init() < 0) throw std::runtime_error("libsodium cannot be used here: sodium_init failed");
}

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());  // the bytes are the same
}

std::string base64_of(const unsigned char* bytes, std::size_t size) {
  std::string text(sodium_base64_encoded_len(size, sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(text.data(), text.size(), bytes, size, sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();  // its end in C
  return text;
}

SigningKey pair_of(const Seed& seed) {
  PublicKey public_key{};
  SecretKey secret{};
  crypto_sign_seed_keypair(public_key.data(), secret.data(), seed.data());
  sodium_memzero(secret.data(), secret.size());
  return {base64_of(seed.data(), seed.size()), base64_of(public_key.data(), public_key.size())};
}

}  // namespace

std::string base64(std::string_view bytes) {
  return base64_of(bytes_of(bytes), bytes.size());
}

std::optional<std::string> bytes_of_base64(std::string_view text) {
  std::string bytes(text.size() / 4 * 3 + 3, '\0');
  std::size_t size = 0;
  const char* end = nullptr;
  // What libsodium fills are bytes, whatever their type is called.
  if (sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(),
                        text.size(), nullptr, &size, &end, sodium_base64_VARIANT_ORIGINAL) != 0 ||
      end != text.data() + text.size())
    return std::nullopt;
  bytes.resize(size);
  return bytes;
}

SigningKey new_signing_key() {
  begin_sodium();
  Seed seed{};
  randombytes_buf(seed.data(), seed.size());
  SigningKey key = pair_of(seed);
  sodium_memzero(seed.data(), seed.size());
  return key;
}

std::optional<SigningKey> signing_key(std::string_view secret) {
  const auto bytes = bytes_of_base64(secret);
  Seed seed{};
  if (!bytes || bytes->size() != seed.size()) return std::nullopt;
  std::copy(bytes->begin(), bytes->end(), seed.begin());
  return pair_of(seed);
}

bool is_public_key(std::string_view text) {
  const auto bytes = bytes_of_base64(text);
  return bytes && bytes->size() == crypto_sign_PUBLICKEYBYTES;
}

std::string signature_over(std::string_view message, const SigningKey& key) {
  const std::string seed = bytes_of_base64(key.secret).value_or("");
  if (seed.size() != crypto_sign_SEEDBYTES) throw std::invalid_argument("not an Ed25519 secret key");
  PublicKey public_key{};
  SecretKey secret{};
  crypto_sign_seed_keypair(public_key.data(), secret.data(), bytes_of(seed));
  std::array<unsigned char, crypto_sign_BYTES> signature{};
  crypto_sign_detached(signature.data(), nullptr, bytes_of(message), message.size(), secret.data());
  sodium_memzero(secret.data(), secret.size());
  return base64_of(signature.data(), signature.size());
}

bool is_signature(std::string_view signature, std::string_view message, std::string_view public_key) {
  const auto bytes = bytes_of_base64(signature);
  const auto key = bytes_of_base64(public_key);
  return bytes && key && bytes->size() == crypto_sign_BYTES && key->size() == crypto_sign_PUBLICKEYBYTES &&
         crypto_sign_verify_detached(bytes_of(*bytes), bytes_of(message), message.size(), bytes_of(*key)) ==
             0;
}

}  // namespace shakedown
