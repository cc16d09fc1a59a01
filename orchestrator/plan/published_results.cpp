#include "orchestrator/plan/published_results.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

constexpr std::string_view result_columns =
    "metric\tsystem\tmake\tgpu\tgpus\tgpus_per_node\tN\tfabric\tbasis\tvalue\tsource";

/// The field as a number of at least `least`; nothing if it is none.
std::optional<double> number_from(std::string_view field, double least) {
  const auto number = parsed_number(field);
  return number && *number >= least ? std::optional(*number) : std::nullopt;
}

/// The row, or what is wrong with it.
tl::expected<PublishedResult, std::string> result_row(const std::vector<std::string_view>& fields) {
  static constexpr double any_positive = 1e-9;
  PublishedResult row;
  row.metric = fields[0];
  row.system = fields[1];
  row.make = fields[2];
  row.gpu = fields[3];
  row.fabric = fields[7];
  row.source = fields[10];
  if (row.metric.empty() || row.system.empty() || row.make.empty() || row.gpu.empty() || row.source.empty())
    return tl::unexpected<std::string>("metric, system, make, gpu and source must be given");
  const auto gpus = number_from(fields[4], 1);
  const auto per_node = number_from(fields[5], 0);
  const auto N = number_from(fields[6], 0);
  const auto basis = number_from(fields[8], any_positive);
  const auto value = number_from(fields[9], any_positive);
  if (!gpus || !per_node || !N || !basis || !value)
    return tl::unexpected<std::string>(
        "gpus, basis and value must be numbers above 0, gpus_per_node and N of at least 0");
  row.gpus = static_cast<int>(*gpus);
  row.gpus_per_node = static_cast<int>(*per_node);
  row.N = *N;
  row.basis = *basis;
  row.value = *value;
  return row;
}

}  // namespace

Result<std::vector<PublishedResult>> read_published_results(const std::filesystem::path& path) {
  const auto content = file_content(path);
  if (!content) return failure_of(content);
  std::vector<PublishedResult> rows;
  bool named = false;
  int line = 0;
  for (const std::string_view text : split(*content, '\n')) {
    ++line;
    const auto refused = [&](std::string what) {
      return fail(fmt::format("{}:{}", path.string(), line), std::move(what),
                  "one row a line, its fields parted by tabs");
    };
    if (text.empty() || text.front() == '#') continue;
    if (!named) {
      if (text != result_columns) return refused(fmt::format("the columns must be: {}", result_columns));
      named = true;
      continue;
    }
    const auto fields = split(text, '\t');
    if (fields.size() != 11)
      return refused(fmt::format("11 fields are expected, {} are there", fields.size()));
    auto row = result_row(fields);
    if (!row) return refused(row.error());
    rows.push_back(*std::move(row));
  }
  return rows;
}

}  // namespace shakedown
