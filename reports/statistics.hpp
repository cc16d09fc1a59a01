#pragma once
#include "reports/statistics/median.hpp"  // IWYU pragma: export
