#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// What a time-stamp token (RFC 3161) states: that an authority saw a SHA-256 at a time.
struct Timestamp {
  std::string root;       ///< the SHA-256 that it stamps
  std::string time;       ///< by the authority's clock, UTC: "2026-11-21T18:05:09Z"
  std::string authority;  ///< the signer's name in its certificate; empty: the token does not hold one
  bool trusted = false;   ///< signed, and the signer's certificate follows from a known one
  std::string why_not;    ///< why it is not
};

/// Reads an authority's answer, as `openssl ts -query -digest ROOT -sha256 -cert` asks for it. `authorities`
/// are files of certificates (PEM) that are trusted beside those of this system. A certificate counts if it
/// was valid at the token's time, so that the clock here is not asked. Fails (input) where the bytes are no
/// answer, a refusal, or stamp another kind of hash.
Result<Timestamp> read_timestamp(std::string_view bytes, const std::string& name,
                                 std::span<const std::filesystem::path> authorities);

}  // namespace shakedown
