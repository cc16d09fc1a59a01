#pragma once

namespace shakedown {

/// The variable that tells a program the first host of the nodes that its case has got, where rank 0 is. A
/// suite states it with the first of the planned hosts in a case's environment; `compose_argv` keeps it true
/// when the case is placed on other nodes. No name of a program's own: an image's environment, or a file that
/// is sourced before, may set those.
inline constexpr const char* first_host_variable = "SHAKEDOWN_FIRST_HOST";

}  // namespace shakedown
