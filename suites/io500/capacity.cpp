#include "suites/io500/capacity.hpp"

#include <algorithm>
#include <array>

#include "orchestrator/core/units.hpp"

namespace shakedown::io500 {
namespace {

/// What part of the file system the items take.
void explain(Sizes& sizes, const Target& target) {
  const auto share = [](double part, double whole, const std::string& because) {
    return whole > 0 ? fmt::format("{} of {}", percent_text(part / whole), because)
                     : std::string("of how much is not known");
  };
  const double files = sizes.hard_files() * file_system_block;
  std::string space =
      fmt::format("at most {} of ior-easy + {} of ior-hard + {} of mdtest-hard: {}",
                  bytes_text(sizes.easy_bytes()), bytes_text(sizes.hard_bytes()), bytes_text(files),
                  share(sizes.bytes(), target.space, target.space_because));
  if (target.space > target.bytes)
    space += fmt::format("; {} may be filled", percent_text(target.bytes / target.space, 0));
  sizes.why.push_back({"space", bytes_text(sizes.bytes()), std::move(space), "IO500 capacity"});
  const auto inodes = static_cast<double>(target.inodes);
  sizes.why.push_back(
      {"inodes", count_text(sizes.files()),
       fmt::format("at most {} of mdtest-easy + {} of mdtest-hard + {} of IOR: {}",
                   count_text(sizes.easy_files()), count_text(sizes.hard_files()),
                   count_text(sizes.ranks + 1), share(sizes.files(), inodes, count_text(inodes))),
       "IO500 capacity"});
}

}  // namespace

Result<void> check_capacity(Sizes& sizes, const Target& target) {
  if (target.bytes > 0 && sizes.bytes() > target.bytes)
    return fail("IO500 capacity",
                fmt::format("{} ranks may write {}, and there is room for {} ({})", sizes.ranks,
                            bytes_text(sizes.bytes()), bytes_text(target.bytes), target.bytes_because),
                "a larger file system, its true free_bytes in [site.io500], or smaller pins");
  const std::array<std::int64_t, 4> least = {sizes.block_bytes, sizes.segment_count, sizes.mdtest_easy_n,
                                             sizes.mdtest_hard_n};
  if (std::ranges::any_of(least, [](std::int64_t each) { return each < 1; }))
    return fail(
        "IO500 capacity",
        fmt::format("{} is too small for one item of each of {} ranks", target.bytes_because, sizes.ranks),
        "a larger file system, or a pin of fewer ranks_per_node");
  if (target.bytes == 0)
    sizes.warnings.emplace_back(
        "the free space is unknown: state free_bytes in [site.io500], or the run may fill the file "
        "system");
  if (target.inodes > 0 && sizes.files() > static_cast<double>(target.inodes))
    return fail("IO500 capacity",
                fmt::format("{} files may be made, and there are {} inodes", count_text(sizes.files()),
                            count_text(static_cast<double>(target.inodes))),
                "more inodes, or smaller pins of mdtest_easy_n and mdtest_hard_n");
  if (target.directory_limit > 0 && sizes.hard_files() > static_cast<double>(target.directory_limit))
    return fail(
        "IO500 capacity",
        fmt::format("mdtest-hard may make {} files in one directory, which holds {}",
                    count_text(sizes.hard_files()), count_text(static_cast<double>(target.directory_limit))),
        "raise the directory's limit (directory_limit in [site.io500]), or pin a smaller mdtest_hard_n");
  if (target.inodes == 0)
    sizes.warnings.push_back(
        fmt::format("the number of free inodes is unknown: up to {} files may be made; state free_inodes in "
                    "[site.io500]",
                    count_text(sizes.files())));
  if (target.directory_limit == 0)
    sizes.warnings.push_back(
        fmt::format("mdtest-hard may make {} files in one directory: state its directory_limit in "
                    "[site.io500], it is not checked",
                    count_text(sizes.hard_files())));
  explain(sizes, target);
  return {};
}

}  // namespace shakedown::io500
