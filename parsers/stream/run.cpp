#include "parsers/stream/run.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "orchestrator/core/text.hpp"
#include "parsers/lines.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

struct Kernel {
  std::string_view printed;
  std::string_view key;
};

constexpr std::array kernels = {
    Kernel{"Copy", "copy"},   Kernel{"Scale", "scale"},     Kernel{"Mul", "scale"}, Kernel{"Add", "add"},
    Kernel{"Triad", "triad"}, Kernel{"Nstream", "nstream"}, Kernel{"Dot", "dot"}};

/// "mb_s" of "MB/s", "MBytes/sec", "max_mbytes_per_sec", "max_GiB_per_sec"; empty for what is no unit.
std::string stream_unit(std::string_view text) {
  if (text.starts_with("max_")) text.remove_prefix(4);
  std::string lower;
  for (const char c : text) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const std::string_view known = lower;
  for (const std::string_view prefix : {"mi", "gi", "ti", "m", "g", "t"})
    for (const std::string_view rest : {"b/s", "bytes/sec", "b_per_sec", "bytes_per_sec"})
      if (known.starts_with(prefix) && known.substr(prefix.size()) == rest)
        return std::string(prefix) + "b_s";
  return {};
}

std::int64_t whole(std::string_view text) {
  return positive_integer(text.substr(0, text.find_first_not_of("0123456789"))).value_or(0);
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

std::optional<StreamDialect> stream_banner(std::string_view text) {
  if (text.starts_with("STREAM version $Rev") || text.starts_with("STREAM Version $Rev"))
    return StreamDialect::stream;
  if (text.starts_with("shakedown STREAM reference ")) return StreamDialect::reference;
  if (text.starts_with("shakedown STREAM cuda ")) return StreamDialect::cuda;
  if (text.starts_with("NVIDIA-STREAM ")) return StreamDialect::nvidia;
  if (text == "BabelStream" || text == "GPU-STREAM") return StreamDialect::babel;
  if (text.starts_with("function,num_times,n_elements,sizeof,max_")) return StreamDialect::csv;
  // The table of a report whose head is missing; HPC Challenge prints one with another unit.
  if (text.starts_with("Function ") && has(text, "Best Rate MB/s")) return StreamDialect::stream;
  return std::nullopt;
}

bool StreamRun::read_header(std::string_view text) {
  const std::vector<std::string_view> names = dialect_ == StreamDialect::csv ? split(text, ',') : words(text);
  for (std::string_view name : names) {
    if (name.starts_with('(') && name.ends_with(')')) name = name.substr(1, name.size() - 2);
    if (unit_ = stream_unit(name); !unit_.empty()) return true;
  }
  return false;
}

bool StreamRun::read_head(std::string_view text, int line) {
  const auto set = [&](const char* name, std::int64_t value) {
    if (value > 0 && find_parameter(result_.parameters, name) == nullptr)
      result_.parameters.push_back({name, value});
    return true;
  };
  const auto after = [&](std::string_view label) { return value_after(text, label); };
  if (text.starts_with("STREAM version") || text.starts_with("STREAM Version"))
    return result_.version = after("Revision: "), true;
  if (text.starts_with("shakedown STREAM reference ")) return result_.version = after("reference "), true;
  if (text.starts_with("shakedown STREAM cuda ")) return result_.version = after("cuda "), true;
  if (text.starts_with("NVIDIA-STREAM ")) return result_.version = after("NVIDIA-STREAM "), true;
  if (text.starts_with("Version: ")) return result_.version = after("Version: "), true;
  if (text.starts_with("Implementation: "))
    return result_.parameters.push_back({"model", std::string(trimmed(text.substr(16)))}), true;
  if (text.starts_with("Running ") && dialect_ == StreamDialect::babel) {
    // "Running kernels 100 times", "Running triad 100 times", "Running  Classic kernels 100 times in ...",
    // "Running Running Triad 100 times in ..."
    if (!has(text, "kernels"))
      for (const Kernel& kernel : kernels)
        if (has(text, kernel.printed) || has(text, kernel.key)) only_ = kernel.printed;
    for (const std::string_view word : words(text))
      if (const std::int64_t times = whole(word)) return set("times", times);
    return true;
  }
  if (text.starts_with("Number of elements: ")) return set("elements", whole(after("elements: ")));
  if (text.starts_with("Array size: ") && result_.fact("array_size") == nullptr) {
    // BabelStream: "Array size: 268.4 MB (=0.3 GB)"
    std::string_view rest = text.substr(12);
    const std::string_view size = take_word(rest);
    const std::string_view unit = take_word(rest);
    return result_.facts.push_back({"array_size", fmt::format("{} {}", size, unit), line}), true;
  }
  if (text.starts_with("Precision: ")) return set("bytes_per_element", has(text, "float") ? 4 : 8);
  if (text.starts_with("This system uses ")) return set("bytes_per_element", whole(after("uses ")));
  if (text.starts_with("Assuming ") && has(text, "bytes per"))
    return set("bytes_per_element", whole(after("Assuming ")));
  if (text.starts_with("Total Aggregate Array size = ")) return set("elements", whole(after("size = ")));
  if (text.starts_with("Array size = ")) return set("elements", whole(after("size = ")));
  if (text.starts_with("Array size (")) {  // "Array size (double)=67108864*8*8 (4096 MB)"
    set("bytes_per_element", has(text, "(double)") ? 8 : 4);
    return set("elements", whole(text.substr(std::min(text.find('=') + 1, text.size()))));
  }
  if (text.starts_with("You are running each test ")) return set("times", whole(after("each test ")));
  if (text.starts_with("Each kernel will be executed ")) return set("times", whole(after("executed ")));
  if (text.starts_with("GPUs: ")) return set("gpus", whole(after("GPUs: ")));
  if (text.starts_with("L2 cache of a GPU = ")) return set("l2_bytes", whole(after("GPU = ")));
  if (dialect_ == StreamDialect::cuda && text.starts_with("Device ")) {
    const std::string_view name = trimmed(text.substr(std::min(text.find(':') + 1, text.size())));
    if (find_parameter(result_.parameters, "device") == nullptr)
      result_.parameters.push_back({"device", std::string(name.substr(0, name.find(", sm_")))});
    return true;
  }
  if (text.starts_with("Ranks: ")) return set("ranks", whole(after("Ranks: ")));
  if (text.starts_with("Number of Threads counted = ") || text.starts_with("Number of Threads = "))
    return set("threads", whole(after("= ")));
  if (text.starts_with("Device Selected "))
    return result_.parameters.push_back({"device", whole(after("Selected "))}), true;
  if (text.starts_with("(= ") && has(text, " clock ticks)")) {
    result_.facts.push_back({"clock_ticks", std::string(after("(= ")), line});
    return true;
  }
  return false;
}

bool StreamRun::read_row(const LogLine& line, std::string_view text) {
  const bool csv = dialect_ == StreamDialect::csv;
  const bool babel = csv || dialect_ == StreamDialect::babel;
  const auto kernel = std::find_if(kernels.begin(), kernels.end(), [&](const Kernel& k) {
    if (!text.starts_with(k.printed) || text.size() == k.printed.size()) return false;
    const char next = text[k.printed.size()];
    return csv ? next == ',' : babel ? next == ' ' : next == ':';
  });
  if (kernel == kernels.end() || unit_.empty()) return false;
  if (!line.terminated) return true;
  std::vector<std::string_view> cells =
      csv ? split(text, ',') : words(text.substr(kernel->printed.size() + 1));
  if (csv && cells.size() == 8) {
    if (find_parameter(result_.parameters, "elements") == nullptr)
      for (const auto& [name, at] : {std::pair{"times", 1}, {"elements", 2}, {"bytes_per_element", 3}})
        if (const auto value = positive_integer(cells[static_cast<size_t>(at)]))
          result_.parameters.push_back({name, *value});
    cells.erase(cells.begin(), cells.begin() + 4);
  }
  const bool all =
      cells.size() >= 4 && std::all_of(cells.begin(), cells.begin() + 4,
                                       [](std::string_view cell) { return finite_number(cell).has_value(); });
  if (!all) {
    result_.warnings.push_back(quoted_line(line.number, "this row can't be read", text));
    return true;
  }
  // BabelStream prints min, max, average; STREAM average, min, max.
  const std::string_view least = cells[babel ? 1 : 2];
  const std::string_view largest = cells[babel ? 2 : 3];
  const std::string_view average = cells[babel ? 3 : 1];
  result_.metrics.push_back(
      {fmt::format("{}_{}", kernel->key, unit_), finite_number(cells[0]).value_or(0), line.number});
  result_.facts.push_back({fmt::format("row {}", kernel->key),
                           fmt::format("{} {} {} {}", cells[0], average, least, largest), line.number});
  last_kernel_ = kernel->printed;
  return true;
}

namespace {

/// "GPU 0" as "gpu_0_"; "All GPUs" as ""; nothing for another text.
std::optional<std::string> gpu_prefix(std::string_view text) {
  if (text == "All GPUs") return "";
  if (!text.starts_with("GPU ")) return std::nullopt;
  const auto gpu = count_of(text.substr(4));
  return gpu ? std::optional(fmt::format("gpu_{}_", *gpu)) : std::nullopt;
}

/// The number behind `label`; nothing where there is none.
std::optional<double> number_behind(std::string_view text, std::string_view label) {
  const size_t at = text.find(label);
  if (at == std::string_view::npos) return std::nullopt;
  text = trimmed(text.substr(at + label.size()));
  return finite_number(text.substr(0, text.find_first_of(" ,")));
}

}  // namespace

/// "GPU 0: Copy = 2900000.0 Scale = ... MB/s", "GPU 0: Host to GPU = 55000.0 GPU to host = 54000.0 MB/s",
/// "GPU 0 to GPU 1 = 395000.0 MB/s, direct"
bool StreamRun::read_gpu_line(std::string_view text, int line) {
  constexpr std::array labels = {std::pair{"Copy = ", "copy"},
                                 std::pair{"Scale = ", "scale"},
                                 std::pair{"Add = ", "add"},
                                 std::pair{"Triad = ", "triad"},
                                 std::pair{"Host to GPU = ", "host_to_gpu"},
                                 std::pair{"GPU to host = ", "gpu_to_host"}};
  if (text.find(" MB/s") == std::string_view::npos) return false;
  if (const size_t to = text.find(" to GPU ");
      to != std::string_view::npos && text.find(':') == std::string_view::npos) {
    const size_t equals = std::min(text.find(" = "), text.size());
    const auto from = gpu_prefix(text.substr(0, to));
    const auto target = gpu_prefix(trimmed(text.substr(to + 4, equals - std::min(equals, to + 4))));
    const auto rate = number_behind(text, " = ");
    if (!from || !target || !rate) return false;
    result_.metrics.push_back({fmt::format("{}to_{}mb_s", *from, *target), *rate, line});
    if (text.ends_with("through the host"))
      result_.facts.push_back({"through_host", std::string(text.substr(0, equals)), line});
    return true;
  }
  const auto prefix = gpu_prefix(text.substr(0, std::min(text.find(':'), text.size())));
  if (!prefix) return false;
  bool any = false;
  for (const auto& [label, key] : labels)
    if (const auto rate = number_behind(text, label)) {
      result_.metrics.push_back({fmt::format("{}{}_mb_s", *prefix, key), *rate, line});
      any = true;
    }
  return any;
}

/// The slowest GPU alone and the slowest of the ways that exist several times.
void StreamRun::add_extremes() {
  constexpr std::array slowest = {std::pair{"_triad_mb_s", "gpu_min_triad_mb_s"},
                                  std::pair{"_host_to_gpu_mb_s", "gpu_min_host_to_gpu_mb_s"},
                                  std::pair{"_gpu_to_host_mb_s", "gpu_min_gpu_to_host_mb_s"},
                                  std::pair{"", "gpu_min_to_gpu_mb_s"}};
  std::vector<Metric> added;
  for (const auto& [ending, name] : slowest) {
    const Metric* least = nullptr;
    for (const Metric& metric : result_.metrics) {
      const bool pair = has(metric.name, "_to_gpu_") && !has(metric.name, "host_to_gpu");
      if (!metric.name.starts_with("gpu_") ||
          (*ending == '\0' ? !pair : pair || !metric.name.ends_with(ending)))
        continue;
      if (least == nullptr || metric.value < least->value) least = &metric;
    }
    if (least != nullptr) added.push_back({name, least->value, least->line});
  }
  result_.metrics.insert(result_.metrics.end(), added.begin(), added.end());
}

void StreamRun::read(const LogLine& line) {
  const std::string_view text = trimmed(line.text);
  if (text.empty()) return;
  last_line_ = line.number;
  if (has_table() && read_row(line, text)) return;
  if (text.starts_with("Solution Validates")) {
    // "Solution Validates: avg error less than 1.000000e-13 on all three arrays", "Solution Validates!"
    if (line.terminated) result_.facts.push_back({"validation", "Solution Validates", line.number});
  } else if (text.starts_with("Failed Validation on ") || text.starts_with("Validation failed on ") ||
             text.starts_with("FAILED validation of ")) {
    if (result_.fact("validation") == nullptr || result_.fact("validation")->value == "Solution Validates")
      result_.facts.push_back({"validation_failed", std::string(text.substr(0, 120)), line.number});
  } else if (!line.terminated || (dialect_ == StreamDialect::cuda && read_gpu_line(text, line.number))) {
    return;
  } else if ((text.starts_with("Function ") || text.starts_with("function,")) && !has_table()) {
    read_header(text);
    if (has_table()) result_.facts.push_back({"unit", unit_, line.number});
  } else if (!read_head(text, line.number)) {
    note(failure_, failure_in(line));
  }
}

std::string StreamRun::missing() const {
  if (!has_table()) return "the table of rates";
  if (dialect_ == StreamDialect::stream || dialect_ == StreamDialect::reference ||
      dialect_ == StreamDialect::cuda) {
    if (last_kernel_ != "Triad") return "the row of Triad";
    const bool checked =
        result_.fact("validation") != nullptr || result_.fact("validation_failed") != nullptr;
    return checked ? "" : "the validation";
  }
  if (dialect_ == StreamDialect::nvidia) return last_kernel_ == "Triad" ? "" : "the row of Triad";
  const std::string_view last = only_.empty() ? std::string_view("Dot") : std::string_view(only_);
  return last_kernel_ == last ? "" : fmt::format("the row of {}", last);
}

ParsedResult StreamRun::result() && {
  result_.suite = "stream";
  result_.implementation = dialect_ == StreamDialect::stream      ? "stream"
                           : dialect_ == StreamDialect::reference ? "reference"
                           : dialect_ == StreamDialect::cuda      ? "cuda"
                           : dialect_ == StreamDialect::nvidia    ? "nvidia"
                                                                  : "babelstream";
  const std::string lacks = missing();
  // Of a cut report some GPUs are missing.
  if (lacks.empty()) add_extremes();
  if (failure_ && !lacks.empty())
    result_.reason = failure_->text;
  else if (!lacks.empty())
    result_.reason = fmt::format("the report ends at line {} before {}: it is cut", last_line_, lacks);
  result_.complete = result_.reason.empty();
  return std::move(result_);
}

namespace {

constexpr std::array<std::string_view, 4> gpu_kernels = {"copy", "scale", "add", "triad"};
constexpr size_t most_gpu_rows = 256;

}  // namespace

std::optional<GpuStreamRun::Row> GpuStreamRun::row(const LogLine& line) {
  std::string_view rest = trimmed(line.text);
  if (!rest.starts_with("STREAM_")) return std::nullopt;
  const auto parts = split(take_word(rest), '_');  // STREAM COPY double gpu 0 buffer 4294967296 block 128
  if (parts.size() != 9 || parts[3] != "gpu" || parts[5] != "buffer" || parts[7] != "block")
    return std::nullopt;
  Row row;
  for (const char c : parts[1]) row.kernel += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const auto gpu = count_of(parts[4]);
  const auto buffer = positive_integer(parts[6]);
  const auto block = positive_integer(parts[8]);
  if (std::find(gpu_kernels.begin(), gpu_kernels.end(), row.kernel) == gpu_kernels.end() || !gpu || !buffer ||
      !block)
    return std::nullopt;
  row.type = parts[2];
  row.gpu = *gpu;
  row.buffer = *buffer;
  row.block = *block;
  row.rate = take_word(rest);
  const std::string_view percent = take_word(rest);
  // The rate is whole if something follows it.
  if (!finite_number(row.rate) || (percent.empty() && !line.terminated)) return std::nullopt;
  if (line.terminated && finite_number(percent)) row.percent = percent;
  return row;
}

bool GpuStreamRun::holds(const Row& row) const {
  return !any_ || (first_.gpu == row.gpu && first_.buffer == row.buffer && first_.type == row.type);
}

void GpuStreamRun::take(const Row& row, int line) {
  if (!any_) first_ = row;
  any_ = true;
  last_line_ = line;
  const double rate = finite_number(row.rate).value_or(0);
  Best& best = kernels_[row.kernel];
  if (++best.count == 1 || rate > best.rate.value) best.rate = Metric{row.kernel + "_gb_s", rate, line};
  if (result_.facts.size() < most_gpu_rows && !row.percent.empty())
    result_.facts.push_back({fmt::format("row {} block {}", row.kernel, row.block),
                             fmt::format("{} {}", row.rate, row.percent), line});
}

void GpuStreamRun::peak(std::string printed, int line) {
  if (!printed.empty()) result_.facts.push_back({"peak", std::move(printed), line});
}

ParsedResult GpuStreamRun::result(const std::optional<Failure>& failure) && {
  result_.suite = "stream";
  result_.implementation = "superbench";
  result_.parameters = {{"gpu", first_.gpu},
                        {"buffer_bytes", first_.buffer},
                        {"bytes_per_element", static_cast<std::int64_t>(first_.type == "double" ? 8 : 4)}};
  const int blocks = kernels_[first_.kernel].count;
  std::string lacks;
  for (const std::string_view kernel : gpu_kernels) {
    const auto at = kernels_.find(std::string(kernel));
    if (at != kernels_.end() && at->second.count == blocks && kernels_.size() > 1)
      result_.metrics.push_back(at->second.rate);
    else if (lacks.empty())
      lacks = kernel;
  }
  if (!lacks.empty())
    result_.reason = failure ? failure->text
                             : fmt::format("the rows of GPU {} end at line {} before all of {}: they are cut",
                                           first_.gpu, last_line_, lacks);
  result_.complete = result_.reason.empty();
  return std::move(result_);
}

}  // namespace shakedown
