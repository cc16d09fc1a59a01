#pragma once

namespace shakedown {

/// Which way a metric is better.
enum class Better { higher, lower };

}  // namespace shakedown
