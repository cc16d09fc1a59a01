#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "suites/mlperf/reference/workload.hpp"

using namespace training;

namespace {

/// The entropy of `length` tokens by the grammar's odds: clauses open with 0.1 up to two deep, of either
/// kind, and close with 0.2; words have 0.55, 0.25, 0.15 and 0.05.
double entropy(int length) {
  const auto plogp = [](double p) { return p > 0 ? -p * std::log(p) : 0; };
  const double word = plogp(0.55) + plogp(0.25) + plogp(0.15) + plogp(0.05);
  std::array<double, 3> depth = {1, 0, 0};
  double sum = 0;
  for (int i = 0; i < length; ++i) {
    std::array<double, 3> next{};
    for (std::size_t d = 0; d < 3; ++d) {
      const double opens = d < 2 ? 0.1 : 0;
      const double closes = d > 0 ? 0.2 : 0;
      const double stays = 1 - opens - closes;
      sum += depth[d] * (plogp(opens) + plogp(closes) + plogp(stays) + opens * std::log(2) + stays * word);
      next[d] += depth[d] * stays;
      if (opens > 0) next[d + 1] += depth[d] * opens;
      if (closes > 0) next[d - 1] += depth[d] * closes;
    }
    depth = next;
  }
  return sum / length;
}

/// Log-perplexity on held-out texts of a table of the last `order` tokens that counted all training texts and
/// falls back to shorter ones.
double table_loss(const Workload& workload, int order) {
  constexpr int V = Grammar::vocabulary;
  using Counts = std::array<int, V + 1>;
  std::vector<std::unordered_map<std::int64_t, Counts>> tables(static_cast<std::size_t>(order) + 1);
  // Calls use(table, key) for the last 0, 1, ... tokens before position j.
  const auto each = [&](const std::vector<int>& tokens, std::size_t j, const auto& use) {
    std::int64_t key = 1;
    for (std::size_t last = 0; last < tables.size() && last <= j; ++last) {
      use(tables[last], key);
      if (last < j) key = key * V + tokens[j - 1 - last];
    }
  };
  const Samples training = workload.training();
  for (int i = 0; i < workload.train_samples; ++i) {
    const std::vector<int> tokens = training.sample(i).tokens;
    for (std::size_t j = 1; j < tokens.size(); ++j)
      each(tokens, j, [&](auto& table, std::int64_t key) {
        Counts& counts = table[key];
        ++counts[static_cast<std::size_t>(tokens[j])];
        ++counts[V];
      });
  }
  const Samples held_out = workload.held_out();
  double loss = 0;
  for (int i = 0; i < workload.eval_samples; ++i) {
    const std::vector<int> tokens = held_out.sample(i).tokens;
    for (std::size_t j = 1; j < tokens.size(); ++j) {
      double p = 1.0 / V;
      each(tokens, j, [&](const auto& table, std::int64_t key) {
        constexpr double trust_in_shorter = 3;
        const auto found = table.find(key);
        if (found == table.end()) return;
        const Counts& counts = found->second;
        p = (counts[static_cast<std::size_t>(tokens[j])] + trust_in_shorter * p) /
            (counts[V] + trust_in_shorter);
      });
      loss -= std::log(p);
    }
  }
  return loss / (static_cast<double>(workload.eval_samples) * workload.shape.context);
}

}  // namespace

TEST_CASE("the surprise of texts is the grammar's entropy") {
  constexpr int count = 4000;
  const Samples samples(Grammar(8), 8, 64);
  // A text's mean surprise deviates by about 0.11; four standard errors of the mean.
  CHECK(samples.floor(count) == Approx(entropy(64)).margin(4 * 0.11 / std::sqrt(count)));
}

TEST_CASE("targets lie above the best possible model and below any table of the last tokens") {
  for (const Workload& workload : {pretraining(), fine_tuning()}) {
    CAPTURE(workload.benchmark);
    CHECK(workload.held_out().floor(workload.eval_samples) < workload.target - 0.1);
    CHECK(workload.held_out().floor(workload.eval_samples) ==
          Approx(entropy(workload.shape.context)).margin(0.03));
    for (const int order : {2, 3, 4}) {
      CAPTURE(order);
      CHECK(table_loss(workload, order) > workload.target + 0.005);
    }
  }
}

TEST_CASE("clauses nest two deep and close with their own kind") {
  const Samples samples(Grammar(1), 1, 200);
  int deepest = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<int> open;
    const std::vector<int> tokens = samples.sample(i).tokens;
    REQUIRE(tokens.size() == 201);
    CHECK(tokens.front() == Grammar::beginning);
    for (const int token : std::vector(tokens.begin() + 1, tokens.end())) {
      REQUIRE((token > 0 && token < Grammar::vocabulary));
      if (token <= Grammar::kinds) {
        open.push_back(token);
      } else if (token <= 2 * Grammar::kinds) {
        REQUIRE(!open.empty());
        CHECK(open.back() + Grammar::kinds == token);
        open.pop_back();
      }
      deepest = std::max(deepest, static_cast<int>(open.size()));
    }
  }
  CHECK(deepest == 2);
}

TEST_CASE("samples follow from their numbers alone, and parts and dialects differ") {
  const Workload pretrain = pretraining();
  const Workload lora = fine_tuning();
  CHECK(pretrain.training().sample(7).tokens == pretrain.training().sample(7).tokens);
  CHECK(pretrain.training().sample(7).tokens != pretrain.training().sample(8).tokens);
  CHECK(pretrain.training().sample(7).tokens != pretrain.held_out().sample(7).tokens);
  CHECK(pretrain.training().sample(7).tokens != lora.training().sample(7).tokens);
  const auto both = pretrain.training().tokens({7, 8});
  CHECK(both.size() == 2 * (static_cast<std::size_t>(pretrain.shape.context) + 1));
}

TEST_CASE("an epoch takes every sample once, in another order for each seed and epoch") {
  std::vector<int> order = shuffled(1000, 1, 0);
  CHECK(order != shuffled(1000, 1, 1));
  CHECK(order != shuffled(1000, 2, 0));
  CHECK(order == shuffled(1000, 1, 0));
  std::sort(order.begin(), order.end());
  for (int i = 0; i < 1000; ++i) CHECK(order[static_cast<std::size_t>(i)] == i);
}
