// What a store of many runs weighs, how fast the series of a system come out of it, and what is computed on
// them: N runs (default 100,000) of 40 metrics each, with the rules, files and conditions that a run has, in
// scheduled checks of ten suites on one of 100 nodes each; 100 runs are stored one by one, the others are
// copies of their rows. `regress` judges the newest check, `compare` two checks of the same node, change
// points those of all series. Prints results, asserts none: see docs/benchmarks.md.
//   build/<preset>/tests/benchmark_store_scale [RUNS [WORKSPACE]]     the store stays in WORKSPACE
#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <random>

#include "orchestrator/core/time.hpp"
#include "orchestrator/regression/check_history.hpp"
#include "orchestrator/store/database.hpp"
#include "reports/compare/campaign_comparison.hpp"
#include "reports/measure/suite_metrics.hpp"
#include "reports/statistics/change_points.hpp"

using namespace shakedown;

namespace {

constexpr int metrics_of_run = 40;
constexpr int runs_of_campaign = 10;
constexpr int stored_campaigns = 10;
constexpr int stored_runs = stored_campaigns * runs_of_campaign;

const char* const suites[] = {"hpl",  "hpcg",   "hpl-mxp", "io500", "mlperf",
                              "gemm", "stream", "nccl",    "osu",   "fio"};

CampaignRecord campaign(int number) {
  CampaignRecord record;
  record.id = fmt::format("2026-01-01T00-00-00Z-c{:07}", number);
  record.system = "testbed";
  record.kind = std::string(regression_kind);
  record.state = CampaignState::finished;
  NodeGroup group;
  group.hosts = "n[001-100]";
  group.memory_bytes = 755LL << 30;
  group.cpu.model = "AMD EPYC 9654 96-Core Processor";
  record.inventory.system = record.system;
  record.inventory.groups = {group};
  for (int i = 0; i < runs_of_campaign; ++i) {
    Case planned;
    planned.id = fmt::format("{}-reference-each-n{:03}", suites[i], 1 + number % 100);
    planned.suite = suites[i];
    planned.implementation = "reference";
    planned.parser = planned.suite;
    planned.hosts = fmt::format("n{:03}", 1 + number % 100);
    planned.argv = {"/opt/shakedown/libexec/shakedown/" + planned.suite};
    planned.parameters = {{"N", std::int64_t{80000}},
                          {"NB", std::int64_t{192}},
                          {"P", std::int64_t{8}},
                          {"Q", std::int64_t{12}}};
    for (const Parameter& parameter : planned.parameters)
      planned.why.push_back({parameter.name, parameter.value,
                             "the largest multiple of NB whose matrix takes 80 % of 755 GiB usable memory",
                             "HPL problem size"});
    record.cases.push_back({planned, {}});
  }
  return record;
}

AttemptRecord attempt(const Case& planned, double at_s, std::mt19937_64& random) {
  std::normal_distribution<double> noise(100, 1);
  AttemptRecord record;
  record.state = AttemptState::finished;
  record.exit_code = 0;
  record.started_s = at_s;
  record.finished_s = at_s + 400;
  record.wall_s = 400;
  record.host = planned.hosts;
  record.run_folder = planned.id + "/attempt-1";
  record.conditions = Conditions{96, 0, 0.25, 95, 0.5};
  for (const char* name : {"job.sh", "stdout.log", "stderr.log"})
    record.files.push_back({name, std::string(64, 'a'), 4096, std::string(600, 'x')});
  ResultRecord result;
  result.parsed.suite = planned.suite;
  result.parsed.implementation = planned.implementation;
  result.parsed.complete = true;
  result.parsed.parameters = planned.parameters;
  result.validity = Validity::valid;
  for (int i = 0; i < metrics_of_run; ++i)
    result.parsed.metrics.push_back({fmt::format("metric_{:02}_gflops", i), noise(random), 40 + i});
  if (const auto counting = counting_metrics(planned.suite); !counting.empty())
    result.parsed.metrics.front().name = counting.front();
  for (int i = 0; i < 10; ++i)
    result.rules.push_back({fmt::format("RULE-{:02}", i), "the residual check passes",
                            "HPL 2.3, HPL_pdtest.c", Severity::validity, RuleStatus::pass, "0.0038 < 16", 41,
                            ""});
  record.results.push_back(result);
  return record;
}

/// Ends the program where something can't be done.
template <class T>
T must(Result<T> done) {
  if (!done) {
    std::cerr << to_string(done.error()) << "\n";
    std::exit(4);
  }
  if constexpr (!std::is_void_v<T>) return *std::move(done);
}

void fill(const std::filesystem::path& path) {
  auto database = must(Database::open(path));
  std::mt19937_64 random(20261122);
  for (int number = 0; number < stored_campaigns; ++number) {
    const CampaignRecord record = campaign(number);
    must(database.add_campaign(record));
    for (std::size_t i = 0; i < record.cases.size(); ++i) {
      const double at_s = 1e9 + number * 86'400.0 + 400.0 * static_cast<double>(i);
      const Case& planned = record.cases[i].planned;
      must(database.record_attempt(record.id, planned.id, attempt(planned, at_s, random)));
    }
  }
}

/// Copies the stored rows until there are `runs`; ids and times move on by what was copied.
void copy_rows(const std::filesystem::path& path, int runs) {
  SQLite::Database database(path.string(), SQLite::OPEN_READWRITE);
  database.exec("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -200000");
  SQLite::Transaction transaction(database);
  for (int copy = 1; copy < runs / stored_runs; ++copy) {
    const int offset = copy * stored_runs;
    const auto campaign_id = fmt::format(
        "substr(campaign, 1, 22) || printf('%07d', substr(campaign, 23) + {})", copy * stored_campaigns);
    const auto own_id =
        fmt::format("substr(id, 1, 22) || printf('%07d', substr(id, 23) + {})", copy * stored_campaigns);
    const auto last = fmt::format(" <= {}", stored_runs);
    database.exec(fmt::format(
        "INSERT INTO campaign SELECT {0}, system, kind, state, created_s, finished_s, tool_version, "
        "inventory,"
        " criteria_name, criteria, baseline, note, commitment FROM campaign LIMIT {1};"
        "INSERT INTO planned_case SELECT id + {2}, {3}, seq, name, suite, implementation, nodes, ranks, "
        "confirms, stands_for, document, not_run FROM planned_case WHERE id{4};"
        "INSERT INTO case_place SELECT case_id + {2}, hosts, node_kind FROM case_place WHERE case_id{4};"
        "INSERT INTO planned_parameter SELECT case_id + {2}, name, number, text FROM planned_parameter WHERE "
        "case_id{4};"
        "INSERT INTO planned_prediction SELECT case_id + {2}, metric, raw FROM planned_prediction WHERE "
        "case_id{4};"
        "INSERT INTO attempt SELECT id + {2}, case_id + {2}, k, state, exit_code, signal, started_s + {2} * "
        "8640.0,"
        " finished_s + {2} * 8640.0, wall_s, host, folder, failure, cores, steal_ratio, foreign_cores, "
        "job_cores,"
        " load_before, failure_kind, hosts, job, program, program_sha256, record_sha256, excerpts_sha256 FROM"
        " attempt WHERE id{4};"
        "INSERT INTO attempt_file SELECT attempt_id + {2}, seq, name, sha256, bytes, excerpt FROM "
        "attempt_file WHERE"
        " attempt_id{4};"
        "INSERT INTO result SELECT id + {2}, attempt_id + {2}, seq, suite, implementation, version, "
        "complete, validity,"
        " reason, file, shape_id FROM result WHERE id{4};"
        "INSERT INTO metric_value SELECT result_id + {2}, name_id, seq, value + 0.001 * {2}, line FROM "
        "metric_value"
        " WHERE result_id{4};"
        "INSERT INTO parameter SELECT result_id + {2}, seq, name, type, value FROM parameter WHERE "
        "result_id{4};"
        "INSERT INTO rule SELECT result_id + {2}, seq, rule, title, source, severity, status, value, line, "
        "text FROM"
        " rule WHERE result_id{4};",
        own_id, stored_campaigns, offset, campaign_id, last));
  }
  transaction.commit();
}

struct Times {
  double seconds = 0;      ///< least of three
  double processor_s = 0;  ///< of the same
};

template <class Work>
Times least_of_3(const Work& work) {
  Times least{1e9, 0};
  for (int i = 0; i < 3; ++i) {
    const double start_s = steady_s();
    const std::clock_t start = std::clock();
    work();
    if (const double took_s = steady_s() - start_s; took_s < least.seconds)
      least = {took_s, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC};
  }
  return least;
}

void print(std::string_view what, const Times& times) {
  std::cout << fmt::format("{:<60} {:6.2f} s, {:6.2f} s of processor time\n", what, times.seconds,
                           times.processor_s);
}

std::vector<double> values_of(const MetricSeries& series) {
  std::vector<double> values;
  values.reserve(series.points.size());
  for (const SeriesPoint& point : series.points) values.push_back(point.value);
  return values;
}

void measure(const std::filesystem::path& folder, const std::filesystem::path& path, int runs) {
  const auto open = [&] { return must(Database::open_existing(path)); };
  SystemSeries all;
  print("read all series", least_of_3([&] { all = must(open().series_of("testbed")); }));
  std::size_t points = 0;
  for (const MetricSeries& series : all.series) points += series.points.size();
  std::cout << fmt::format("    {} series, {} points\n", all.series.size(), points);
  std::size_t changes = 0;
  print("change points of all series", least_of_3([&] {
          changes = 0;
          for (const MetricSeries& series : all.series)
            changes += must(hunter_change_points(values_of(series))).size();
        }));
  all = {};
  std::cout << fmt::format("    {} change points\n", changes);
  const int last = runs / runs_of_campaign - 1;
  std::size_t judged = 0;
  print("regress: read the history, judge the newest check", least_of_3([&] {
          const Database database = open();
          const CheckHistory history = must(check_history(Workspace{folder}, database, "testbed"));
          judged = must(judged_check(series_of_check(history, campaign(last).id, {}), {}, {})).series.size();
        }));
  std::cout << fmt::format("    {} series judged\n", judged);
  std::size_t compared = 0;
  print("compare: two checks", least_of_3([&] {
          const Database database = open();
          compared = campaign_comparison(MeasuredCampaign(must(database.campaign(campaign(last - 100).id))),
                                         MeasuredCampaign(must(database.campaign(campaign(last).id))), {})
                         .size();
        }));
  std::cout << fmt::format("    {} results\n", compared);
}

/// MiB by table, largest first.
void print_tables(const std::filesystem::path& path) {
  SQLite::Database database(path.string());
  try {
    SQLite::Statement query(database,
                            "SELECT name, sum(pgsize) / 1048576.0 AS mib FROM dbstat GROUP BY name"
                            " ORDER BY mib DESC LIMIT 12");
    while (query.executeStep())
      std::cout << fmt::format("    {:<40} {:8.1f} MiB\n", query.getColumn(0).getString(),
                               query.getColumn(1).getDouble());
  } catch (const SQLite::Exception& error) {
    std::cout << "    sizes of tables: " << error.what() << "\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 100'000;
  const std::filesystem::path folder = argc > 2 ? argv[2] : "store_scale";
  std::filesystem::create_directories(folder);
  const std::filesystem::path path = Workspace{folder}.database();
  std::filesystem::remove(path);
  const double begin_s = steady_s();
  fill(path);
  std::cout << fmt::format("{:<60} {:6.2f} ms\n", "store one attempt, mean of 100",
                           (steady_s() - begin_s) * 1000 / stored_runs);
  copy_rows(path, runs);
  std::cout << fmt::format("{} runs x {} metrics: {:.0f} MiB\n", runs, metrics_of_run,
                           static_cast<double>(std::filesystem::file_size(path)) / 1048576);
  print_tables(path);
  measure(folder, path, runs);
  if (argc <= 2) std::filesystem::remove_all(folder);
  return 0;
}
