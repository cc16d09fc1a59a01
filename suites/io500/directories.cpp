#include "suites/io500/directories.hpp"

#include "orchestrator/core/text.hpp"

namespace shakedown::io500 {

std::vector<std::vector<std::string>> directories(const Target& target,
                                                  const std::vector<SiteStripe>& stripes) {
  if (!target.stated && stripes.empty()) return {};
  std::vector<std::vector<std::string>> lines;
  if (const size_t slash = target.datadir.rfind('/'); target.stated)
    lines.push_back({"mkdir", "-p", target.datadir.substr(0, slash)});
  lines.push_back({"mkdir", target.datadir});
  for (const SiteStripe& stripe : stripes) {
    const std::string folder = target.datadir + "/" + stripe.phase;
    lines.push_back({"mkdir", folder});
    if (stripe.directory_mdts != 0)
      lines.push_back({"lfs", "setdirstripe", "-D", "-c", std::to_string(stripe.directory_mdts), folder});
    std::vector<std::string> layout = {"lfs", "setstripe"};
    for (const std::string_view word : words(stripe.layout)) layout.emplace_back(word);
    if (stripe.count != 0) layout.insert(layout.end(), {"-c", std::to_string(stripe.count)});
    if (!stripe.size.empty()) layout.insert(layout.end(), {"-S", stripe.size});
    if (!stripe.pool.empty()) layout.insert(layout.end(), {"-p", stripe.pool});
    if (layout.size() == 2) continue;
    layout.push_back(folder);
    lines.push_back(std::move(layout));
  }
  return lines;
}

}  // namespace shakedown::io500
