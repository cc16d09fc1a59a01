#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/inventory/cpu_model.hpp"

namespace shakedown {

/// A row of the catalogue of processors: what one core does in FP64, by its model or by what CPUID shows.
struct Processor {
  std::string name;    ///< "Zen 4"; empty in a row by features
  std::string vendor;  ///< as `CpuModel::vendor`
  int family = 0;
  int first_model = 0;
  int last_model = 0;
  std::vector<std::string> flags;      ///< a row by features: all of these
  int datapath_bits = 0;               ///< ... and this width, 0: any
  int fp64_flop_per_cycle = 0;         ///< at most; 0: not known
  int at_least = 0;                    ///< smaller where the number of units is unknown
  std::vector<std::string> one_unit;   ///< words of the model's name that tell `at_least`
  std::vector<std::string> two_units;  ///< ... and `fp64_flop_per_cycle`
  std::string units;                   ///< "two 256-bit FMA units"
  std::string source;
};

struct ProcessorCatalogue {
  std::vector<Processor> models;
  std::vector<Processor> features;  ///< for models that are not above; the first that fits decides
};

/// Reads a catalogue. Fails with the line where a row lacks what each must have, its source, or names a
/// source that the file doesn't have.
Result<ProcessorCatalogue> processors_from_toml(std::string_view text, std::string_view name);

/// The catalogue that is compiled in, `processors.toml`.
const ProcessorCatalogue& processors();

/// The row of vendor, family and model; none: nullptr.
const Processor* processor_of(const CpuModel& cpu);

}  // namespace shakedown
