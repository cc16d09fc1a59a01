#include "orchestrator/plan/evidence.hpp"
#include "orchestrator/inventory/accelerators.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>

using namespace shakedown;

namespace {

Gpu gpu_called(const std::string& model) {
  Gpu gpu;
  gpu.model = model;
  return gpu;
}

/// Ten systems of H100 around 0.6, ten of A100 around 0.7, ten of MI300A around 0.4, on 8 to 4096 GPUs.
std::vector<Observation> thirty_systems() {
  static const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
  std::vector<Observation> list;
  const auto add = [&](std::string_view make, std::string_view gpu, double middle) {
    for (int i = 0; i < 10; ++i)
      list.push_back({names[static_cast<std::size_t>(i)], make, gpu, 8 * std::pow(2, i),
                      middle * std::exp(0.04 * ((i * 7) % 10 - 4.5))});
  };
  add("nvidia", "h100", 0.6);
  add("nvidia", "a100", 0.7);
  add("amd", "mi300a", 0.4);
  return list;
}

double width(const PublishedEvidence& found) {
  return found.high / found.low;
}

}  // namespace

TEST_CASE("the longest word that a GPU's model holds names it") {
  const std::vector<std::string_view> known = {"h200", "gh200", "b200", "gb200", "h200 nvl", "h100"};
  CHECK(gpu_word(gpu_called("NVIDIA GH200 480GB"), known) == "gh200");
  CHECK(gpu_word(gpu_called("NVIDIA H200"), known) == "h200");
  CHECK(gpu_word(gpu_called("NVIDIA H200 NVL"), known) == "h200 nvl");
  CHECK(gpu_word(gpu_called("NVIDIA GB200"), known) == "gb200");
  CHECK(gpu_word(gpu_called("NVIDIA H100 80GB HBM3"), known) == "h100");
  CHECK(gpu_word(gpu_called("NVIDIA H100 PCIe"), known).empty());
  CHECK(gpu_word(gpu_called("NVIDIA L40S"), known).empty());
  CHECK(gpu_word(gpu_called("NVIDIA GH200 480GB"), std::array<std::string_view, 1>{"h200"}).empty());
}

TEST_CASE("a GPU with results gets the median of its systems, and their spread as its band") {
  const auto runs = thirty_systems();
  const PublishedEvidence found = evidence_for(runs, gpu_called("NVIDIA H100 80GB HBM3"), 0, 64);
  CHECK(found.ratio == Approx(0.6).epsilon(0.03));
  CHECK(found.observations == 30);
  CHECK(found.of_this_gpu == 10);
  CHECK(found.gpu_models == 3);
  CHECK(found.low > 0.45);
  CHECK(found.low < 0.54);
  CHECK(found.high > 0.66);
  CHECK(found.high < 0.75);
  CHECK(found.because.find("10 published results with this GPU show") != std::string::npos);
}

TEST_CASE("the band widens with the distance in GPU, in scale and in fabric") {
  const auto runs = thirty_systems();
  const double known = width(evidence_for(runs, gpu_called("NVIDIA H100"), 0, 64));
  const PublishedEvidence other = evidence_for(runs, gpu_called("NVIDIA B200"), 0, 64);
  CHECK(other.of_this_gpu == 0);
  CHECK(other.ratio == Approx(std::sqrt(0.6 * 0.7)).epsilon(0.03));
  CHECK(width(other) > known);
  CHECK(width(evidence_for(runs, gpu_called("NVIDIA H100"), 0, 4096)) == Approx(known));
  const double larger = width(evidence_for(runs, gpu_called("NVIDIA H100"), 0, 16384));
  CHECK(larger > known);
  CHECK(width(evidence_for(runs, gpu_called("NVIDIA H100"), 0, 131072)) > larger);
  CHECK(width(evidence_for(runs, gpu_called("NVIDIA H100"), 0, 64, 0.3)) > known);
}

TEST_CASE("the sizes of one system count as one system: they prove less than as many systems do") {
  auto runs = thirty_systems();
  const PublishedEvidence of_ten = evidence_for(runs, gpu_called("NVIDIA H100"), 0, 64);
  for (Observation& each : runs)
    if (each.gpu == "h100") each.system = "one";
  const PublishedEvidence of_one = evidence_for(runs, gpu_called("NVIDIA H100"), 0, 64);
  CHECK(of_one.of_this_gpu == 10);
  CHECK(width(of_one) > 1.02 * width(of_ten));
  // Nine of one system and one of another are two systems: the median lies between them.
  for (Observation& each : runs)
    if (each.gpu == "h100") each.ratio = 0.5;
  const auto last = std::ranges::find(runs, std::string_view("h100"), &Observation::gpu);
  REQUIRE(last != runs.end());
  last->system = "other";
  last->ratio = 0.7;
  const PublishedEvidence of_two = evidence_for(runs, gpu_called("NVIDIA H100"), 0, 64);
  CHECK(of_two.ratio > 0.55);
}

TEST_CASE("a spread that few models show makes the band of another model wider, by Student's quantile") {
  // Three or nine models whose medians differ by 0.1 of their logarithms; their systems hardly differ.
  static const std::vector<std::string> names = {"p1", "q1", "r1", "p2", "q2", "r2", "p3", "q3", "r3"};
  const auto half_width = [](std::size_t count) {
    std::vector<Observation> runs;
    for (std::size_t model = 0; model < count; ++model)
      for (int i = 0; i < 5; ++i)
        runs.push_back({names[model], "nvidia", names[model], 64,
                        0.6 * std::exp(0.1 * (static_cast<double>(model % 3) - 1) + 1e-4 * (i - 2))});
    const PublishedEvidence found = evidence_for(runs, gpu_called("NVIDIA B200"), 0, 64);
    return std::log(found.high / found.ratio);
  };
  // 90 % quantiles of Student's distribution: 1.886 with two degrees of freedom, 1.397 with eight.
  CHECK(half_width(3) == Approx(1.886 * 0.1 * std::sqrt(1 + 1.0 / 3)).epsilon(0.01));
  CHECK(half_width(9) == Approx(1.397 * 0.1 * std::sqrt(6.0 / 8 * (1 + 1.0 / 9))).epsilon(0.01));
}

TEST_CASE("of a maker without results nothing is known, and it is said what is missing") {
  const auto runs = thirty_systems();
  const PublishedEvidence intel = evidence_for(runs, gpu_called("Intel Data Center GPU Max 1550"), 0, 64);
  CHECK(intel.ratio == 0);
  CHECK(intel.because ==
        "no published result of a GPU of intel, like 'Intel Data Center GPU Max 1550' is known");
  CHECK(evidence_for({}, gpu_called("NVIDIA H100"), 0, 8).ratio == 0);
}

TEST_CASE("a GPU without results is like those of its architecture: one chip with another memory or power") {
  auto runs = thirty_systems();  // A100 around 0.7
  for (Observation& each : runs) each.architecture = architecture_named(each.gpu);
  for (std::size_t i = 0; i < 10; ++i)
    runs.push_back({runs[i].system, "nvidia", "gh200", runs[i].gpus, runs[i].ratio * 1.05, 67, "Hopper"});
  const PublishedEvidence sibling = evidence_for(runs, gpu_called("NVIDIA H200"), 66.9, 64);
  CHECK(sibling.of_this_gpu == 0);
  CHECK(sibling.ratio == Approx(0.6 * std::sqrt(1.05)).epsilon(0.03));
  CHECK(sibling.because.find("as GH200, H100 of the same architecture, Hopper, show, with none for 'NVIDIA "
                             "H200'") != std::string::npos);
  const PublishedEvidence board = evidence_for(runs, gpu_called("NVIDIA H100 NVL"), 60, 64);
  CHECK(board.ratio == Approx(sibling.ratio));
  const PublishedEvidence other = evidence_for(runs, gpu_called("NVIDIA B200"), 37, 64);
  CHECK(width(other) > width(sibling));
  CHECK(other.because.find("as GPUs of nvidia show") != std::string::npos);
  // Results of its own count alone.
  CHECK(evidence_for(runs, gpu_called("NVIDIA H100"), 67, 64).ratio == Approx(0.6).epsilon(0.03));
}

TEST_CASE("of a GPU whose peak is far outside of those with results nothing is known") {
  auto runs = thirty_systems();
  for (Observation& each : runs) each.peak = each.gpu == "h100" ? 67 : each.gpu == "a100" ? 19.5 : 122;
  CHECK(evidence_for(runs, gpu_called("NVIDIA B300"), 19.5 / 3.9, 64).ratio > 0);
  const PublishedEvidence far = evidence_for(runs, gpu_called("NVIDIA B300"), 1.25, 64);
  CHECK(far.ratio == 0);
  CHECK(far.because ==
        "no published result of a GPU like 'NVIDIA B300' is known: its stated peak is 15.6 times below that "
        "of any "
        "GPU with results");
}

TEST_CASE("few systems of a model are drawn towards their maker's mean") {
  auto runs = thirty_systems();
  runs.push_back({"k", "nvidia", "h200", 64, 0.9});
  const PublishedEvidence one = evidence_for(runs, gpu_called("NVIDIA H200"), 0, 64);
  CHECK(one.of_this_gpu == 1);
  CHECK(one.ratio < 0.9);
  CHECK(one.ratio > 0.7);
}

TEST_CASE("what a vendor states is taken from results if it is the same in all of them") {
  std::vector<PublishedResult> results(3);
  for (PublishedResult& each : results) {
    each.gpu = "h100";
    each.basis = 66900;
  }
  CHECK(published_basis(results, gpu_called("NVIDIA H100 80GB HBM3")) == 66900);
  CHECK(published_basis(results, gpu_called("NVIDIA A100")) == 0);
  results.back().basis = 60000;
  CHECK(published_basis(results, gpu_called("NVIDIA H100 80GB HBM3")) == 0);
}
