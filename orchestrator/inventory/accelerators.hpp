#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// A row of the catalogue of accelerators: how tools show it, and what its vendor states.
struct Accelerator {
  std::string id;                    ///< "h100-sxm5-80gb"
  std::string vendor;                ///< "NVIDIA", "AMD"
  std::string family;                ///< "H100"
  std::string form;                  ///< "SXM5", "PCIe", "OAM"
  std::string architecture;          ///< "Hopper", "CDNA 3"
  std::string compute_capability;    ///< "9.0", of NVIDIA's; empty: not stated
  std::vector<std::string> names;    ///< as NVML or amd-smi print it
  std::vector<std::string> also;     ///< what people and Slurm's types write, without the vendor
  std::vector<std::string> pci_ids;  ///< "10de:2330"
  int devices = 1;                   ///< that the driver shows of one package: an MI250X is two
  int units = 0;                     ///< multiprocessors or compute units of one device; 0: not stated
  double sold_gb = 0;                ///< memory of the package in 10^9 bytes, as it is sold
  std::int64_t shown_bytes = 0;      ///< of one device, as nvidia-smi or amd-smi show it; 0: not known
  std::int64_t usable_bytes = 0;     ///< of one device, what CUDA or HIP offer; 0: not known
  std::string usable_source;
  std::string link_kind;   ///< "NVLink 4"
  double tdp_watts = 0;    ///< of the package
  std::string tdp_covers;  ///< what else draws from `tdp_watts`; empty: nothing else
  /// Of one device. `source` has the documents of all values, and `tdp_watts` is empty where `tdp_covers`
  /// isn't.
  GpuPeak peak;

  /// "NVIDIA H100 SXM5 80 GB"
  [[nodiscard]] std::string title() const;
};

/// Reads a catalogue. Fails with the line where a row lacks a value that each must have, its source, or names
/// a source that the file doesn't have.
Result<std::vector<Accelerator>> accelerators_from_toml(std::string_view text, std::string_view name);

/// The catalogue that is compiled in, `accelerators.toml`.
const std::vector<Accelerator>& accelerators();

/// What the catalogue knows of a GPU.
struct CatalogueAnswer {
  const Accelerator* row = nullptr;
  std::string why_not;  ///< a sentence where there is no row
};

/// Looks a GPU up by its PCI device where that is known, then by its whole name, and without a PCI device by
/// what people write for it. A row whose memory is another than the GPU's is none, and so are several rows:
/// nothing is guessed.
CatalogueAnswer catalogued(const Gpu& gpu, const std::vector<Accelerator>& among = accelerators());

/// The architecture of the catalogue's family that is a word of this text ("NVIDIA A100-SXM4-80GB":
/// "Ampere"); empty: none is. Families of one architecture are one chip with another memory, clock or power.
std::string_view architecture_named(std::string_view text);

/// The compute capability of the catalogue's family that is a word of this text ("Tesla V100-SXM2-32GB":
/// "7.0"); empty: none is, or its vendor counts no such.
std::string_view compute_capability_named(std::string_view text);

/// Fills what the inventory doesn't state of its GPUs from the catalogue: rates, and memory that is not
/// known. What it states stays; `peak.source` says which keys came from where. Each GPU without any stated
/// FP64 rate that the catalogue doesn't know adds one note.
void fill_from_catalogue(Inventory& inventory);

/// A sentence for each GPU whose stated memory is more than 5 % off what the catalogue has for it: problem
/// sizes follow the inventory.
std::vector<std::string> doubtful_memory(const Inventory& inventory);

}  // namespace shakedown
