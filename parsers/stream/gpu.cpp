#include "parsers/stream/gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/fields.hpp"
#include "parsers/number.hpp"

namespace shakedown {
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
  // The rate is whole where something stands behind it.
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
