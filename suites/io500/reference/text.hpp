#pragma once

#include <string>
#include <tl/expected.hpp>

namespace io500 {

/// A value, or one sentence that says what is wrong and where.
template <class Value>
using Result = tl::expected<Value, std::string>;

/// As printf.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...);

/// "what: No space left on device", by errno.
std::string system_text(const std::string& what);

}  // namespace io500
