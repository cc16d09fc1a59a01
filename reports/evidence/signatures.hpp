#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/signature.hpp"

namespace shakedown {

/// That somebody signed a bundle's root.
struct Signature {
  std::string role;  ///< "vendor", "customer", "witness", in the signer's words
  std::string name;  ///< who
  std::string public_key;
  std::string time;       ///< by the signer's clock: "2026-11-21T18:05:09Z"
  std::string root;       ///< of the bundle
  std::string signature;  ///< over `signed_text`
  friend bool operator==(const Signature&, const Signature&) = default;
};

/// Who signs: "customer: NAME" in its two parts. Fails where one is missing, holds a control character or is
/// longer than 200 bytes.
struct Signer {
  std::string role;
  std::string name;
};
Result<Signer> signer_of(std::string_view text);

/// The bytes that are signed: "shakedown signature 1", then the members but the signature, each as a line
/// "role: vendor" with its end.
std::string signed_text(const Signature& signature);

/// The signature of a root, now.
Signature signed_root(const std::string& root, const Signer& signer, const SigningKey& key);

/// Whether it is by its key; its root is another question.
bool holds(const Signature& signature);

/// The JSON line of a signature, with its end.
std::string signature_line(const Signature& signature);

/// The signatures of a text of lines. Fails with the line (`name:2`) that is none.
Result<std::vector<Signature>> signatures_from_lines(std::string_view text, const std::string& name);

/// The largest file of signatures that is read: 1 MiB.
inline constexpr std::size_t largest_signatures = std::size_t{1} << 20;

}  // namespace shakedown
