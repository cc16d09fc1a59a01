#include "suites/hpcg/reference/matrix.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

namespace hpcg {
namespace {

constexpr double kDiagonal = 26;
constexpr double kNeighbour = -1;

/// Calls visit(x, y, z, row) with the global coordinates of each local point of layer z.
template <class Visit>
void for_layer(const Geometry& g, int z, Visit visit) {
  int row = z * g.local.x * g.local.y;
  for (int y = 0; y < g.local.y; ++y)
    for (int x = 0; x < g.local.x; ++x, ++row) visit(g.origin[0] + x, g.origin[1] + y, g.origin[2] + z, row);
}

/// Neighbours in one direction, the point itself among them: 2 or 3, or 1.
int reach(std::int64_t at, std::int64_t size) {
  return 1 + (at > 0 ? 1 : 0) + (at + 1 < size ? 1 : 0);
}

Array<int> row_starts(const Geometry& g, int rows) {
  Array<int> start(rows + 1);
#pragma omp parallel for schedule(static)
  for (int z = 0; z < g.local.z; ++z)
    for_layer(g, z, [&](std::int64_t gx, std::int64_t gy, std::int64_t gz, int row) {
      start[row + 1] = reach(gx, g.global[0]) * reach(gy, g.global[1]) * reach(gz, g.global[2]);
    });
  start[0] = 0;
  for (int row = 0; row < rows; ++row) start[row + 1] += start[row];
  return start;
}

/// Writes the entries of a row; the halo sets columns of other ranks.
void write_row(const Geometry& g, std::array<std::int64_t, 3> at, int row, SparseMatrix& matrix,
               std::vector<Reference>& references) {
  int entry = matrix.start[row];
  for (std::int64_t z = at[2] - 1; z <= at[2] + 1; ++z) {
    if (z < 0 || z >= g.global[2]) continue;
    for (std::int64_t y = at[1] - 1; y <= at[1] + 1; ++y) {
      if (y < 0 || y >= g.global[1]) continue;
      for (std::int64_t x = at[0] - 1; x <= at[0] + 1; ++x) {
        if (x < 0 || x >= g.global[0]) continue;
        const auto lx = static_cast<int>(x - g.origin[0]);
        const auto ly = static_cast<int>(y - g.origin[1]);
        const auto lz = static_cast<int>(z - g.origin[2]);
        const bool inside =
            lx >= 0 && lx < g.local.x && ly >= 0 && ly < g.local.y && lz >= 0 && lz < g.local.z;
        const int column = inside ? (lz * g.local.y + ly) * g.local.x + lx : -1;
        if (!inside)
          references.push_back({.owner = g.owner(x, y, z),
                                .column = (z * g.global[1] + y) * g.global[0] + x,
                                .row = row,
                                .entry = static_cast<std::size_t>(entry)});
        matrix.column[entry] = column;
        matrix.value[entry] = column == row ? kDiagonal : kNeighbour;
        if (column == row) matrix.diagonal[row] = entry;
        ++entry;
      }
    }
  }
}

}  // namespace

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

System generate(const Geometry& g) {
  System system{.geometry = g, .matrix = {}, .halo = {}};
  SparseMatrix& matrix = system.matrix;
  matrix.rows = static_cast<int>(g.local.cells());
  matrix.start = row_starts(g, matrix.rows);
  matrix.column = Array<int>(matrix.nonzeros());
  matrix.value = Array<double>(matrix.nonzeros());
  matrix.diagonal = Array<int>(matrix.rows);
  std::vector<Reference> references;
#pragma omp parallel
  {
    std::vector<Reference> own;
#pragma omp for schedule(static)
    for (int z = 0; z < g.local.z; ++z)
      for_layer(g, z, [&](std::int64_t gx, std::int64_t gy, std::int64_t gz, int row) {
        write_row(g, {gx, gy, gz}, row, matrix, own);
      });
#pragma omp critical
    references.insert(references.end(), own.begin(), own.end());
  }
  system.halo = Halo(std::move(references), matrix.rows, matrix.column.data());
  matrix.all_rows = g.points();
  matrix.all_nonzeros = matrix.nonzeros();
  MPI_Allreduce(MPI_IN_PLACE, &matrix.all_nonzeros, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return system;
}

Vector right_hand_side(const SparseMatrix& matrix) {
  Vector b(matrix.rows);
#pragma omp parallel for schedule(static)
  for (int row = 0; row < matrix.rows; ++row) {
    double sum = 0;
    for (int entry = matrix.start[row]; entry < matrix.start[row + 1]; ++entry) sum += matrix.value[entry];
    b[row] = sum;
  }
  return b;
}

}  // namespace hpcg
