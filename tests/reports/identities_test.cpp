#include <rapidcheck.h>
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>

#include "orchestrator/plan/identities.hpp"
#include "tests/reports/fixture.hpp"

using namespace shakedown;

namespace {

struct Expected {
  std::string_view row;
  std::string_view identity;  ///< a piece of its text
  bool holds = true;
};

std::vector<IdentityCheck> identities_shipped() {
  return checked_identities(fixture::sakuraone());
}

const IdentityCheck& identities_found(const std::vector<IdentityCheck>& checks, std::string_view row,
                                      std::string_view identity) {
  const auto it = std::find_if(checks.begin(), checks.end(), [&](const IdentityCheck& check) {
    return check.value_id == row && check.identity.find(identity) != std::string::npos;
  });
  INFO(row << ": " << identity);
  REQUIRE(it != checks.end());
  return *it;
}

void check_all(std::initializer_list<Expected> expected) {
  const auto checks = identities_shipped();
  for (const Expected& each : expected) {
    const IdentityCheck& check = identities_found(checks, each.row, each.identity);
    INFO(each.row << ": " << check.identity << ": published " << check.published << ", recomputed "
                  << check.recomputed);
    CHECK(check.holds == each.holds);
  }
}

/// The shipped baseline with one value replaced, published and printed alike.
std::vector<IdentityCheck> with(std::string_view id, double value, std::string printed) {
  Baseline baseline = fixture::sakuraone();
  for (BaselineValue& row : baseline.values)
    if (row.id == id) {
      row.value = value;
      row.printed = std::move(printed);
      return checked_identities(baseline);
    }
  FAIL("no row " << id);
  return {};
}

bool contradicted(const std::vector<IdentityCheck>& checks, std::string_view row) {
  return std::any_of(checks.begin(), checks.end(), [&](const IdentityCheck& check) {
    return check.value_id == row && check.contradicts();
  });
}

}  // namespace

TEST_CASE("HPL's values follow from each other") {
  check_all({{"hpl-rmax", "Rmax = (2/3 N^3 + 3/2 N^2) / t"},
             {"hpl-rmax-per-gpu", "Rmax per GPU = Rmax / GPUs"},
             {"hpl-rmax", "P x Q = GPUs"},
             {"hpl-rmax", "N is a whole number of blocks of NB"},
             {"hpl-rmax", "memory fraction = 8 N^2"},
             {"hpl-efficiency-gemm", "efficiency = Rmax per GPU / GEMM"},
             {"hpl-efficiency-rpeak", "efficiency = rate per GPU / (SM x clock x 256"},
             {"gemm-efficiency-rpeak", "efficiency = rate per GPU / (SM x clock x 256"}});
  const auto checks = identities_shipped();
  CHECK(identities_found(checks, "hpl-rmax", "/ t").recomputed == Approx(33954251).epsilon(1e-6));
  CHECK(identities_found(checks, "hpl-rmax-per-gpu", "Rmax /").recomputed == Approx(43309).epsilon(1e-5));
}

TEST_CASE("HPCG's values follow from its models, but for the bandwidth, which is a thousandfold") {
  check_all({{"hpcg-unknowns", "unknowns = nx x ny x nz"},
             {"hpcg-nonzeros", "nonzeros = (3 nx - 2) (3 ny - 2) (3 nz - 2)"},
             {"hpcg-rating", "npx x npy x npz = processes"},
             {"hpcg-rating", "local x process grid = global problem"},
             {"hpcg-memory-system", "level 0"},
             {"hpcg-memory-total", "714.85 bytes per equation"},
             {"hpcg-convergence", "raw x 50 / 54 iterations"},
             {"hpcg-rating", "t = 2.5885 s: t_opt + t_setup = 0.566 s"},
             {"hpcg-rating-per-gpu", "rating / GPUs"},
             {"hpcg-bandwidth", "7.58271 bytes per FLOP", false}});
  const auto checks = identities_shipped();
  CHECK(identities_found(checks, "hpcg-unknowns", "unknowns").recomputed == 55901683712.0);
  CHECK(identities_found(checks, "hpcg-nonzeros", "nonzeros").recomputed == 1508554939000.0);
  CHECK(identities_found(checks, "hpcg-memory-total", "total").recomputed == Approx(39961.384).epsilon(1e-7));
  CHECK(identities_found(checks, "hpcg-memory-system", "level").recomputed ==
        Approx(35168.958).epsilon(1e-7));
  CHECK(identities_found(checks, "hpcg-bandwidth", "byte model").recomputed == Approx(3316.38).epsilon(1e-5));
  CHECK(identities_found(checks, "hpcg-bandwidth", "byte model").status == BaselineStatus::unit_suspect);
}

TEST_CASE("HPL-MxP's products hold, and a last block smaller than NB is a fact, not an error") {
  check_all({{"mxp-rmax", "Rmax = Rmax per GPU x GPUs"},
             {"mxp-lu", "LU-only = LU-only per GPU x GPUs"},
             {"mxp-rmax", "P x Q = GPUs"},
             {"mxp-residual", "residual < threshold"},
             {"mxp-lu", "= 52.386 s, LU takes 33.019 s and refinement 19.367 s (37.0 %)"},
             {"mxp-rmax", "whole number of blocks", false}});
  const auto checks = identities_shipped();
  CHECK(identities_found(checks, "mxp-rmax", "per GPU").recomputed == Approx(339855982).epsilon(1e-8));
  CHECK(identities_found(checks, "mxp-lu", "per GPU").recomputed == Approx(539193592).epsilon(1e-8));
  CHECK(identities_found(checks, "mxp-rmax", "blocks").explanation ==
        "729.75 blocks: the last one is smaller, which is allowed");
}

TEST_CASE("IO500's scores are means of its phases, from two printed decimals and from all digits") {
  for (const std::string run : {"io500-10n", "io500-96n", "io500-10n-submitted", "io500-96n-submitted"}) {
    const auto checks = identities_shipped();
    for (const auto& [row, identity] : {std::pair("-bandwidth", "geometric mean of 4 IOR phases"),
                                        std::pair("-iops", "geometric mean of 7 mdtest phases and find"),
                                        std::pair("-score", "square root of bandwidth x IOPS")}) {
      const IdentityCheck& check = identities_found(checks, run + row, identity);
      INFO(check.value_id << " " << check.recomputed);
      CHECK(check.holds);
      const double slack = run.ends_with("submitted") ? 1e-7 : 1e-4;
      CHECK(check.recomputed == Approx(check.published).epsilon(slack));
    }
  }
  const auto checks = identities_shipped();
  CHECK(identities_found(checks, "io500-10n-bandwidth", "mean").recomputed == Approx(133.0306).epsilon(1e-6));
  CHECK(identities_found(checks, "io500-96n-bandwidth", "mean").recomputed == Approx(139.807).epsilon(1e-5));
  CHECK(identities_found(checks, "io500-96n-bandwidth", "mean").status == BaselineStatus::rounding);
  CHECK(identities_found(checks, "io500-96n-iops", "mean").recomputed == Approx(327.839).epsilon(1e-5));
}

TEST_CASE("every writing phase of IO500 lasts 300 s, and what was written easily was read back") {
  const auto checks = identities_shipped();
  for (const std::string run : {"io500-10n", "io500-96n", "io500-10n-submitted", "io500-96n-submitted"}) {
    for (const std::string phase :
         {"ior-easy-write", "mdtest-easy-write", "ior-hard-write", "mdtest-hard-write"}) {
      const IdentityCheck& check = identities_found(checks, run + "-" + phase + "-time", "at least 300 s");
      CHECK(check.holds);
      CHECK(check.published >= 332.8);
    }
    CHECK(identities_found(checks, run + "-ior-easy-read", "reading = writing within 0.1 %").holds);
    const IdentityCheck& hard =
        identities_found(checks, run + "-ior-hard-read", "reading = writing within 0.1 %");
    CHECK_FALSE(hard.holds);
    CHECK_FALSE(hard.contradicts());
    CHECK(hard.published / hard.recomputed - 1 ==
          Approx(run.starts_with("io500-10n") ? 0.143 : 0.030).margin(0.0006));
  }
}

TEST_CASE("GPT-3's parallelism, MFU and times agree; 96 nodes' FLOP per token do not") {
  for (const std::string scale : {"gpt3-32n", "gpt3-64n", "gpt3-96n"}) {
    const auto checks = identities_shipped();
    CHECK(identities_found(checks, scale + "-ttt", "DP x TP x PP x CP = GPUs").holds);
    CHECK(identities_found(checks, scale + "-ttt", "is whole").holds);
    CHECK(identities_found(checks, scale + "-ttt", "micro-batches are a multiple of PP").holds);
    CHECK(identities_found(checks, scale + "-ttt", "layers are a multiple of PP x VP").holds);
    CHECK(identities_found(checks, scale + "-mfu", "MFU = TFLOPS per GPU / dense peak").holds);
  }
  check_all({{"gpt3-32n-ttt", "GBS / (DP x MBS) = 128 is whole"},
             {"gpt3-64n-ttt", "GBS / (DP x MBS) = 96 is whole"},
             {"gpt3-96n-ttt", "GBS / (DP x MBS) = 64 is whole"},
             {"gpt3-32n-tflops", "72 L h^2 (1 + s/6h + V/12hL) within 1 %: −0.60 %"},
             {"gpt3-64n-tflops", "72 L h^2 (1 + s/6h + V/12hL) within 1 %: −0.12 %"},
             {"gpt3-96n-tflops", "72 L h^2 (1 + s/6h + V/12hL) within 1 %: −7.56 %", false},
             {"gpt3-32n-ttt", "22 evaluations of 50.33 Mtokens at the printed rate + 3.43 min"},
             {"gpt3-64n-ttt", "25 evaluations of 50.33 Mtokens at the printed rate + 4.26 min"},
             {"gpt3-96n-ttt", "24 evaluations of 51.9 Mtokens at the printed rate + 4.01 min"},
             {"gpt3-32n-ttt", "1536 <= GBS <= 8192", false},
             {"gpt3-64n-ttt", "1536 <= GBS <= 8192"},
             {"gpt3-96n-ttt", "1536 <= GBS <= 8192"}});
  const auto checks = identities_shipped();
  CHECK(identities_found(checks, "gpt3-96n-tflops", "72 L").recomputed == Approx(1.07644e12).epsilon(1e-5));
  CHECK(identities_found(checks, "gpt3-96n-tflops", "72 L").status == BaselineStatus::inconsistent);
}

TEST_CASE("shares of the profiles sum to 100 %, and LoRA's GPUs and batches divide") {
  check_all({{"gpt3-32n-profile-gpu-compute", "shares of step time sum to 100 %"},
             {"gpt3-64n-profile-gpu-compute", "shares of step time sum to 100 %"},
             {"gpt3-32n-profile-sendrecv", "shares of NCCL kernel time sum to 100 %"},
             {"gpt3-64n-profile-sendrecv", "shares of NCCL kernel time sum to 100 %"},
             {"lora-1n-ttt", "DP x TP x PP x CP = GPUs"},
             {"lora-8n-ttt", "DP x TP x PP x CP = GPUs"},
             {"lora-64n-ttt", "DP x TP x PP x CP = GPUs"},
             {"lora-96n-ttt", "DP x TP x PP x CP = GPUs"},
             {"lora-1n-ttt", "GBS / (DP x MBS) = 4 is whole"},
             {"lora-8n-ttt", "GBS / (DP x MBS) = 1 is whole"},
             {"lora-64n-ttt", "GBS / (DP x MBS) = 1 is whole"},
             {"lora-96n-ttt", "GBS / (DP x MBS) = 1 is whole"}});
}

TEST_CASE("Table 12's ratios, range and extrapolation follow from its minutes") {
  const auto checks = identities_shipped();
  for (const auto& [row, ratio] :
       {std::pair("eos-ratio-gpt3-32n", 1.0895), std::pair("eos-ratio-gpt3-64n", 1.1707),
        std::pair("eos-ratio-gpt3-96n", 1.2608), std::pair("eos-ratio-lora-1n", 1.0183),
        std::pair("eos-ratio-lora-8n", 1.0481)}) {
    const IdentityCheck& check = identities_found(checks, row, "ratio = this system's / Eos'");
    INFO(row);
    CHECK(check.holds);
    CHECK(check.recomputed == Approx(ratio).epsilon(1e-4));
  }
  check_all({{"eos-excess-low", "least ratio at identical node counts"},
             {"eos-excess-high", "greatest ratio at identical node counts"}});
  const auto eos = read_baseline(std::string(PROJECT_FOLDER) + "/reports/baselines/eos.toml");
  REQUIRE(eos);
  const auto of_eos = checked_identities(*eos);
  CHECK(of_eos.size() == 6);  // five ratios and the extrapolation
  CHECK(std::all_of(of_eos.begin(), of_eos.end(), [](const auto& check) { return check.holds; }));
  CHECK(identities_found(of_eos, "eos-gpt3-96n-ttt", "linear extrapolation").recomputed == Approx(33.2));
}

TEST_CASE("no row of the shipped baselines that is marked ok is contradicted") {
  for (const IdentityCheck& check : identities_shipped()) {
    INFO(check.value_id << ": " << check.identity << ": " << check.recomputed);
    CHECK_FALSE(check.contradicts());
  }
}

TEST_CASE("a value that does not follow from the others contradicts its row") {
  const auto hpl = with("hpl-rmax", 33970000, "33.97 PFLOP/s");
  CHECK(contradicted(hpl, "hpl-rmax"));
  CHECK(identities_found(hpl, "hpl-rmax", "/ t").recomputed == Approx(33954254).epsilon(1e-6));
  CHECK(contradicted(with("hpcg-memory-total", 39961.5, "39,961.5 GB"), "hpcg-memory-total"));
  CHECK(contradicted(with("hpcg-convergence", 405964, "405,964 GFLOP/s"), "hpcg-convergence"));
  CHECK(contradicted(with("hpcg-rating", 404965, "404,965 GFLOP/s"), "hpcg-rating"));
  CHECK(contradicted(with("mxp-residual", 16.1, "1.61 x 10^1"), "mxp-residual"));
  CHECK(contradicted(with("io500-10n-score", 181.92, "181.92"), "io500-10n-score"));
  CHECK(contradicted(with("io500-10n-ior-hard-write-time", 299.99, "299.99 s"),
                     "io500-10n-ior-hard-write-time"));
  CHECK(
      contradicted(with("io500-10n-submitted-score", 181.907265, "181.907265"), "io500-10n-submitted-score"));
  CHECK(contradicted(with("gpt3-64n-mfu", 0.414, "41.4%"), "gpt3-64n-mfu"));
  CHECK(contradicted(with("gpt3-64n-tokens", 740, "740 tokens/s"), "gpt3-64n-tflops"));
  CHECK(contradicted(with("gpt3-32n-profile-idle", 2.1, "2.1%"), "gpt3-32n-profile-gpu-compute"));
}

TEST_CASE("an identity whose input is missing is not made up") {
  Baseline baseline = fixture::sakuraone();
  std::erase_if(baseline.values, [](const BaselineValue& value) {
    return value.id == "io500-10n-find" || value.id == "hpl-time";
  });
  const auto checks = checked_identities(baseline);
  CHECK(std::none_of(checks.begin(), checks.end(), [](const IdentityCheck& check) {
    return check.value_id == "io500-10n-iops" || check.identity == "Rmax = (2/3 N^3 + 3/2 N^2) / t";
  }));
}

TEST_CASE("a printed value stands for the interval that rounds to it") {
  BaselineValue value;
  value.value = 33950000;
  value.printed = "33.95 PFLOP/s";
  CHECK(printed_interval(value).low == Approx(33945000));
  CHECK(printed_interval(value).high == Approx(33955000));
  value.value = 3.3986e8;
  value.printed = "3.3986 x 10^8 GFLOP/s";
  CHECK(printed_interval(value).low == Approx(3.39855e8));
  value.value = 39961.4;
  value.printed = "39,961.4 GB";
  CHECK(printed_interval(value).high == Approx(39961.45));
  value.value = 758;
  value.printed = "758 tokens/s";
  CHECK(printed_interval(value).low == Approx(757.5));
}

TEST_CASE("whatever the unrounded phases are, their mean meets the mean of the printed ones") {
  rc::check([] {
    std::vector<Interval> printed;
    double logarithms = 0;
    for (int i = 0; i < 4; ++i) {
      const double exact = *rc::gen::inRange(100000, 400000000) / 1e6;
      BaselineValue value;
      value.value = std::round(exact * 100) / 100;
      value.printed = fmt::format("{:.2f} GiB/s", value.value);
      printed.push_back(printed_interval(value));
      logarithms += std::log(exact);
    }
    const double mean = std::exp(logarithms / 4);
    RC_ASSERT(geometric_mean(printed).meets(within(mean, 1e-12)));
  });
}
