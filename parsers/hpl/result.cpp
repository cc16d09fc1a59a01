#include "parsers/hpl/result.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <utility>

#include "orchestrator/core/units.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

constexpr size_t usual_facts = 7;  // of a test alone: a million of them go through here

/// Whether the run's echo lists a row's values. Most rows of a long run have those of the row before.
class Echo {
 public:
  const std::string& of(const HplSession& session, const HplRow& row) {
    const std::array<std::int64_t, 4> values = {row.N, row.NB, row.P, row.Q};
    if (values != values_ || row.variant != variant_) text_ = echoed(session, row);
    values_ = values;
    variant_ = row.variant;
    return text_;
  }

 private:
  std::array<std::int64_t, 4> values_{};
  std::string variant_;
  std::string text_;
};

void add_row(ParsedResult& result, HplTest& test, HplRow& row, const HplSession& session, Echo& echo) {
  result.parameters.emplace_back("N", row.N);
  result.parameters.emplace_back("NB", row.NB);
  result.parameters.emplace_back("P", row.P);
  result.parameters.emplace_back("Q", row.Q);
  result.parameters.emplace_back("PMAP", std::string(row.variant[1] == 'R' ? "row" : "column"));
  const std::string& listed = echo.of(session, row);
  result.parameters.emplace_back("TV", std::move(row.variant));
  if (const auto rate = finite_number(row.gflops))
    result.metrics.emplace_back("rmax_gflops", *rate, test.line);
  result.metrics.emplace_back("time_s", row.time_s, test.line);
  if (const auto rate = row.gflops_per_gpu.empty() ? std::nullopt : finite_number(row.gflops_per_gpu))
    result.metrics.emplace_back("rmax_gflops_per_gpu", *rate, test.line);
  if (!listed.empty()) add_fact(result, "echoed", {listed, test.line});
  add_fact(result, "rmax_printed", {std::move(row.gflops), test.line});
  if (!row.gflops_per_gpu.empty())
    add_fact(result, "rmax_per_gpu_printed", {std::move(row.gflops_per_gpu), test.line});
  add_fact(result, "time_printed", {std::move(row.time), test.line});
  add_fact(result, "started", std::move(test.started));
  add_fact(result, "ended", std::move(test.ended));
  add_fact(result, "second_stamp", std::move(test.second_stamp));
}

/// Adds the residual and its verdict. Whether the check is whole.
bool add_checks(ParsedResult& result, HplTest& test) {
  if (test.checks.empty()) return false;
  std::optional<Metric> largest;
  HplText printed;
  bool finite = true;
  std::string verdict = "PASSED";
  int line = test.checks.front().second;
  for (const auto& [check, number] : test.checks) {
    if (check.verdict.empty()) return false;
    if (check.verdict == "FAILED" && verdict == "PASSED") {
      verdict = "FAILED";
      line = number;
    }
    const auto value = finite_number(check.residual);
    const bool counts = finite && (!value || !largest || *value > largest->value);
    if (counts) printed = {check.residual, number};
    if (!value)
      finite = false;
    else if (counts)
      largest = Metric{"residual", *value, number};
  }
  if (finite && largest) result.metrics.push_back(*largest);
  add_fact(result, "residual_printed", std::move(printed));
  add_fact(result, "residual_check", {std::move(verdict), line});
  for (auto& [norm, text] : test.norms) add_fact(result, norm, std::move(text));
  return !test.checks.front().first.one_of_three || test.checks.size() >= 3;
}

std::string why_unchecked(const HplTest& test, const HplSession& session) {
  if (session.unchecked.line != 0)
    return fmt::format("line {}: the run did not check its residuals ('{} tests completed without checking')",
                       session.unchecked.line, session.unchecked.text);
  const std::string where =
      fmt::format("line {}: the result row has no whole residual check behind it", test.line);
  if (session.failure) return where + "; " + session.failure->text;
  return where + (session.end.line == 0 && !session.goes_on ? ": the log is cut" : "");
}

std::string why_nothing(const HplSession& session) {
  if (session.failure) return session.failure->text;
  if (session.end.line != 0)
    return fmt::format("line {}: the run ended without a result row", session.end.line);
  return fmt::format("the log ends at line {} before any result row", session.last_line);
}

/// Contradictions and endings that a reader should know of.
std::vector<std::string> run_warnings(const HplSession& session) {
  std::vector<std::string> warnings;
  if (session.goes_on)
    return {"the run has more rows than are stored: its footer was not compared with this one"};
  if (session.end.line == 0)
    warnings.push_back("the log has no 'End of Tests.': it is cut, or the run was ended");
  if (session.failure) warnings.push_back(session.failure->text);
  const auto compare = [&](const HplText& footer, int rows, std::string_view what) {
    const auto count = parsed_integer(footer.text);
    if (footer.line != 0 && count && *count != rows)
      warnings.push_back(fmt::format("line {}: the footer counts {} tests that {}, the log shows {}",
                                     footer.line, *count, what, rows));
  };
  compare(session.passed, session.rows_passed, "passed");
  compare(session.failed, session.rows_failed, "failed");
  return warnings;
}

/// rocHPL's stdout where its table went to a file, or HPCC's summary without its HPL section: a single value.
std::optional<ParsedResult> summary_result(const HplSession& session, const ParsedResult& run) {
  ParsedResult result = run;
  if (session.score.line != 0 && is_whole_exponential(session.score.text)) {
    if (const auto rate = finite_number(session.score.text))
      result.metrics.emplace_back("rmax_gflops", *rate, session.score.line);
    if (const auto residual = finite_number(session.score_residual.text))
      result.metrics.emplace_back("residual", *residual, session.score_residual.line);
    if (session.score_check.text == "PASSED" || session.score_check.text == "FAILED")
      add_fact(result, "residual_check", session.score_check);
    result.reason = fmt::format("line {}: only rocHPL's summary is here; its result table is in HPL.out",
                                session.score.line);
    return result;
  }
  const auto value = [&](const char* name) -> std::optional<double> {
    const auto it = session.summary.find(name);
    return it == session.summary.end() ? std::nullopt : finite_number(it->second.text);
  };
  const auto tflops = value("HPL_Tflops");
  if (!tflops || *tflops <= 0) return std::nullopt;
  constexpr std::array<std::pair<const char*, const char*>, 4> names = {
      {{"N", "HPL_N"}, {"NB", "HPL_NB"}, {"P", "HPL_nprow"}, {"Q", "HPL_npcol"}}};
  result.parameters.clear();
  for (const auto& [name, key] : names)
    if (const auto found = value(key))
      result.parameters.push_back({name, static_cast<std::int64_t>(std::llround(*found))});
  const int line = session.summary.at("HPL_Tflops").line;
  result.metrics.emplace_back("rmax_gflops", *tflops * 1e3, line);
  if (const auto time = value("HPL_time"))
    result.metrics.emplace_back("time_s", *time, session.summary.at("HPL_time").line);
  result.reason =
      fmt::format("line {}: only HPCC's summary is here; its HPL section with the check is missing", line);
  return result;
}

}  // namespace

void require_time(ParsedResult& result) {
  constexpr std::int64_t toy = 1000;  // order up to which any processor takes no longer than a rounded 0.00 s
  const Fact* printed = result.fact("time_printed");
  const Value* N = find_parameter(result.parameters, "N");
  if (printed == nullptr || N == nullptr || !std::holds_alternative<std::int64_t>(*N)) return;
  if (std::get<std::int64_t>(*N) <= toy) return;
  // What is printed as more than 0 is at least one unit of its last digit, twice what rounding can make of
  // it.
  const auto time = finite_number(printed->value);
  if (!time || *time > 0) return;
  result.complete = false;
  result.reason = fmt::format("line {}: the time is printed as '{}' s: nothing proves the rate",
                              printed->line, printed->value);
}

void hpl_results(HplSession& session, const ResultSink& sink) {
  ParsedResult run;
  run.suite = "hpl";
  run.implementation = session.implementation;
  run.version = session.version.line != 0 ? session.version.text : session.hplinpack.text;
  if (session.tests.empty()) {
    add_echoed_parameters(run, session);
    add_run_facts(run, session);
    if (auto summary = summary_result(session, run)) return sink(std::move(*summary));
    run.reason = why_nothing(session);
    return sink(std::move(run));
  }

  run.warnings = run_warnings(session);
  const std::string passed = std::to_string(session.rows_passed);
  const std::string failed = std::to_string(session.rows_failed);
  const std::string skipped = std::to_string(session.rows_skipped);
  const std::string unchecked = std::to_string(session.rows_unchecked);
  ParsedResult same_of_all;
  add_run_facts(same_of_all, session);
  Echo echo;
  for (HplTest& test : session.tests) {
    ParsedResult result = run;
    result.parameters.reserve(6);
    result.metrics.reserve(3);
    result.facts.reserve(usual_facts + same_of_all.facts.size());
    if (test.row) {
      add_row(result, test, *test.row, session, echo);
      result.complete = add_checks(result, test) && result.metric("rmax_gflops") != nullptr;
      if (result.metric("rmax_gflops") == nullptr)
        result.reason =
            fmt::format("line {}: the row's rate is printed as '{}'", test.line, test.row->gflops);
      else if (!result.complete)
        result.reason = why_unchecked(test, session);
      else if (session.prefix.line != 0) {
        result.complete = false;
        result.reason = quoted_line(session.prefix.line,
                                    "the lines begin with words that are no known launcher's prefix, so the "
                                    "program's other lines can't be read",
                                    session.prefix.text);
      } else if (test.row->time_s <= 0)
        require_time(result);
    } else {
      add_echoed_parameters(result, session);
      result.reason = test.lost;
    }
    if (!session.goes_on) {
      add_fact(result, "rows_passed", {passed, test.line});
      add_fact(result, "rows_failed", {failed, test.line});
      add_fact(result, "rows_skipped", {skipped, test.line});
      if (session.rows_unchecked > 0) add_fact(result, "rows_unchecked", {unchecked, test.line});
    }
    result.facts.insert(result.facts.end(), same_of_all.facts.begin(), same_of_all.facts.end());
    sink(std::move(result));
  }
}

void add_fact(ParsedResult& result, std::string_view name, HplText text) {
  if (text.line != 0) result.facts.emplace_back(std::string(name), std::move(text.text), text.line);
}

/// What the echo does not list counts as one value: where the log was cut (`at_least`), and in shakedown's
/// own program, which uses four of the lists.
std::string announced_tests(const HplSession& session, bool at_least) {
  const bool own = session.implementation == "reference";
  std::int64_t tests = 1;
  for (const std::string_view name : {"N", "NB", "P", "PFACT", "NBMIN", "NDIV", "RFACT", "BCAST", "DEPTH"}) {
    const auto values = session.echo.find(name);
    const bool listed = values != session.echo.end() && !values->second.empty();
    if (!listed && (at_least || own) && name != "N") continue;
    if (!listed || (!at_least && values->second.size() >= most_echoed)) return {};
    if (__builtin_mul_overflow(tests, static_cast<std::int64_t>(values->second.size()), &tests)) return {};
  }
  return std::to_string(tests);
}

void add_run_facts(ParsedResult& result, const HplSession& session) {
  add_fact(result, "hplinpack", session.hplinpack);
  add_fact(result, "threshold", session.threshold);
  add_fact(result, "eps", session.eps);
  add_fact(result, "precision", session.precision);
  add_fact(result, "tests_finished", session.finished);
  const int last = session.finished.line != 0 ? session.finished.line : session.last_line;
  const bool at_least = session.finished.line == 0;
  if (!session.goes_on)
    if (std::string tests = announced_tests(session, at_least); !tests.empty())
      add_fact(result, "tests_announced", {std::move(tests), last});
  add_fact(result, "tests_passed", session.passed);
  add_fact(result, "tests_failed", session.failed);
  add_fact(result, "tests_unchecked", session.unchecked);
  add_fact(result, "tests_skipped", session.skipped);
  add_fact(result, "second_footer", session.second_footer);
  add_fact(result, "end_of_tests", session.end);
  add_fact(result, "second_end", session.second_end);
  if (session.highest_rank >= 0) {
    add_fact(result, "ranks", {std::to_string(session.highest_rank + 1), session.rank_line});
    std::string hosts;
    for (const auto& [host, ranks] : session.hosts)
      hosts += fmt::format("{}{}:{}", hosts.empty() ? "" : ",", host, ranks);
    add_fact(result, "hosts", {hosts, session.rank_line});
  } else {
    add_fact(result, "ranks", session.processes);
  }
  if (const auto it = session.summary.find("HPL_Tflops"); it != session.summary.end())
    add_fact(result, "hpl_tflops", it->second);
  for (const auto& [name, text] : session.settings) add_fact(result, "setting " + name, text);
}

void add_echoed_parameters(ParsedResult& result, const HplSession& session) {
  for (const char* name : {"N", "NB", "P", "Q"}) {
    const auto it = session.echo.find(name);
    if (it == session.echo.end() || it->second.size() != 1) continue;
    if (const auto value = positive_integer(it->second.front())) result.parameters.push_back({name, *value});
  }
  const auto it = session.echo.find("PMAP");
  if (it == session.echo.end() || it->second.empty()) return;
  if (it->second.front() == "Row-major") result.parameters.push_back({"PMAP", std::string("row")});
  if (it->second.front() == "Column-major") result.parameters.push_back({"PMAP", std::string("column")});
}

namespace {

/// The parts of a row's code that the run didn't announce, each as "DEPTH = 1, ". Lists with names that HPL
/// doesn't have (BCAST of HPL-GPU: "MPI") are left out, and those that may go on in further lines.
std::string unlisted_variant(const HplSession& session, std::string_view code) {
  constexpr size_t most_of_line = 8;
  constexpr std::array<std::string_view, 11> names = {"Row-major", "Column-major", "Left",   "Crout",
                                                      "Right",     "1ring",        "1ringM", "2ring",
                                                      "2ringM",    "Blong",        "BlongM"};
  const auto is_known = [&](std::string_view name) {
    return name.find_first_not_of("-0123456789") == name.npos ||
           std::ranges::find(names, name) != names.end();
  };
  // NVIDIA's 1.0.0 prints DEPTH 0 where 1 was announced; AMD's has an algorithm of its own, too.
  const bool own_algorithm = session.implementation == "nvidia" || session.implementation == "amd";
  std::string missing;
  const auto variant = hpl_variant(code);
  if (!variant) return missing;
  for (const auto& [list, value] : *variant) {
    if (own_algorithm && list != "PMAP") continue;
    const auto it = session.echo.find(list);
    if (it == session.echo.end() || it->second.empty() || it->second.size() >= most_of_line) continue;
    const size_t count = list == "PMAP" ? 1 : it->second.size();  // "Row-major process mapping"
    const auto listed = std::span(it->second).first(count);
    if (std::ranges::find(listed, value) == listed.end() && std::ranges::all_of(listed, is_known))
      missing += fmt::format("{} = {}, ", list, value);
  }
  return missing;
}

}  // namespace

std::string echoed(const HplSession& session, const HplRow& row) {
  const auto listed = [&](std::string_view name) -> const std::vector<std::string>* {
    const auto it = session.echo.find(name);
    return it == session.echo.end() || it->second.empty() ? nullptr : &it->second;
  };
  const auto* N = listed("N");
  const auto* NB = listed("NB");
  const auto* P = listed("P");
  const auto* Q = listed("Q");
  if (N == nullptr || NB == nullptr || P == nullptr || Q == nullptr || P->size() != Q->size()) return {};
  for (const auto* values : {N, NB, P, Q})
    if (values->size() >= most_echoed) return {};
  const auto is = [](const std::string& printed, std::int64_t value) {
    std::array<char, 24> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return printed == std::string_view(text.data(), static_cast<size_t>(end - text.data()));
  };
  const auto has = [&](const std::vector<std::string>& values, std::int64_t value) {
    return std::any_of(values.begin(), values.end(),
                       [&](const std::string& printed) { return is(printed, value); });
  };
  // NVIDIA's solves whole blocks only: 532 of 2048 where 1089904 was announced (HPL-NVIDIA 25.4.0
  // and 26.2.0).
  const auto rounds_to_row = [&](const std::string& printed) {
    const auto announced = positive_integer(printed);
    return announced && row.NB > 0 && *announced - *announced % row.NB == row.N;
  };
  const bool in_blocks = session.implementation == "nvidia" && std::ranges::any_of(*N, rounds_to_row);
  std::string missing;
  if (!has(*N, row.N) && !in_blocks) missing += fmt::format("N = {}, ", row.N);
  if (!has(*NB, row.NB)) missing += fmt::format("NB = {}, ", row.NB);
  bool grid = false;
  for (size_t i = 0; i < P->size() && !grid; ++i) grid = is((*P)[i], row.P) && is((*Q)[i], row.Q);
  if (!grid) missing += fmt::format("P x Q = {} x {}, ", row.P, row.Q);
  missing += unlisted_variant(session, row.variant);
  if (missing.empty()) return "yes";
  return missing.substr(0, missing.size() - 2);
}

}  // namespace shakedown
