#include <algorithm>
#include <cmath>
#include <string>

#include "orchestrator/core/units.hpp"
#include "reports/baseline.hpp"

namespace shakedown {
namespace {

/// The values that a printed figure may stand for: half a unit of its last digit to either side.
struct Interval {
  double low = 0;
  double high = 0;

  [[nodiscard]] bool meets(const Interval& other) const { return low <= other.high && other.low <= high; }
};

Interval exactly(double value) {
  return {value, value};
}

/// Interval of a quotient of positive intervals.
Interval operator/(const Interval& a, const Interval& b) {
  return {a.low / b.high, a.high / b.low};
}

Interval printed_interval(const BaselineValue& value) {
  std::string digits = value.printed.substr(0, value.printed.find_first_not_of("0123456789.,-+"));
  std::erase(digits, ',');
  const auto figure = parsed_number(digits);
  if (!figure || *figure == 0) return exactly(value.value);
  const size_t point = digits.find('.');
  const auto decimals = point == std::string::npos ? 0 : static_cast<double>(digits.size() - point - 1);
  const double half = std::abs(0.5 * std::pow(10.0, -decimals) * value.value / *figure);
  return {value.value - half, value.value + half};
}

double condition(const BaselineValue& value, std::string_view name) {
  const Value* found = find_parameter(value.conditions, name);
  return found == nullptr ? std::nan("") : value_number(*found);
}

class Checks {
 public:
  explicit Checks(const Baseline& baseline) : baseline_(baseline) {}

  /// Notes whether `recomputed` can be the row's printed figure. An input that is missing gives no check.
  void row(const BaselineValue& row, std::string identity, Interval recomputed) {
    note(row, std::move(identity), row.value, printed_interval(row), recomputed);
  }

  /// As `row`, for a condition of the row, which is exact.
  void exact(const BaselineValue& row, std::string identity, double published, double recomputed) {
    note(row, std::move(identity), published, exactly(published), exactly(recomputed));
  }

  void hpl() {
    const BaselineValue* rmax = baseline_.find("hpl", "rmax_gflops");
    if (rmax == nullptr) return;
    const double N = condition(*rmax, "N");
    const double gpus = condition(*rmax, "gpus");
    if (const auto* time = baseline_.find("hpl", "time_s")) {
      const double flop = (2.0 / 3.0 * N + 1.5) * N * N;
      row(*rmax, "Rmax = (2/3 N^3 + 3/2 N^2) / t", exactly(flop * 1e-9) / printed_interval(*time));
    }
    const BaselineValue* per_gpu = baseline_.find("hpl", "rmax_gflops_per_gpu");
    if (per_gpu != nullptr)
      row(*per_gpu, "Rmax per GPU = Rmax / GPUs", printed_interval(*rmax) / exactly(gpus));
    exact(*rmax, "P x Q = GPUs", gpus, condition(*rmax, "P") * condition(*rmax, "Q"));
    const double NB = condition(*rmax, "NB");
    exact(*rmax, "N is a whole number of blocks of NB", N, std::round(N / NB) * NB);
    efficiencies("hpl", per_gpu);
  }

  void efficiencies(std::string_view suite, const BaselineValue* rate) {
    if (rate == nullptr) return;
    const BaselineValue* gemm = baseline_.find("hpl", "gemm_gflops_per_gpu");
    const BaselineValue* of_gemm = baseline_.find(suite, "efficiency_gemm");
    if (gemm != nullptr && of_gemm != nullptr)
      row(*of_gemm, "efficiency = Rmax per GPU / GEMM", printed_interval(*rate) / printed_interval(*gemm));
    if (const auto* of_peak = baseline_.find(suite, "efficiency_rpeak")) {
      // FP64 tensor cores of NVIDIA's GH100: 128 fused multiply-adds per cycle and SM (H100 whitepaper).
      const double peak =
          condition(*of_peak, "gpu_sm_count") * condition(*of_peak, "gpu_sm_mhz") * 256 / 1000;
      row(*of_peak, "efficiency = rate per GPU / (SM x clock x 256 FLOP per cycle)",
          printed_interval(*rate) / exactly(peak));
    }
  }

  void gemm() { efficiencies("gemm", baseline_.find("hpl", "gemm_gflops_per_gpu")); }

  std::vector<IdentityCheck> found() && { return std::move(found_); }

 private:
  void note(const BaselineValue& row, std::string identity, double published, Interval stated,
            Interval recomputed) {
    if (std::isnan(recomputed.low) || std::isnan(published)) return;
    const double middle = (recomputed.low + recomputed.high) / 2;
    found_.push_back({row.id, std::move(identity), published, middle, stated.meets(recomputed), row.status});
  }

  const Baseline& baseline_;
  std::vector<IdentityCheck> found_;
};

}  // namespace

std::vector<IdentityCheck> checked_identities(const Baseline& baseline) {
  Checks checks(baseline);
  checks.hpl();
  checks.gemm();
  return std::move(checks).found();
}

}  // namespace shakedown
