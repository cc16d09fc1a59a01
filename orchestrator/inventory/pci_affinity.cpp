#include "orchestrator/inventory/pci_affinity.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace shakedown {
namespace {

namespace fs = std::filesystem;

/// The host bridge, the bridges below it and the device: the pieces of
/// "pci0000:15/0000:15:01.0/0000:16:00.0". Empty where the kernel has no such device.
std::vector<std::string> way_to(const fs::path& root, const std::string& address) {
  if (address.empty()) return {};
  std::error_code code;
  const fs::path device = fs::canonical(root / "sys/bus/pci/devices" / address, code);
  if (code) return {};
  std::vector<std::string> way;
  bool below_host = false;
  for (const fs::path& piece : device) {
    if (below_host) way.push_back(piece.string());
    if (piece.string().starts_with("pci") && piece.string().find(':') != std::string::npos) {
      below_host = true;
      way = {piece.string()};
    }
  }
  return way;
}

/// How many bridges below the host bridge two devices have in common.
size_t shared_bridges(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const auto shared = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
  return static_cast<size_t>(std::max<std::ptrdiff_t>(shared - 1, 0));
}

}  // namespace

std::vector<Nic> with_gpu_affinity(std::vector<Nic> nics, std::span<const Gpu> gpus, const fs::path& root) {
  std::vector<std::vector<std::string>> ways;
  ways.reserve(gpus.size());
  for (const Gpu& gpu : gpus) ways.push_back(way_to(root, gpu.pci_address));
  // NICs by the GPUs that are closest to them.
  std::map<std::vector<int>, std::vector<Nic*>> served;
  for (Nic& nic : nics) {
    const auto way = way_to(root, nic.pci_address);
    if (nic.rdma_device.empty() || way.empty()) continue;
    size_t best = 0;
    std::vector<int> closest;
    for (size_t g = 0; g < ways.size(); ++g) {
      const size_t shared = shared_bridges(way, ways[g]);
      if (shared > best) closest.clear();
      best = std::max(best, shared);
      if (shared == best && best > 0) closest.push_back(static_cast<int>(g));
    }
    if (!closest.empty()) served[closest].push_back(&nic);
  }
  for (auto& [closest, its_nics] : served) {
    std::sort(its_nics.begin(), its_nics.end(),
              [](const Nic* a, const Nic* b) { return a->pci_address < b->pci_address; });
    const bool paired = closest.size() == its_nics.size();
    for (size_t i = 0; i < its_nics.size(); ++i)
      if (closest.size() == 1 || paired) its_nics[i]->gpu = closest[closest.size() == 1 ? 0 : i];
  }
  return nics;
}

}  // namespace shakedown
