#pragma once

#include <cstdint>
#include <string>

#include "suites/io500/reference/settings.hpp"

namespace io500 {

/// What a phase does, in the options by which IOR, mdtest and pfind say it; `datadir` as the configuration
/// has it, `seed` of the contents. Source: IO500, src/phase_*.c.
std::string easy_command(const Settings& settings, const std::string& datadir, std::uint32_t seed,
                         bool write);
std::string hard_command(const Settings& settings, const std::string& datadir, std::uint32_t seed,
                         bool write);
/// `operation`: 'C'reate, s'T'at, 'E' read, 'r'emove.
std::string files_command(const Settings& settings, const std::string& datadir, std::uint32_t seed, bool hard,
                          char operation);
std::string find_command(const std::string& datadir, const std::string& resultdir);

}  // namespace io500
