#pragma once
#include <filesystem>
#include <string>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/signature.hpp"

namespace shakedown {

/// A public key as its file holds it: one line "shakedown-ed25519 KEY COMMENT".
struct PublicKeyFile {
  std::string key;
  std::string comment;  ///< whose it is, in that one's words; may be empty
};

/// The files of a new key.
struct KeyFiles {
  std::filesystem::path secret;       ///< NAME.key, mode 0600
  std::filesystem::path public_file;  ///< NAME.pub
  std::string public_key;
};

/// Makes a key pair: NAME.key, which is not encrypted, and NAME.pub. Fails (input) if one of them is there:
/// nothing is overwritten; (environment) if they can't be written, and leaves neither.
Result<KeyFiles> make_key_files(const std::string& name, const std::string& comment);

/// Reads a secret key's file. Fails where it is none, and where others than its owner can read it.
Result<SigningKey> read_secret_key(const std::filesystem::path& path);

/// Reads a public key's file.
Result<PublicKeyFile> read_public_key(const std::filesystem::path& path);

/// How people compare public keys: "4f3a-09c2-...", the first 32 digits of the SHA-256 of its 32 bytes.
std::string fingerprint_of(std::string_view public_key);

}  // namespace shakedown
