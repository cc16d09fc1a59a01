#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "orchestrator/plan/suite.hpp"

namespace shakedown::io500 {

/// Where the benchmark writes, and how much fits there.
struct Target {
  std::string datadir;               ///< as io500.ini names it
  std::string resultdir;             ///< likewise
  bool stated_results = false;       ///< the site names the folder of results: runs must not share it
  bool stated = false;               ///< the site names the directory; else it lies in the run's own
  std::string type;                  ///< of the file system: "lustre", "ext4"; empty: not known
  const Storage* storage = nullptr;  ///< the shared one, where the inventory describes it
  double space = 0;                  ///< bytes of the file system, free or in all; 0: not known
  double bytes = 0;                  ///< of them, that the benchmark may fill; 0: not known
  std::string bytes_because;         ///< "0.50 x 1.78 PiB, the size of 'lustre'"
  std::string space_because;         ///< "1.78 PiB, the size of 'lustre'"
  double links_gib_s = 0;            ///< of its links, the clients' or the servers'; 0: not known, or none
  std::string links_because;         ///< "the links of 10 clients"
  std::int64_t inodes = 0;           ///< that it may use; 0: not known
  std::int64_t directory_limit = 0;  ///< files in one directory; 0: not known
};

/// The site's directory for `case_id`, else `datafiles` in the run directory, with the facts of site and
/// inventory about the file system there. If only the inventory states the space, `capacity_fraction` of it
/// may be filled.
Target target(const PlanRequest& request, std::string_view case_id);

}  // namespace shakedown::io500
