#include "orchestrator/store/series.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <ranges>
#include <unordered_map>
#include <utility>

#include "orchestrator/store/connection.hpp"

namespace shakedown {
namespace {

// Results come in the order in which they, and what belongs to them, lie: each page is then read once.
std::string results_query(std::size_t suites) {  // 0: of all
  const std::vector<std::string_view> places(suites, "?");
  return fmt::format(
      "SELECT r.id, r.attempt_id, r.validity, r.complete, r.shape_id FROM"
      " (SELECT result.id FROM run_shape s JOIN result ON shape_id = s.id WHERE s.system = ?{} ORDER BY "
      "result.id) like_runs CROSS JOIN result r ON r.id = like_runs.id",
      suites == 0 ? "" : fmt::format(" AND s.suite IN ({})", fmt::join(places, ",")));
}
// From the first to the last that is wanted, in one go: a search for each takes three times as long.
constexpr const char* attempts_query =
    "SELECT id, case_id, k, started_s, hosts, host FROM attempt WHERE id BETWEEN ? AND ? ORDER BY id";
constexpr const char* places_query =
    "SELECT case_id, hosts FROM case_place WHERE case_id BETWEEN ? AND ? ORDER BY case_id";
// From the index alone: the cases' own rows, with their documents, are the longest of the store.
constexpr const char* cases_query = "SELECT id, campaign, name FROM planned_case WHERE campaign >= ''";
constexpr const char* shapes_query =
    "SELECT id, suite, implementation, nodes, node_kind, parameters FROM run_shape WHERE system = ?"
    " ORDER BY suite, implementation, nodes, node_kind, parameters";
constexpr const char* metrics_query =
    "SELECT result_id, name_id, value FROM metric_value WHERE result_id >= (SELECT min(result.id) FROM "
    "run_shape s"
    " JOIN result ON shape_id = s.id WHERE s.system = ?)";
constexpr const char* result_metrics_query = "SELECT name_id, value FROM metric_value WHERE result_id = ?";
constexpr const char* phases_query =
    "SELECT r.shape_id, r.id, f.name, f.unit, f.value FROM run_shape s JOIN result r ON r.shape_id = s.id"
    " JOIN phase f ON f.result_id = r.id WHERE s.system = ? AND f.value IS NOT NULL";

constexpr std::int64_t most_names = 1'000'000;  // numbers of metrics' names go up by one

/// Steps through the rows of a query of millions of them: SQLiteCpp makes an object with a counted reference
/// for each column of each row, which takes several times as long as the row itself.
class Rows {
 public:
  template <class... Arguments>
  Rows(Database::Connection& database, const char* sql, const Arguments&... arguments)
      : handle_(database.database.getHandle()), restraint_(database.restraint) {
    if (sqlite3_prepare_v2(handle_, sql, -1, &statement_, nullptr) != SQLITE_OK)
      throw SQLite::Exception(handle_);
    int index = 0;
    (bind(++index, arguments), ...);
  }
  /// With an argument for each of the texts behind the first one.
  Rows(Database::Connection& database, const std::string& sql, std::string_view first,
       const std::vector<std::string_view>& others)
      : Rows(database, sql.c_str(), first) {
    int index = 1;
    for (const std::string_view other : others) bind(++index, other);
  }
  ~Rows() { sqlite3_finalize(statement_); }
  Rows(Rows&& other) noexcept
      : handle_(other.handle_),
        restraint_(other.restraint_),
        statement_(std::exchange(other.statement_, nullptr)) {}
  Rows& operator=(Rows&&) = delete;
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  /// Begins again with another argument.
  void restart(std::int64_t argument) {
    restraint_.count_statement();
    sqlite3_reset(statement_);
    sqlite3_bind_int64(statement_, 1, argument);
  }
  bool next() {
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) throw SQLite::Exception(handle_, code);
    return code == SQLITE_ROW;
  }
  [[nodiscard]] bool is_null(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
  }
  [[nodiscard]] std::int64_t whole(int column) const { return sqlite3_column_int64(statement_, column); }
  [[nodiscard]] double real(int column) const { return sqlite3_column_double(statement_, column); }
  [[nodiscard]] std::string text(int column) const {
    const auto* begin = sqlite3_column_text(statement_, column);
    return {reinterpret_cast<const char*>(begin), size(column)};
  }

 private:
  void bind(int index, std::string_view argument) {
    sqlite3_bind_text(statement_, index, argument.data(), static_cast<int>(argument.size()),
                      SQLITE_TRANSIENT);
  }
  void bind(int index, std::int64_t argument) { sqlite3_bind_int64(statement_, index, argument); }
  [[nodiscard]] std::size_t size(int column) const {
    const int bytes = sqlite3_column_bytes(statement_, column);
    restraint_.count_bytes(bytes);
    return static_cast<std::size_t>(bytes);
  }

  sqlite3* handle_;
  Restraint& restraint_;
  sqlite3_stmt* statement_ = nullptr;
};

Validity validity_of(std::string_view text) {
  return text == to_string(Validity::valid)     ? Validity::valid
         : text == to_string(Validity::invalid) ? Validity::invalid
                                                : Validity::unknown;
}

/// Where the values of a result belong.
struct ResultPlace {
  std::uint32_t run = 0;   ///< among the runs of the system
  std::int64_t shape = 0;  ///< its number
};

/// The runs of a system, and the place of each result.
struct Runs {
  std::vector<SeriesRun> runs;
  std::unordered_map<std::int64_t, ResultPlace> of_result;
  std::unordered_map<std::int64_t, std::size_t> of_shape;  ///< how many
};

/// Rows of another table that runs name by its number: that number, and the run.
using RunsByRow = std::vector<std::pair<std::int64_t, std::size_t>>;

/// Calls `fill(rows, run)` for each run that names the row.
template <class Fill>
void fill_from(Rows rows, RunsByRow runs, const Fill& fill) {
  std::ranges::sort(runs);
  while (rows.next()) {
    auto at = std::ranges::lower_bound(runs, std::pair(rows.whole(0), std::size_t{0}));
    for (; at != runs.end() && at->first == rows.whole(0); ++at) fill(rows, at->second);
  }
}

/// The rows from the first to the last that is named.
Rows rows_between(Database::Connection& database, const char* sql, const RunsByRow& runs) {
  const auto [first, last] = std::ranges::minmax(runs | std::views::keys);
  return {database, sql, first, last};
}

/// Those of the suites that are wanted.
Runs runs_of(Database::Connection& database, std::string_view system, const WantedMetrics& wanted) {
  std::vector<std::pair<double, std::int64_t>> order;  // when, and the result
  std::vector<std::int64_t> shapes;
  std::vector<SeriesRun> runs;
  RunsByRow by_attempt;
  Runs found;
  std::vector<std::string_view> suites;
  for (const auto& [suite, metrics] : wanted) suites.emplace_back(suite);
  Rows rows(database, results_query(suites.size()), system, suites);
  while (rows.next()) {
    by_attempt.emplace_back(rows.whole(1), runs.size());
    SeriesRun& run = runs.emplace_back();
    run.validity = validity_of(rows.text(2));
    run.complete = rows.whole(3) != 0;
    order.emplace_back(0, rows.whole(0));
    shapes.push_back(rows.whole(4));
    ++found.of_shape[shapes.back()];
  }
  if (runs.empty()) return found;
  RunsByRow by_case;
  std::vector<std::string> host(runs.size());
  fill_from(rows_between(database, attempts_query, by_attempt), by_attempt,
            [&](const Rows& attempt, std::size_t i) {
              by_case.emplace_back(attempt.whole(1), i);
              runs[i].attempt = static_cast<int>(attempt.whole(2));
              order[i].first = runs[i].at_s = attempt.real(3);
              runs[i].hosts = attempt.text(4);
              host[i] = attempt.text(5);
            });
  if (by_case.empty()) return {};
  std::vector<bool> placed(runs.size());
  fill_from(rows_between(database, places_query, by_case), by_case, [&](const Rows& place, std::size_t i) {
    placed[i] = true;
    if (runs[i].hosts.empty()) runs[i].hosts = place.text(1);
    if (runs[i].hosts.empty()) runs[i].hosts = std::move(host[i]);
  });
  fill_from(Rows(database, cases_query), std::move(by_case), [&](const Rows& named, std::size_t i) {
    runs[i].campaign = named.text(1);
    runs[i].case_id = named.text(2);
  });
  std::vector<std::size_t> places(runs.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::sort(places, {}, [&](std::size_t place) { return order[place]; });
  found.runs.reserve(runs.size());
  found.of_result.reserve(runs.size());
  for (const std::size_t place : places) {
    if (!placed[place] || runs[place].campaign.empty()) continue;  // of a case that is not there
    found.of_result.emplace(order[place].second,
                            ResultPlace{static_cast<std::uint32_t>(found.runs.size()), shapes[place]});
    found.runs.push_back(std::move(runs[place]));
  }
  return found;
}

/// The series of the runs of one shape.
struct ShapeSeries {
  MetricSeries like;                    ///< without metric and points
  std::size_t runs = 0;                 ///< and at most as many points
  std::vector<MetricSeries> series;     ///< in the order in which they were first seen
  std::vector<std::int32_t> by_metric;  ///< by the number of a metric's name; -1: none yet
  std::unordered_map<std::string, std::size_t> by_phase;

  MetricSeries& of_metric(std::size_t name) {
    if (name >= by_metric.size()) by_metric.resize(name + 1, -1);
    if (by_metric[name] < 0) {
      by_metric[name] = static_cast<std::int32_t>(series.size());
      series.push_back(like);
      series.back().points.reserve(std::min<std::size_t>(runs, 1024));
    }
    return series[static_cast<std::size_t>(by_metric[name])];
  }
  MetricSeries& of_phase(const std::string& name) {
    const auto [it, fresh] = by_phase.try_emplace(name, series.size());
    if (fresh) series.push_back(like);
    return series[it->second];
  }
};

/// Shapes by their number, and these in the order in which they are given.
struct Shapes {
  std::unordered_map<std::int64_t, ShapeSeries> by_id;
  std::vector<std::int64_t> order;
};

Shapes shapes_of(Database::Connection& database, std::string_view system, const Runs& runs) {
  Rows rows(database, shapes_query, system);
  Shapes found;
  while (rows.next()) {
    found.order.push_back(rows.whole(0));
    ShapeSeries& shape = found.by_id[rows.whole(0)];
    if (const auto it = runs.of_shape.find(rows.whole(0)); it != runs.of_shape.end()) shape.runs = it->second;
    MetricSeries& like = shape.like;
    like.suite = rows.text(1);
    like.implementation = rows.text(2);
    like.nodes = static_cast<int>(rows.whole(3));
    like.node_kind = rows.text(4);
    like.parameters = rows.text(5);
  }
  return found;
}

/// Metrics' names by their numbers; empty: there is none of this number.
std::vector<std::string> metric_names(Database::Connection& database) {
  Rows rows(database, "SELECT id, name FROM metric_name WHERE name >= ''");
  std::vector<std::string> names;
  while (rows.next()) {
    if (rows.whole(0) < 0 || rows.whole(0) > most_names) continue;
    const auto number = static_cast<std::size_t>(rows.whole(0));
    if (number >= names.size()) names.resize(number + 1);
    names[number] = rows.text(1);
  }
  return names;
}

/// The query of some metrics of a result, which holds many others.
std::string result_metrics_query_of(const std::vector<std::string>& names,
                                    const std::vector<std::string>& wanted) {
  std::vector<std::size_t> numbers;
  for (std::size_t number = 0; number < names.size(); ++number)
    if (std::ranges::find(wanted, names[number]) != wanted.end()) numbers.push_back(number);
  return result_metrics_query + fmt::format(" AND name_id IN ({})", fmt::join(numbers, ","));
}

/// Adds the value that a row has of a run: the metric's number in `column`, the value behind it.
void add_value(const Rows& rows, int column, const std::vector<std::string>& names, std::uint32_t run,
               ShapeSeries& shape) {
  if (rows.is_null(column + 1)) return;
  const auto name = static_cast<std::size_t>(rows.whole(column));
  if (name >= names.size() || names[name].empty()) throw std::out_of_range("a metric without a name");
  MetricSeries& series = shape.of_metric(name);
  if (series.metric.empty()) series.metric = names[name];
  series.points.push_back({run, rows.real(column + 1)});
}

void add_all_metrics(Database::Connection& database, std::string_view system,
                     const std::vector<std::string>& names, const Runs& runs, Shapes& shapes) {
  Rows rows(database, metrics_query, system);
  std::int64_t result = -1;
  std::uint32_t run = 0;
  ShapeSeries* shape = nullptr;
  while (rows.next()) {
    if (const std::int64_t next = rows.whole(0); next != result) {
      result = next;
      const auto place = runs.of_result.find(next);
      shape = place == runs.of_result.end() ? nullptr : &shapes.by_id.at(place->second.shape);
      run = shape == nullptr ? 0 : place->second.run;
    }
    if (shape != nullptr) add_value(rows, 1, names, run, *shape);
  }
}

/// A search for each result, in the order in which they lie.
void add_wanted_metrics(Database::Connection& database, const WantedMetrics& wanted,
                        const std::vector<std::string>& names, const Runs& runs, Shapes& shapes) {
  std::map<std::string_view, Rows> searches;  // by suite
  for (const auto& [suite, metrics] : wanted)
    searches.try_emplace(suite, database, result_metrics_query_of(names, metrics).c_str());
  std::vector<std::int64_t> results;
  results.reserve(runs.of_result.size());
  for (const auto& [result, place] : runs.of_result) results.push_back(result);
  std::ranges::sort(results);
  for (const std::int64_t result : results) {
    const ResultPlace& place = runs.of_result.at(result);
    ShapeSeries& shape = shapes.by_id.at(place.shape);
    const auto search = searches.find(shape.like.suite);
    if (search == searches.end()) continue;
    Rows& rows = search->second;
    for (rows.restart(result); rows.next();) add_value(rows, 0, names, place.run, shape);
  }
}

void add_metrics(Database::Connection& database, std::string_view system, const WantedMetrics& wanted,
                 const Runs& runs, Shapes& shapes) {
  const auto names = metric_names(database);
  if (wanted.empty())
    add_all_metrics(database, system, names, runs, shapes);
  else
    add_wanted_metrics(database, wanted, names, runs, shapes);
}

bool is_wanted(const WantedMetrics& wanted, const std::string& suite, const std::string& name) {
  if (wanted.empty()) return true;
  const auto of_suite = wanted.find(suite);
  return of_suite != wanted.end() && std::ranges::find(of_suite->second, name) != of_suite->second.end();
}

void add_phases(Database::Connection& database, std::string_view system, const WantedMetrics& wanted,
                const Runs& runs, Shapes& shapes) {
  Rows rows(database, phases_query, system);
  while (rows.next()) {
    ShapeSeries& shape = shapes.by_id.at(rows.whole(0));
    if (!is_wanted(wanted, shape.like.suite, rows.text(2))) continue;
    MetricSeries& series = shape.of_phase(rows.text(2));
    if (series.metric.empty()) {
      series.metric = rows.text(2);
      series.unit = rows.text(3);
    }
    series.points.push_back({runs.of_result.at(rows.whole(1)).run, rows.real(4)});
  }
}

}  // namespace

std::vector<std::string> series_queries() {
  return {results_query(0), results_query(2), attempts_query,       places_query, cases_query,
          shapes_query,     metrics_query,    result_metrics_query, phases_query};
}

Result<SystemSeries> Database::series_of(std::string_view system, const WantedMetrics& wanted) const {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    const SQLite::Transaction one_moment(db.database);
    Runs runs = runs_of(db, system, wanted);
    Shapes shapes = shapes_of(db, system, runs);
    add_metrics(db, system, wanted, runs, shapes);
    add_phases(db, system, wanted, runs, shapes);
    SystemSeries found;
    found.runs = std::move(runs.runs);
    for (const std::int64_t id : shapes.order)
      for (MetricSeries& series : shapes.by_id.at(id).series) {
        if (!std::ranges::is_sorted(series.points, {}, &SeriesPoint::run))
          std::ranges::stable_sort(series.points, {}, &SeriesPoint::run);
        found.series.push_back(std::move(series));
      }
    return found;
  });
}

}  // namespace shakedown
