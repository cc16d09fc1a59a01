#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/site.hpp"

namespace shakedown::io500 {

/// How the directory of one IO500 phase is laid out on a Lustre file system.
struct SiteStripe {
  std::string phase;  ///< "ior-easy", "ior-hard", "mdtest-easy", "mdtest-hard"
  int count = 0;      ///< OSTs of a file; -1: all, 0: not stated
  std::string size;   ///< "1M", as `lfs setstripe -S` takes it; empty: not stated
  std::string pool;
  std::string layout;      ///< other words of `lfs setstripe` (-E ..., PFL, DoM); empty: none
  int directory_mdts = 0;  ///< MDTs of the directory (`lfs setdirstripe -c`); -1: all, 0: not stated
  friend bool operator==(const SiteStripe&, const SiteStripe&) = default;
};

/// `[site.io500]`: what the site states of the file system and of the benchmark's use of it.
struct SiteIo500 {
  std::string datadir;
  std::string resultdir;
  bool allow_full = false;           ///< writing tens of TB and over a hundred million files is wanted
  std::int64_t free_bytes = 0;       ///< that the test may use; 0: by the inventory
  std::int64_t free_inodes = 0;      ///< 0: not stated
  std::int64_t directory_limit = 0;  ///< files that one directory can hold; 0: not stated
  std::vector<SiteStripe> stripes;
  friend bool operator==(const SiteIo500&, const SiteIo500&) = default;
};

/// Reads `[site.io500]`; wrong values are objections of the table's document.
SuiteSite site_table(TomlTable table);

/// The same as plain values.
SuiteSite stated(const SiteIo500& io500);

/// What the site states; nothing where it has no such table, or there is no site.
std::optional<SiteIo500> site_of(const Site* site);

/// The table of a starting configuration; places to edit are marked `# EDIT:`. The striping is that of
/// `shipped`, where the inventory has a Lustre file system.
std::string starting_site(const Site& shipped, const Inventory& inventory, const std::string& folder);

}  // namespace shakedown::io500
