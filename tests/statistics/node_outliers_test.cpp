#include "reports/statistics/node_outliers.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace shakedown;

TEST_CASE("p-values are adjusted as Benjamini and Hochberg did theirs") {
  // Benjamini and Hochberg 1995, section 4: 15 p-values; at 0.05 Bonferroni and Holm find 3 and theirs 4.
  const std::vector<double> p = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                                 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.000};
  const auto at_most = [](const std::vector<double>& values) {
    return std::count_if(values.begin(), values.end(), [](double value) { return value <= 0.05; });
  };
  CHECK(at_most(*holm_adjusted(p)) == 3);
  CHECK(at_most(*benjamini_hochberg_adjusted(p)) == 4);
  CHECK((*holm_adjusted(p))[1] == Approx(0.0004 * 14));
  CHECK((*benjamini_hochberg_adjusted(p))[3] == Approx(0.0095 * 15 / 4));
  auto turned = p;
  std::reverse(turned.begin(), turned.end());
  CHECK(benjamini_hochberg_adjusted(turned)->back() == benjamini_hochberg_adjusted(p)->front());
  CHECK(holm_adjusted({})->empty());
  CHECK_FALSE(holm_adjusted(std::vector<double>{0.1, std::nan("")}));
  CHECK_FALSE(benjamini_hochberg_adjusted(std::vector<double>{1.5}));
}

TEST_CASE("modified z-scores are not masked by the outliers themselves") {
  // Iglewicz and Hoaglin 1993: of the values 2.1 2.6 2.4 2.5 2.3 2.1 2.3 2.6 8.2 8.3 the classic |z| never
  // reach 3.
  const std::vector<double> values = {2.1, 2.6, 2.4, 2.5, 2.3, 2.1, 2.3, 2.6, 8.2, 8.3};
  const auto scores = *modified_z(values);
  CHECK(scores[8] == Approx(0.6745 * (8.2 - 2.45) / 0.15));  // median 2.45; distances' median 0.15
  CHECK(std::count_if(scores.begin(), scores.end(), [](double z) { return std::abs(z) > 3.5; }) == 2);
}

TEST_CASE("where half of the values are equal another spread stands in, where all are none is an outlier") {
  const auto scores = *modified_z(std::vector<double>{5, 5, 5, 5, 5, 5, 4});
  CHECK(scores[0] == 0);
  CHECK(scores[6] == Approx(-7 / 1.2533));
  CHECK(modified_z(std::vector<double>(4, 3.0))->front() == 0);
  CHECK_FALSE(modified_z(std::vector<double>{1, 2}));
  CHECK_FALSE(modified_z(std::vector<double>{1, 2, std::nan("")}));
}

namespace {

/// 50 nodes between 99 and 101, the first of them as given.
std::vector<NodeRate> nodes_with(double first) {
  std::vector<NodeRate> nodes(50);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    nodes[i].rate = 99 + static_cast<double>(i * 7 % 50) * 2 / 49;
  nodes[0].rate = first;
  return nodes;
}

}  // namespace

TEST_CASE("a slow node is a suspect until its repeats confirm it") {
  auto nodes = nodes_with(93);
  const auto first = *screened_nodes(nodes);
  CHECK(first[0].suspect);
  CHECK_FALSE(first[0].confirmed);
  CHECK(first[0].loss == Approx(0.07).epsilon(0.01));
  CHECK(std::none_of(first.begin() + 1, first.end(),
                     [](const NodeVerdict& verdict) { return verdict.suspect; }));

  const std::vector<double> slow = {93.2, 92.9, 99};
  nodes[0].repeats = slow;
  CHECK((*screened_nodes(nodes))[0].confirmed);
  const std::vector<double> well = {93.2, 99.5, 100};
  nodes[0].repeats = well;
  const auto cleared = *screened_nodes(nodes);
  CHECK_FALSE(cleared[0].confirmed);
  CHECK(cleared[0].loss < 0.01);
}

TEST_CASE("a loss below the magnitude is no suspect, however regular the others are") {
  std::vector<NodeRate> nodes(20);
  for (NodeRate& node : nodes) node.rate = 100;
  nodes[3].rate = 98.5;
  CHECK_FALSE((*screened_nodes(nodes))[3].suspect);
  nodes[3].rate = 97.5;
  CHECK((*screened_nodes(nodes))[3].suspect);
}

TEST_CASE("the same distance says less among few nodes, whose spread is not well known") {
  const auto p_among = [](std::size_t count) {
    std::vector<NodeRate> nodes(count);
    for (std::size_t i = 0; i < count; ++i)  // with the slow one the MAD is 1 for any count
      nodes[i].rate = 100 + (i % 4 == 0 ? -1.0 : i % 4 == 2 ? 1.0 : 0.0);
    nodes[1].rate = 94;
    return (*screened_nodes(nodes))[1].adjusted_p / static_cast<double>(count);
  };
  CHECK(p_among(8) > 10 * p_among(40));
  CHECK(p_among(40) > 10 * p_among(400));
}

TEST_CASE("a node that always was the slowest is no suspect against its own past, one that fell is") {
  auto nodes = nodes_with(96);
  std::vector<std::vector<double>> past(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double own = (i == 0 ? 96 : nodes[i].rate) / 100;
    for (int day = 0; day < 5; ++day)
      past[i].push_back(own *
                        (1 + (static_cast<double>((i * 3 + static_cast<std::size_t>(day)) % 5) - 2) * 0.001));
    nodes[i].before = past[i];
  }
  CHECK_FALSE((*screened_nodes(nodes))[0].suspect);
  for (NodeRate& node : nodes) node.before = {};
  CHECK((*screened_nodes(nodes))[0].suspect);
}

TEST_CASE("one or two new nodes are judged by the spread of all, not by none") {
  std::vector<NodeRate> nodes(50);
  std::vector<std::vector<double>> past(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].rate = 96 + static_cast<double>(i * 7 % 50) * 8 / 49;  // 96 to 104, as they always were
    past[i] = std::vector<double>(5, nodes[i].rate / 100);
    for (std::size_t day = 0; day < 5; ++day) past[i][day] *= 1 + 0.001 * (static_cast<double>(day) - 2);
    nodes[i].before = past[i];
  }
  const std::vector<double> alike = {97, 97.1, 96.9};
  for (const std::size_t fresh : {10U, 20U})
    nodes[fresh] = NodeRate{.rate = 97, .before = {}, .repeats = alike};
  for (const std::size_t fresh : {10U, 20U}) CHECK_FALSE((*screened_nodes(nodes))[fresh].confirmed);
  const std::vector<double> slow = {80, 80.1, 79.9};
  nodes[20] = NodeRate{.rate = 80, .before = {}, .repeats = slow};
  CHECK((*screened_nodes(nodes))[20].confirmed);
}

TEST_CASE("verdicts know neither the unit nor the order of the nodes") {
  auto nodes = nodes_with(93);
  auto scaled = nodes;
  for (NodeRate& node : scaled) node.rate *= 1024;
  std::reverse(scaled.begin(), scaled.end());
  const auto one = *screened_nodes(nodes);
  const auto other = *screened_nodes(scaled);
  for (std::size_t i = 0; i < one.size(); ++i) {
    CHECK(one[i].suspect == other[one.size() - 1 - i].suspect);
    CHECK(one[i].loss == Approx(other[one.size() - 1 - i].loss));
  }
}

TEST_CASE("two nodes, and rates that are none, are refused") {
  std::vector<NodeRate> nodes(2, NodeRate{.rate = 1});
  CHECK(screened_nodes(nodes).error().what == "2 nodes are too few to find a slow one");
  nodes.resize(5, NodeRate{.rate = 1});
  nodes[4].rate = 0;
  CHECK_FALSE(screened_nodes(nodes));
  nodes[4].rate = std::nan("");
  CHECK_FALSE(screened_nodes(nodes));
}
