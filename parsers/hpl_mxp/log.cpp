#include "parsers/hpl_mxp/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/hpl/words.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

template <class Entry>
Entry* named(std::vector<Entry>& entries, std::string_view name) {
  const auto it =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name; });
  return it == entries.end() ? nullptr : &*it;
}

void put_parameter(ParsedResult& result, std::string_view name, Value value) {
  if (Parameter* parameter = named(result.parameters, name))
    parameter->value = std::move(value);
  else
    result.parameters.push_back({std::string(name), std::move(value)});
}

}  // namespace

void MxpLog::at(const LogLine& line) {
  last_line_ = line.number;
  // NVIDIA's program prints the time alone on a line; a launcher stamps lines that have a text.
  const bool alone = line.text.empty() && line.stamp.size() > 10 && line.stamp[10] == ' ';
  if (alone) {
    date_ = line.stamp.substr(0, 10);
    date_line_ = line.number;
  }
}

bool MxpLog::other(const LogLine& line) {
  const auto failure = failure_in(line);
  note(failure_, failure);
  return failure && ends_run(*failure);
}

void MxpLog::give(std::vector<ParsedResult> results) {
  if (failure_ && !results.empty() && results.back().reason.empty())
    results.back().warnings.push_back(failure_->text);
  failure_.reset();
  held_.give(std::move(results));
}

void MxpLog::lost(ParsedResult run, int first_line) {
  failure_.reset();
  held_.lose(std::move(run), first_line);
}

std::string MxpLog::why_nothing() const {
  if (failure_) return failure_->text;
  return fmt::format("the log ends at line {} before any result", last_line_);
}

std::string MxpLog::why_cut(int line, std::string_view what) const {
  return fmt::format("line {}: {}{}", line, what, failure_ ? "; " + failure_->text : "");
}

void MxpLog::add_date(ParsedResult& result) const {
  set_fact(result, "date", date_, date_line_);
}

std::optional<MxpCheck> mxp_check(std::string_view text) {
  constexpr std::string_view norm = "||Ax-b||_oo";
  const size_t start = text.find(norm);
  if (start == std::string_view::npos) return std::nullopt;
  const std::string_view quotient = trimmed(text.substr(start + norm.size()));
  const size_t equals = quotient.rfind('=');
  if (!quotient.starts_with('/') || equals == std::string_view::npos) return std::nullopt;
  MxpCheck check;
  const std::string_view formula = quotient.substr(0, equals);
  check.block = formula.find("EPS") != std::string_view::npos;
  if (!check.block && formula.find("eps") == std::string_view::npos) return std::nullopt;
  const std::string_view value = quotient.substr(equals + 1);
  const size_t dots = value.find("...");
  if (dots == std::string_view::npos) return check;
  check.residual = trimmed(value.substr(0, dots));
  const std::string_view word =
      trimmed(value.substr(std::min(value.find_first_not_of('.', dots), value.size())));
  for (const std::string_view verdict : {"PASSED", "FAILED"})
    if (word == verdict || word.starts_with(std::string(verdict) + ' ')) check.verdict = verdict;
  return check;
}

std::string_view mxp_value(std::string_view text, std::string_view label, const LogLine& line) {
  const size_t at = text.find(label);
  if (at == std::string_view::npos) return {};
  std::string_view rest = text.substr(at + label.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  const size_t end = rest.find_first_of(" \t,");
  if (end == std::string_view::npos && !line.terminated) return {};
  return rest.substr(0, end);
}

void set_fact(ParsedResult& result, std::string_view name, std::string_view value, int line) {
  if (value.empty()) return;
  if (Fact* fact = named(result.facts, name))
    *fact = {std::string(name), std::string(value), line};
  else
    result.facts.push_back({std::string(name), std::string(value), line});
}

void set_metric(ParsedResult& result, std::string_view name, std::string_view printed, int line) {
  if (const auto value = finite_number(printed)) set_metric(result, name, *value, line);
}

void set_metric(ParsedResult& result, std::string_view name, double value, int line) {
  if (!std::isfinite(value)) return;
  if (Metric* metric = named(result.metrics, name))
    *metric = {std::string(name), value, line};
  else
    result.metrics.push_back({std::string(name), value, line});
}

void set_parameter(ParsedResult& result, std::string_view name, std::string_view printed) {
  if (const auto value = positive_integer(printed)) put_parameter(result, name, *value);
}

void set_text_parameter(ParsedResult& result, std::string_view name, std::string value) {
  put_parameter(result, name, std::move(value));
}

void set_check(ParsedResult& result, const MxpCheck& check, int line) {
  if (check.verdict.empty()) return;
  set_metric(result, "residual", check.residual, line);
  set_fact(result, "residual_printed", check.residual, line);
  set_fact(result, "residual_check", check.verdict, line);
}

void set_total_time(ParsedResult& result) {
  const Metric* factorisation = result.metric("lu_time_s");
  const Metric* refinement = result.metric("refinement_time_s");
  if (factorisation == nullptr || refinement == nullptr) return;
  constexpr double digits = 1e6;  // a sum of printed decimals has no more than they
  const double sum = factorisation->value + refinement->value;
  set_metric(result, "time_s", std::round(sum * digits) / digits, refinement->line);
}

}  // namespace shakedown
