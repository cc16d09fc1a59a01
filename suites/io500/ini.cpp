#include "suites/io500/ini.hpp"

#include <fmt/core.h>

namespace shakedown::io500 {
namespace {

std::string_view truth(bool value) {
  return value ? "TRUE" : "FALSE";
}

}  // namespace

std::string io500_ini(const Sizes& sizes, const Target& target, const IniChoices& choices) {
  std::string text = "# planned by shakedown\n[global]\n";
  text += fmt::format("datadir = {}\ntimestamp-datadir = FALSE\n", target.datadir);
  text += fmt::format("resultdir = {}\ntimestamp-resultdir = {}\n", target.resultdir,
                      truth(target.stated_results));
  text += fmt::format("api = POSIX\ndrop-caches = {}\n", truth(choices.drop_caches));
  text += fmt::format("\n[debug]\nstonewall-time = {}\n", sizes.stonewall_s);
  text += "\n[ior-easy]\n";
  if (!choices.ior_easy_api.empty()) text += fmt::format("API = {}\n", choices.ior_easy_api);
  text += fmt::format("transferSize = {}\nblockSize = {}\nfilePerProc = TRUE\nuniqueDir = {}\n",
                      sizes.transfer_size, sizes.block_size, truth(choices.unique_dir));
  text += fmt::format("\n[mdtest-easy]\nn = {}\n", sizes.mdtest_easy_n);
  text += fmt::format("\n[ior-hard]\nsegmentCount = {}\n", sizes.segment_count);
  text += fmt::format("\n[mdtest-hard]\nn = {}\n", sizes.mdtest_hard_n);
  return text;
}

}  // namespace shakedown::io500
