#include "parsers/osu/table.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "orchestrator/core/text.hpp"
#include "parsers/lines.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

using Use = OsuColumn::Use;

struct OsuLabel {
  std::string_view printed;
  Use use;
  std::string_view key;
};

/// The longer of two that begin alike comes first.
constexpr std::array labels = {
    OsuLabel{"Size", Use::size, ""},
    OsuLabel{"Bandwidth (MB/s)", Use::metric, "bandwidth_mb_s"},
    OsuLabel{"Bi-Bandwidth (MB/s)", Use::metric, "bandwidth_mb_s"},
    OsuLabel{"MB/s", Use::metric, "bandwidth_mb_s"},
    OsuLabel{"Messages/s", Use::metric, "messages_s"},
    OsuLabel{"Avg Latency(us)", Use::metric, "latency_us"},
    OsuLabel{"Avg Latency (us)", Use::metric, "latency_us"},
    OsuLabel{"Latency (us)", Use::metric, "latency_us"},
    OsuLabel{"Latency(us)", Use::metric, "latency_us"},
    OsuLabel{"Min Latency(us)", Use::metric, "min_latency_us"},
    OsuLabel{"Max Latency(us)", Use::metric, "max_latency_us"},
    OsuLabel{"Iterations", Use::iterations, ""},
    OsuLabel{"Validation", Use::validation, ""},
    OsuLabel{"Overall(us)", Use::metric, "overall_us"},
    OsuLabel{"Compute(us)", Use::metric, "compute_us"},
    OsuLabel{"Coll. Init(us)", Use::metric, "coll_init_us"},
    OsuLabel{"MPI_Test(us)", Use::metric, "mpi_test_us"},
    OsuLabel{"MPI_Wait(us)", Use::metric, "mpi_wait_us"},
    OsuLabel{"Pure Comm.(us)", Use::metric, "pure_comm_us"},
    OsuLabel{"Min Comm.(us)", Use::metric, "min_comm_us"},
    OsuLabel{"Max Comm.(us)", Use::metric, "max_comm_us"},
    OsuLabel{"Overlap(%)", Use::metric, "overlap_pct"},
    OsuLabel{"Transmit Size", Use::iterations, ""},
    OsuLabel{"Operation", Use::label, ""},
    OsuLabel{"Million ops/s", Use::metric, "million_ops_s"},
};

/// "P50 Tail Lat(us)" as "p50_tail_lat_us".
std::string key_of(std::string_view printed) {
  std::string key;
  for (const char c : printed) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      key += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!key.empty() && key.back() != '_' && c != ')')
      key += '_';
  }
  return key;
}

struct Program {
  std::string_view title;  ///< between "OSU MPI" and "Test"
  std::string_view name;
};

constexpr std::array programs = {
    Program{"Bandwidth", "osu_bw"},
    Program{"Bi-Directional Bandwidth", "osu_bibw"},
    Program{"Latency", "osu_latency"},
    Program{"Multi-threaded Latency", "osu_latency_mt"},
    Program{"Multi-process Latency", "osu_latency_mp"},
    Program{"Multi Latency", "osu_multi_lat"},
    Program{"Multiple Bandwidth / Message Rate", "osu_mbw_mr"},
    Program{"Allreduce Latency", "osu_allreduce"},
    Program{"Allgather Latency", "osu_allgather"},
    Program{"Allgatherv Latency", "osu_allgatherv"},
    Program{"All-to-All Personalized Exchange Latency", "osu_alltoall"},
    Program{"All-to-Allv Personalized Exchange Latency", "osu_alltoallv"},
    Program{"Barrier Latency", "osu_barrier"},
    Program{"Broadcast Latency", "osu_bcast"},
    Program{"Gather Latency", "osu_gather"},
    Program{"Reduce Latency", "osu_reduce"},
    Program{"Reduce_scatter Latency", "osu_reduce_scatter"},
    Program{"Scatter Latency", "osu_scatter"},
    Program{"Non-blocking Allreduce Latency", "osu_iallreduce"},
    Program{"Non-blocking Allgather Latency", "osu_iallgather"},
    Program{"Non-blocking All-to-All Latency", "osu_ialltoall"},
    Program{"Non-Blocking Broadcast Latency", "osu_ibcast"},
    Program{"Non-blocking Broadcast Latency", "osu_ibcast"},
    Program{"Non-blocking Barrier Latency", "osu_ibarrier"},
    Program{"_Get Bandwidth", "osu_get_bw"},
    Program{"_Get latency", "osu_get_latency"},
    Program{"_Put Bandwidth", "osu_put_bw"},
    Program{"_Put Latency", "osu_put_latency"},
    Program{"_Put Bi-directional Bandwidth", "osu_put_bibw"},
    Program{"_Accumulate latency", "osu_acc_latency"},
    Program{"_Fetch_and_op latency", "osu_fop_latency"},
    Program{"_Compare_and_swap latency", "osu_cas_latency"},
    Program{"_Get_accumulate latency", "osu_get_acc_latency"},
    Program{"Init", "osu_init"},
    Program{"Hello World", "osu_hello"},
};

/// "MPI Bandwidth" as "Bandwidth"; "MPI One Sided MPI_Get Bandwidth", "One Sided MPI_Get latency" and
/// "MPI_Get Bandwidth" as "_Get ..."
std::string_view short_title(std::string_view title) {
  if (const size_t at = title.find("MPI_"); at != std::string_view::npos) return title.substr(at + 3);
  if (title.starts_with("MPI ")) title.remove_prefix(4);
  return title;
}

/// Tests between two processes, or between pairs of them.
constexpr std::array<std::string_view, 15> point_to_point = {
    "osu_bw",       "osu_bibw",        "osu_latency",     "osu_latency_mt",      "osu_latency_mp",
    "osu_mbw_mr",   "osu_multi_lat",   "osu_get_bw",      "osu_get_latency",     "osu_put_bw",
    "osu_put_bibw", "osu_put_latency", "osu_acc_latency", "osu_get_acc_latency", "osu_fop_latency"};

}  // namespace

long long default_largest(const OsuBanner& banner) {
  const bool found =
      std::find(point_to_point.begin(), point_to_point.end(), banner.benchmark) != point_to_point.end();
  // What is not known by its name is taken for the longer table.
  const bool known = banner.benchmark.starts_with("osu_");
  return found || !known ? 1LL << 22 : 1LL << 20;
}

std::vector<OsuColumn> osu_columns(std::string_view text) {
  text = trimmed(text);
  if (!text.starts_with('#')) return {};
  text = trimmed(text.substr(1));
  std::vector<OsuColumn> columns;
  bool known = false;
  while (!text.empty()) {
    const auto label = std::find_if(labels.begin(), labels.end(),
                                    [&](const OsuLabel& l) { return text.starts_with(l.printed); });
    if (label != labels.end()) {
      known = known || label->use == Use::metric;
      columns.push_back({label->use, std::string(label->key)});
      text = trimmed(text.substr(label->printed.size()));
      continue;
    }
    // "P50 Tail Lat(us)": its own name, up to the parenthesis
    const size_t end = text.find(')');
    if (text.front() != 'P' || end == std::string_view::npos || text.find(" Tail ") > end) return {};
    columns.push_back({Use::metric, key_of(text.substr(0, end))});
    text = trimmed(text.substr(end + 1));
  }
  return known ? columns : std::vector<OsuColumn>{};
}

std::optional<std::vector<std::string_view>> osu_row(const std::vector<OsuColumn>& columns,
                                                     std::string_view text) {
  auto cells = words(text);
  if (columns.empty() || cells.size() < columns.size()) return std::nullopt;
  cells.resize(columns.size());
  for (size_t i = 0; i < columns.size(); ++i) {
    const bool fine = columns[i].use == Use::metric       ? finite_number(cells[i]).has_value()
                      : columns[i].use == Use::validation ? cells[i] == "Pass" || cells[i] == "Fail"
                      : columns[i].use == Use::label      ? true
                                                          : count_of(cells[i]).has_value();
    if (!fine) return std::nullopt;
  }
  return cells;
}

std::optional<OsuBanner> osu_banner(std::string_view text) {
  text = trimmed(text);
  if (!text.starts_with('#')) return std::nullopt;
  text = trimmed(text.substr(1));
  const size_t end = text.find(" Test");
  if (!text.starts_with("OSU ") || end == std::string_view::npos) return std::nullopt;
  OsuBanner banner;
  std::string title(text.substr(4, end - 4));
  // "MPI-CUDA Bandwidth", "MPI_Put-CUDA MANAGED Bandwidth"
  for (const std::string_view name : {"-CUDA MANAGED", "-CUDA", "-OPENACC", "-MANAGED", "-ROCM", "-SYCL"})
    if (const size_t at = title.find(name); at != std::string::npos) {
      banner.accelerator = name.substr(1);
      title.erase(at, name.size());
      break;
    }
  banner.title = "OSU " + title + " Test";
  std::string_view rest = text.substr(end + 5);
  const std::string_view version = take_word(rest);
  if (version.starts_with('v')) banner.version = version.substr(1);
  const auto program = std::find_if(programs.begin(), programs.end(),
                                    [&](const Program& p) { return p.title == short_title(title); });
  banner.benchmark = program == programs.end() ? banner.title : std::string(program->name);
  return banner;
}

}  // namespace shakedown
