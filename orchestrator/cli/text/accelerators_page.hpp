#pragma once
#include <string>

namespace shakedown {

/// docs/reference/accelerators.md: the catalogues of accelerators and processors, with their sources.
std::string accelerators_page();

}  // namespace shakedown
