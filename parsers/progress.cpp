#include "parsers/progress.hpp"

#include <charconv>
#include <cmath>

namespace shakedown {
namespace {

/// The number behind `key` in a line, and whether a per cent sign follows it.
struct Stated {
  double value = 0;
  bool percent = false;
};

std::optional<Stated> stated(std::string_view line, std::string_view key) {
  std::size_t at = 0;
  while ((at = line.find(key, at)) != std::string_view::npos) {
    const bool whole = at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t';
    at += key.size();
    if (!whole) continue;  // "GF=" within "iGF="
    while (at < line.size() && line[at] == ' ') ++at;
    Stated found;
    const char* begin = line.data() + at;
    const auto [end, error] = std::from_chars(begin, line.data() + line.size(), found.value);
    if (error != std::errc() || !std::isfinite(found.value) || found.value < 0) return std::nullopt;
    found.percent = end != line.data() + line.size() && *end == '%';
    return found;
  }
  return std::nullopt;
}

std::optional<ProgressPoint> point_of(std::string_view line) {
  auto share = stated(line, "Prog=");
  if (!share && line.find("Column=") != std::string_view::npos) share = stated(line, "Fraction=");
  if (!share) return std::nullopt;
  ProgressPoint point;
  point.share = share->percent ? share->value / 100 : share->value;
  if (point.share > 1) return std::nullopt;
  if (const auto rate = stated(line, "GF=")) {
    point.gflops = rate->value;
    if (const auto now = stated(line, "iGF=")) point.now_gflops = now->value;
  } else if (const auto whole = stated(line, "Gflops=")) {
    point.gflops = whole->value;
  } else if (const auto parts = stated(line, "Mflops=")) {
    point.gflops = parts->value / 1000;
  } else {
    return std::nullopt;
  }
  return point;
}

}  // namespace

std::vector<ProgressPoint> progress_points(std::string_view log) {
  std::vector<ProgressPoint> points;
  while (!log.empty()) {
    const std::size_t end = log.find('\n');
    const auto point = point_of(log.substr(0, end));
    if (point && !points.empty() && point->share < points.back().share) points.clear();
    if (point) points.push_back(*point);
    log.remove_prefix(end == std::string_view::npos ? log.size() : end + 1);
  }
  return points;
}

}  // namespace shakedown
