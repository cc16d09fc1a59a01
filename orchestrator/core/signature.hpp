#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace shakedown {

/// An Ed25519 key pair (RFC 8032), each key as base64 of its 32 bytes.
struct SigningKey {
  std::string secret;  ///< RFC 8032's private key, from which the public one follows
  std::string public_key;
};

/// A new pair, from the system's random numbers.
SigningKey new_signing_key();

/// The pair of a secret key; nothing where the text is no base64 of 32 bytes.
std::optional<SigningKey> signing_key(std::string_view secret);

/// Whether a text is base64 of 32 bytes, as public keys are.
bool is_public_key(std::string_view text);

/// The signature over `message`, as base64 of its 64 bytes.
std::string signature_over(std::string_view message, const SigningKey& key);

/// Whether `signature` is that of `public_key` over `message`. Whatever is malformed is none.
bool is_signature(std::string_view signature, std::string_view message, std::string_view public_key);

/// Bytes as base64 with padding (RFC 4648), and back; nothing where the text is no base64.
std::string base64(std::string_view bytes);
std::optional<std::string> bytes_of_base64(std::string_view text);

}  // namespace shakedown
