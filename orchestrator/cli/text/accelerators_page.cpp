#include "orchestrator/cli/text/accelerators_page.hpp"

#include <fmt/format.h>

#include "orchestrator/cli/text/completion_values.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/accelerators.hpp"
#include "orchestrator/inventory/processors.hpp"

namespace shakedown {
namespace {

std::string rate_cell(const std::optional<double>& value) {
  return value ? fmt::format("{:g}", *value) : "";
}

std::string mebibytes_cell(std::int64_t bytes) {
  return bytes > 0 ? fmt::format("{}", bytes / (1024 * 1024)) : "";
}

std::string rates_row(const Accelerator& row) {
  const GpuPeak& peak = row.peak;
  std::string text = fmt::format("| {} |", markdown_cell(row.title()));
  for (const auto& rate :
       {peak.fp64_vector_tflops, peak.fp64_tensor_tflops, peak.fp32_tflops, peak.tf32_dense_tflops,
        peak.bf16_dense_tflops, peak.fp16_dense_tflops, peak.fp8_dense_tflops, peak.fp6_dense_tflops,
        peak.fp4_dense_tflops, peak.memory_bandwidth_gb_s, peak.link_gb_s})
    text += fmt::format(" {} |", rate_cell(rate));
  return text + "\n";
}

std::string names_row(const Accelerator& row) {
  const std::string power = row.tdp_covers.empty() ? fmt::format("{:g}", row.tdp_watts)
                                                   : fmt::format("{:g} ({})", row.tdp_watts, row.tdp_covers);
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", markdown_cell(row.title()),
                     markdown_cell(joined(row.names, ", ")), joined(row.pci_ids, ", "),
                     mebibytes_cell(row.shown_bytes), mebibytes_cell(row.usable_bytes),
                     markdown_cell(row.link_kind), power, markdown_cell(row.peak.source));
}

std::string processor_row(const Processor& row, const std::string& what) {
  const std::string rate = row.fp64_flop_per_cycle == 0 ? "not known"
                           : row.at_least < row.fp64_flop_per_cycle
                               ? fmt::format("{} to {}", row.at_least, row.fp64_flop_per_cycle)
                               : fmt::format("{}", row.fp64_flop_per_cycle);
  return fmt::format("| {} | {} | {} | {} | {} |\n", row.vendor, markdown_cell(what), rate,
                     markdown_cell(row.units), markdown_cell(row.source));
}

std::string model_text(const Processor& row) {
  return row.first_model == row.last_model
             ? fmt::format("{} (family {:#x}, model {:#x})", row.name, row.family, row.first_model)
             : fmt::format("{} (family {:#x}, models {:#x} to {:#x})", row.name, row.family, row.first_model,
                           row.last_model);
}

std::string feature_text(const Processor& row) {
  const std::string width =
      row.datapath_bits > 0 ? fmt::format(", data path of {} bits", row.datapath_bits) : "";
  return fmt::format("flags {}{}", joined(row.flags, " "), width);
}

}  // namespace

std::string accelerators_page() {
  std::string page =
      "# Accelerators and processors\n\n"
      "Written by `shakedown list --accelerators`. What an inventory file states itself goes first. Rates "
      "are those "
      "of one\ndevice as the driver shows it, dense, at boost clock; FP64 is native.\n\n"
      "## Rates\n\nTFLOP/s; memory bandwidth and link in GB/s, the link in both directions together.\n\n"
      "| Accelerator | FP64 vector | FP64 matrix | FP32 | TF32 | BF16 | FP16 | FP8 | FP6 | FP4 | Memory | "
      "Link |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const Accelerator& row : accelerators()) page += rates_row(row);
  page +=
      "\n## Names, memory, power, sources\n\nMemory in MiB of one device: as nvidia-smi or amd-smi show it, "
      "and as CUDA or "
      "HIP offer it; power in W of a package.\n\n"
      "| Accelerator | Name | PCI device | Shown | Usable | Link | Power | Sources |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const Accelerator& row : accelerators()) page += names_row(row);
  page +=
      "\n## Processors\n\nFP64 operations per cycle of one core. Of a range the upper end is taken, and a "
      "note says so.\n\n"
      "| Vendor | Processor | FP64 per cycle | Units | Source |\n|---|---|---|---|---|\n";
  for (const Processor& row : processors().models) page += processor_row(row, model_text(row));
  page +=
      "\n## Processors by what CPUID shows\n\nWhere the model is none of these, as in virtual machines.\n\n"
      "| Vendor | Shown | FP64 per cycle | Units | Source |\n|---|---|---|---|---|\n";
  for (const Processor& row : processors().features) page += processor_row(row, feature_text(row));
  return page;
}

}  // namespace shakedown
