#pragma once
#include <string>
#include <string_view>

namespace shakedown {

/// `bytes` as a raw DEFLATE stream: what a browser's `DecompressionStream("deflate-raw")` reads.
///
/// Source: RFC 1951.
std::string deflated(std::string_view bytes);

}  // namespace shakedown
