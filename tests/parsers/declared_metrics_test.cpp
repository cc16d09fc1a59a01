// What each grammar declares of its metrics, against all logs that there are.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <map>
#include <set>

#include "tests/parsers/logs.hpp"
#include "tests/skip.hpp"

using namespace shakedown;

namespace {

/// The names of all metrics of a log, by grammar.
using DeclaredMetricsSeen = std::map<std::string_view, std::set<std::string>>;

void look_at(const fs::path& file, DeclaredMetricsSeen& seen) {
  const auto text = file_content(file);
  REQUIRE(text.has_value());
  TextSource source = TextSource::of(*text);
  const auto read = parse_log_by_grammar(source, {}, [&](const Parser& grammar, ParsedResult&& result) {
    for (const Metric& metric : result.metrics) {
      INFO(file.string() << ": " << metric.name);
      CHECK(can_give(grammar, metric.name));
      seen[grammar.id].insert(metric.name);
    }
  });
  static_cast<void>(read);  // a file that is no log has no metrics
}

const Parser& grammar(std::string_view id) {
  for (const Parser* parser : parsers())
    if (parser->id == id) return *parser;
  throw std::runtime_error("no grammar " + std::string(id));
}

/// Declared by what the programs' sources print, and in no log here.
const std::map<std::string_view, std::set<std::string_view>>& without_log() {
  static const std::map<std::string_view, std::set<std::string_view>> names = {
      {"fio",
       {"trim_iops", "trim_bw_kib_s", "trim_bw_mib_s", "trim_bw_*b_s", "trim_lat_mean_us", "trim_clat_p99_us",
        "trim_lat_mean_*s", "trim_clat_p99_*s", "mixed_iops", "mixed_bw_kib_s", "mixed_bw_mib_s",
        "mixed_bw_*b_s", "mixed_lat_mean_us", "mixed_clat_p99_us", "mixed_lat_mean_*s", "mixed_clat_p99_*s"}},
      {"io500", {"cached_mdworkbench_*_kiops"}},
      {"osu",
       {"min_latency_us", "max_latency_us", "compute_us", "coll_init_us", "coll_init_us_at_max_bytes",
        "mpi_test_us", "mpi_test_us_at_max_bytes", "mpi_wait_us", "mpi_wait_us_at_max_bytes", "pure_comm_us",
        "min_comm_us", "min_comm_us_at_max_bytes", "max_comm_us", "max_comm_us_at_max_bytes", "overlap_pct",
        "million_ops_s", "million_ops_s_at_max_bytes", "p*_tail_*"}},
      {"stream", {"nstream_mb_s", "nstream_*b_s"}},
  };
  return names;
}

}  // namespace

TEST_CASE("every metric of every fixture is declared, and every declared one is seen") {
  DeclaredMetricsSeen seen;
  for (const std::string& name : logs::fixtures()) look_at(fs::path(TEST_FOLDER) / "fixtures" / name, seen);
  for (const Parser* parser : parsers()) {
    INFO(parser->id);
    CHECK_FALSE(parser->metrics.empty());
    std::set<std::string_view> unseen;
    for (const std::string_view& declared : parser->metrics) {
      Parser alone = *parser;
      alone.metrics = {&declared, 1};
      const auto& names = seen[parser->id];
      if (std::ranges::none_of(names, [&](const std::string& name) { return can_give(alone, name); }))
        unseen.insert(declared);
    }
    const auto known = without_log().find(parser->id);
    CHECK(unseen == (known == without_log().end() ? std::set<std::string_view>() : known->second));
  }
}

TEST_CASE("every metric of the corpus is declared") {
  const char* variable = std::getenv("SHAKEDOWN_CORPUS");
  const fs::path corpus =
      variable != nullptr ? fs::path(variable) : fs::path(PROJECT_FOLDER) / ".." / "shared" / "corpus";
  if (!fs::is_directory(corpus)) {
    skip("no folder of real logs at " + corpus.string() + "; SHAKEDOWN_CORPUS names another");
    return;
  }
  DeclaredMetricsSeen seen;
  for (const auto& entry : fs::recursive_directory_iterator(corpus))
    if (entry.is_regular_file()) look_at(entry.path(), seen);
  CHECK(seen.size() >= 9);
}

TEST_CASE("a misspelled name is none of the grammar's, one that the log itself makes is") {
  CHECK(can_give(grammar("hpl"), "rmax_gflops"));
  for (const char* name : {"rmax_gflop", "rmax_gflops_", "", "Rmax_gflops", "*"})
    CHECK_FALSE(can_give(grammar("hpl"), name));
  CHECK(can_give(grammar("gemm"), "fp64_gflops_trial_12"));
  CHECK(can_give(grammar("gemm"), "gpu_3_fp8_gflops"));
  CHECK_FALSE(can_give(grammar("gemm"), "fp4_gflops_trial_12"));
  CHECK(can_give(grammar("stream"), "triad_tib_s"));
  CHECK_FALSE(can_give(grammar("stream"), "triad_mbs"));
  // A phase that came later than this program.
  CHECK(can_give(grammar("io500"), "ior_rnd64k_write_gib_s"));
  CHECK(can_give(grammar("io500"), "cached_find_kiops"));
  CHECK_FALSE(can_give(grammar("io500"), "ior_easy_write_kiops"));
  CHECK_FALSE(can_give(grammar("io500"), "scoer"));
}
