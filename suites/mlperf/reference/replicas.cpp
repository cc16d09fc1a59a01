#include "suites/mlperf/reference/replicas.hpp"

#include <mpi.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace training {

Replicas::Replicas() {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int local = 0;
  MPI_Comm_rank(node, &local);
  MPI_Comm_size(node, &on_this_node_);
  MPI_Comm_free(&node);
  const int leads = local == 0 ? 1 : 0;
  MPI_Allreduce(&leads, &nodes_, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int Replicas::share_begin(int count, int rank) const {
  return static_cast<int>(static_cast<std::int64_t>(count) * rank / ranks_);
}

// Not MPI_Allreduce: it may add in any order, and may give ranks results that differ in the last bit, so that
// the copies of the model drift apart.
void Replicas::add_up(std::span<float> gradients) {
  if (ranks_ == 1) return;
  const int count = static_cast<int>(gradients.size());
  for (int distance = 1; distance < ranks_; distance *= 2) {
    if (rank_ % (2 * distance) != 0) {
      MPI_Send(gradients.data(), count, MPI_FLOAT, rank_ - distance, 0, MPI_COMM_WORLD);
      break;
    }
    if (rank_ + distance >= ranks_) continue;
    received_.resize(gradients.size());
    MPI_Recv(received_.data(), count, MPI_FLOAT, rank_ + distance, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (std::size_t i = 0; i < gradients.size(); ++i) gradients[i] += received_[i];
  }
  share(gradients);
}

double Replicas::sum(double value) const {
  // Reduced to one rank and broadcast, for the same reason.
  std::array<double, 1> total = {value};
  if (ranks_ == 1) return value;
  MPI_Reduce(rank_ == 0 ? MPI_IN_PLACE : total.data(), total.data(), 1, MPI_DOUBLE, MPI_SUM, 0,
             MPI_COMM_WORLD);
  MPI_Bcast(total.data(), 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return total[0];
}

double Replicas::largest(double value) const {
  // A plain maximum may drop nan, which must win.
  double nan = std::isnan(value) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &nan, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return nan > 0 ? std::nan("") : value;
}

bool Replicas::agreed(bool decision) const {
  int yes = decision ? 1 : 0;
  MPI_Bcast(&yes, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return yes == 1;
}

bool Replicas::alike(std::uint64_t value) const {
  std::array<std::uint64_t, 2> limits = {value, ~value};
  MPI_Allreduce(MPI_IN_PLACE, limits.data(), 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  return limits[0] == ~limits[1];
}

std::uint64_t Replicas::shared(std::uint64_t value) const {
  MPI_Bcast(&value, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  return value;
}

void Replicas::share(std::span<float> values) const {
  MPI_Bcast(values.data(), static_cast<int>(values.size()), MPI_FLOAT, 0, MPI_COMM_WORLD);
}

void Replicas::share(std::string& text) const {
  int size = static_cast<int>(text.size());
  MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(size));
  MPI_Bcast(text.data(), size, MPI_CHAR, 0, MPI_COMM_WORLD);
}

namespace {

void add_before(const std::vector<float>& left, std::span<float> right) {
  for (std::size_t i = 0; i < right.size(); ++i) right[i] = left[i] + right[i];
}

}  // namespace

void PairwiseSum::take(std::span<float> gradients) {
  std::size_t level = 0;
  for (; level < levels_.size() && levels_[level].full; ++level) {
    add_before(levels_[level].sum, gradients);
    levels_[level].full = false;
  }
  if (level == levels_.size()) levels_.emplace_back();
  levels_[level].sum.assign(gradients.begin(), gradients.end());
  levels_[level].full = true;
  std::fill(gradients.begin(), gradients.end(), 0.0F);
}

void PairwiseSum::give(std::span<float> gradients) {
  bool any = false;
  for (Level& level : levels_) {
    if (!level.full) continue;
    if (any)
      add_before(level.sum, gradients);
    else
      std::copy(level.sum.begin(), level.sum.end(), gradients.begin());
    any = true;
    level.full = false;
  }
}

}  // namespace training
