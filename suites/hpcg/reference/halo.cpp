#include "suites/hpcg/reference/halo.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace hpcg {
namespace {
constexpr int kTag = 27;
}

Halo::Halo(std::vector<Reference> references, int rows, int* columns) : rows_(rows) {
  std::sort(references.begin(), references.end(), [](const Reference& a, const Reference& b) {
    return std::tie(a.owner, a.column) < std::tie(b.owner, b.column);
  });
  std::vector<std::pair<int, int>> wanted;  // owner, row
  const Reference* last = nullptr;
  for (const Reference& reference : references) {
    const bool other_owner = last == nullptr || last->owner != reference.owner;
    if (other_owner) neighbours_.push_back({.rank = reference.owner, .first_received = size_});
    if (other_owner || last->column != reference.column) {
      ++size_;
      ++neighbours_.back().received;
    }
    columns[reference.entry] = rows_ + size_ - 1;
    wanted.emplace_back(reference.owner, reference.row);
    last = &reference;
  }
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  auto neighbour = neighbours_.begin();
  for (const auto& [owner, row] : wanted) {
    while (neighbour->rank != owner) ++neighbour;
    if (neighbour->sent++ == 0) neighbour->first_sent = static_cast<int>(sent_rows_.size());
    sent_rows_.push_back(row);
  }
  buffer_.resize(sent_rows_.size());
  requests_.resize(2 * neighbours_.size());
}

void Halo::exchange(double* x) {
  auto* request = requests_.data();
  for (const OtherProcess& from : neighbours_)
    MPI_Irecv(x + rows_ + from.first_received, from.received, MPI_DOUBLE, from.rank, kTag, MPI_COMM_WORLD,
              request++);
  for (const OtherProcess& to : neighbours_) {
    double* const values = buffer_.data() + to.first_sent;
    const int* const sent = sent_rows_.data() + to.first_sent;
    for (int i = 0; i < to.sent; ++i) values[i] = x[sent[i]];
    MPI_Isend(values, to.sent, MPI_DOUBLE, to.rank, kTag, MPI_COMM_WORLD, request++);
  }
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
}

void Halo::zero(double* x) const {
  std::fill(x + rows_, x + rows_ + size_, 0.0);
}

}  // namespace hpcg
