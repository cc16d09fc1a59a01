#include "parsers/hpl/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "parsers/number.hpp"

namespace shakedown {

void add_fact(ParsedResult& result, std::string_view name, HplText text) {
  if (text.line != 0) result.facts.emplace_back(std::string(name), std::move(text.text), text.line);
}

void add_run_facts(ParsedResult& result, const HplSession& session) {
  add_fact(result, "hplinpack", session.hplinpack);
  add_fact(result, "threshold", session.threshold);
  add_fact(result, "eps", session.eps);
  add_fact(result, "precision", session.precision);
  add_fact(result, "tests_finished", session.finished);
  add_fact(result, "tests_passed", session.passed);
  add_fact(result, "tests_failed", session.failed);
  add_fact(result, "tests_unchecked", session.unchecked);
  add_fact(result, "tests_skipped", session.skipped);
  add_fact(result, "end_of_tests", session.end);
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
  std::string missing;
  if (!has(*N, row.N)) missing += fmt::format("N = {}, ", row.N);
  if (!has(*NB, row.NB)) missing += fmt::format("NB = {}, ", row.NB);
  bool grid = false;
  for (size_t i = 0; i < P->size() && !grid; ++i) grid = is((*P)[i], row.P) && is((*Q)[i], row.Q);
  if (!grid) missing += fmt::format("P x Q = {} x {}, ", row.P, row.Q);
  if (missing.empty()) return "yes";
  return missing.substr(0, missing.size() - 2);
}

}  // namespace shakedown
