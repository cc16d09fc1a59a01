#include "orchestrator/plan/published_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

constexpr std::string_view result_columns =
    "metric\tsystem\tmake\tgpu\tgpus\tgpus_per_node\tN\tfabric\tbasis\tvalue\tpublished\tstatus\tsource";

constexpr std::array<std::string_view, 4> statuses = {"listed", "submitted", "log", "stated"};
constexpr std::size_t result_fields = 13;

/// The field as a number of at least `least`; nothing if it is none.
std::optional<double> number_from(std::string_view field, double least) {
  const auto number = parsed_number(field);
  return number && *number >= least ? std::optional(*number) : std::nullopt;
}

/// "2025-06", or "-" where it is not stated.
bool is_month(std::string_view text) {
  if (text == "-") return true;
  const auto digits = [&](std::size_t from, std::size_t count) {
    return std::ranges::all_of(text.substr(from, count),
                               [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  return text.size() == 7 && text[4] == '-' && digits(0, 4) && digits(5, 2);
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
  row.published = fields[10] == "-" ? "" : fields[10];
  row.status = fields[11];
  row.source = fields[12];
  if (row.metric.empty() || row.system.empty() || row.make.empty() || row.gpu.empty() || row.source.empty())
    return tl::unexpected<std::string>("metric, system, make, gpu and source must be given");
  if (!is_month(fields[10])) return tl::unexpected<std::string>("published must be a month (2025-06) or -");
  if (std::ranges::find(statuses, row.status) == statuses.end())
    return tl::unexpected<std::string>("status must be listed, submitted, log or stated");
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
    if (fields.size() != result_fields)
      return refused(fmt::format("{} fields are expected, {} are there", result_fields, fields.size()));
    auto row = result_row(fields);
    if (!row) return refused(row.error());
    rows.push_back(*std::move(row));
  }
  return rows;
}

}  // namespace shakedown
