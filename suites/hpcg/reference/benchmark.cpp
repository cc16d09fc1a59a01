#include "suites/hpcg/reference/benchmark.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "suites/hpcg/reference/optimised.hpp"

namespace hpcg {
namespace {

constexpr double kNumber = 8;
constexpr double kIndex = 4;
constexpr double kEntry = kNumber + kIndex;

/// Calls and their lengths: one preamble a set, and as many of each as an iteration has.
double vector_calls(double sets, double iterations) {
  return sets * (3 * iterations + 1);
}
double product_calls(double sets, double iterations) {
  return sets * (iterations + 1);
}

}  // namespace

Count operations(const LevelSizes& levels, double sets, double iterations) {
  const auto rows = static_cast<double>(levels[0].rows);
  const auto entries = static_cast<double>(levels[0].nonzeros);
  Count count;
  count.dot = count.combine = vector_calls(sets, iterations) * 2 * rows;
  count.product = product_calls(sets, iterations) * 2 * entries;
  for (int level = 0; level < kLevels; ++level) {
    // Two smoothing steps of 4 operations an entry and a residual of 2; one step on the coarsest grid.
    const double each = level + 1 < kLevels ? 10 : 4;
    count.multigrid += sets * iterations * each * static_cast<double>(levels[level].nonzeros);
  }
  return count;
}

Count bytes_read(const LevelSizes& levels, double sets, double iterations) {
  const auto rows = static_cast<double>(levels[0].rows);
  const auto entries = static_cast<double>(levels[0].nonzeros);
  Count count;
  count.dot = count.combine = vector_calls(sets, iterations) * 2 * rows * kNumber;
  count.product = product_calls(sets, iterations) * (entries * kEntry + rows * kNumber);
  for (int level = 0; level < kLevels; ++level) {
    const double matrix = static_cast<double>(levels[level].nonzeros) * kEntry;
    const double vector = static_cast<double>(levels[level].rows) * kNumber;
    count.multigrid +=
        sets * iterations * (level + 1 < kLevels ? 5 * matrix + 3 * vector : 2 * matrix + vector);
  }
  return count;
}

Count bytes_written(const LevelSizes& levels, double sets, double iterations) {
  const auto rows = static_cast<double>(levels[0].rows);
  Count count;
  count.dot = vector_calls(sets, iterations) * kNumber;
  count.combine = vector_calls(sets, iterations) * rows * kNumber;
  count.product = product_calls(sets, iterations) * rows * kNumber;
  for (int level = 0; level < kLevels; ++level) {
    const double vector = static_cast<double>(levels[level].rows) * kNumber;
    // HPCG counts entries, not rows, as written by the residual and the second step.
    const double entries = static_cast<double>(levels[level].nonzeros) * kNumber;
    count.multigrid += sets * iterations * (level + 1 < kLevels ? vector + 2 * entries : vector);
  }
  return count;
}

std::array<double, kLevels> problem_bytes(const LevelSizes& levels, double sets) {
  constexpr double geometry = 128;           // sizeof(Geometry)
  constexpr double coarse_structures = 504;  // Geometry, SparseMatrix, three Vectors, MGData
  constexpr double fine_row = 27 * (4 + 8 + 8) + 4 * 8 + 1 + 5 * 8;    // entries, pointers, x b xexact r Ap
  constexpr double coarse_row = 27 * (4 + 8 + 8) + 4 * 8 + 1 + 4 + 8;  // entries, pointers, f2c, rc
  constexpr double column = 2 * 8;                                     // z p, or xc Axf
  std::array<double, kLevels> bytes{};
  for (int level = 0; level < kLevels; ++level) {
    const LevelSize& size = levels[level];
    const auto rows = static_cast<double>(size.rows);
    const auto columns = static_cast<double>(size.columns);
    bytes[level] = level == 0 ? geometry + kNumber * sets + fine_row * rows + column * columns
                              : coarse_structures + coarse_row * rows + column * columns +
                                    kEntry * size.sent + 2.0 * kIndex * size.neighbours;
  }
  return bytes;
}

namespace {

/// One if the user doesn't set it: ranks that all take every core wait for each other.
int thread_count() {
#ifdef _OPENMP
  if (std::getenv("OMP_NUM_THREADS") == nullptr) omp_set_num_threads(1);
  return omp_get_max_threads();
#else
  return 1;
#endif
}

/// The first rank's messages: on stdout as the phases end, in full in the log.
class Journal {
 public:
  explicit Journal(std::FILE* log) : log_(log) {}
  template <class... Values>
  void phase(const char* format, Values... values) const {
    if (log_ == nullptr) return;
    std::printf(format, values...);
    std::fflush(stdout);
  }
  void phase(const char* text) const { phase("%s", text); }
  /// The residual of each iteration, in the words of HPCG's own debugging build.
  [[nodiscard]] std::function<void(int, double)> iterations() const {
    if (log_ == nullptr) return {};
    return [log = log_](int k, double residual) {
      std::fprintf(log, "Iteration = %d   Scaled Residual = %.16e\n", k, residual);
    };
  }
  void set(int number, double residual) const {
    if (log_ != nullptr) std::fprintf(log_, "Call [%d] Scaled Residual [%.16e]\n", number, residual);
  }

 private:
  std::FILE* log_;
};

double of_all(double value, MPI_Op op) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
  return value;
}

LevelSizes sizes(const std::vector<Level>& levels) {
  LevelSizes all;
  for (int i = 0; i < kLevels; ++i) {
    const System& system = levels[i].system;
    all[i] = {.rows = system.matrix.all_rows,
              .nonzeros = system.matrix.all_nonzeros,
              .columns = std::int64_t{system.columns()} * system.geometry.ranks(),
              .sent = system.halo.sent(),
              .neighbours = system.halo.neighbours()};
  }
  return all;
}

/// Mean seconds of one product and one V-cycle of the reference.
double time_reference(Kernels& plain, Workspace& space, int calls) {
  Vector x = random_vector(plain.columns(), 1);
  Times unused;
  const double begin = MPI_Wtime();
  for (int call = 0; call < calls; ++call) {
    plain.product(x, space.Ap, unused);
    plain.precondition(space.Ap, x, unused);
  }
  return (MPI_Wtime() - begin) / calls;
}

/// The kernels to be rated; the plain ones where nothing is optimised.
std::unique_ptr<Kernels> optimise(std::vector<Level>& levels, std::unique_ptr<Kernels> plain,
                                  Outcome& outcome) {
  if (outcome.options.plain) return plain;
  const double begin = MPI_Wtime();
  plain.reset();
  std::size_t replaced = 0;
  for (const Level& level : levels) replaced += level.system.matrix.bytes();
  auto optimised = std::make_unique<OptimisedKernels>(levels, outcome.threads);
  outcome.optimisation_seconds = MPI_Wtime() - begin;
  outcome.optimised_bytes =
      of_all(static_cast<double>(optimised->bytes()) - static_cast<double>(replaced), MPI_SUM);
  outcome.measures.assign(optimised->measures().begin(), optimised->measures().end());
  return optimised;
}

}  // namespace

double memory_needed(const Options& options) {
  const Box& local = options.local;
  const double rows = static_cast<double>(local.x) * local.y *
                      std::max({local.z, options.layers.lower, options.layers.upper});
  constexpr double entry = 12;
  constexpr double matrix = 27 * entry + 8;
  constexpr double levels = 8.0 / 7;
  constexpr double vectors = 12 * 8.0;
  // While the finest grid's matrix is rearranged, both are there, and the entries of injected columns.
  constexpr double injected = 13 * entry / 8 + 4;
  const double rearranged = options.plain ? 0 : matrix + 16 + levels * injected;
  return rows * (levels * (matrix + 16) + rearranged + vectors);
}

Outcome run(const Options& options, int rank, std::FILE* log) {
  const Journal journal(log);
  Outcome outcome;
  outcome.options = options;
  outcome.threads = thread_count();
  outcome.geometry = geometry(rank, options.grid, options.local, options.layers);

  double begin = MPI_Wtime();
  std::vector<Level> levels = generate_levels(outcome.geometry);
  const Vector b = right_hand_side(levels.front().system.matrix);
  outcome.setup_seconds = MPI_Wtime() - begin;
  outcome.levels = sizes(levels);
  journal.phase("Problem of %lld equations generated in %.3f s\n",
                static_cast<long long>(outcome.levels[0].rows), outcome.setup_seconds);

  const int seconds = options.seconds.value_or(0);
  const bool quick = seconds == 0;
  std::unique_ptr<Kernels> kernels = std::make_unique<PlainKernels>(levels);
  Workspace space(*kernels);
  Vector x = zeroes(kernels->rows());
  outcome.reference_seconds = time_reference(*kernels, space, quick ? 1 : 10);
  Times unused;
  const Convergence reference = solve(*kernels, space, b, x,
                                      {.most_iterations = kReferenceIterations,
                                       .tolerance = 0,
                                       .preconditioned = true,
                                       .watch = journal.iterations()},
                                      unused);
  journal.phase("Reference: %d iterations in %.3f s reduce the residual to %.5e\n", reference.iterations,
                unused.total, reference.residual);

  kernels = optimise(levels, std::move(kernels), outcome);
  outcome.spectral = test_spectrum(*kernels, space, b, log);
  outcome.symmetry = test_symmetry(*kernels, log);
  journal.phase("Tests: spectral convergence %s, symmetry %s\n",
                outcome.spectral.passed() ? "passed" : "FAILED",
                outcome.symmetry.passed() ? "passed" : "FAILED");

  constexpr double slack = 1 + 1e-6;  // six digits of the residual count
  Times once;
  fill(x, 0);
  const Convergence needed = solve(*kernels, space, b, x,
                                   {.most_iterations = 10 * kReferenceIterations,
                                    .tolerance = reference.residual * slack,
                                    .preconditioned = true,
                                    .watch = journal.iterations()},
                                   once);
  outcome.converged = needed.residual <= reference.residual * slack;
  outcome.iterations = std::max(kReferenceIterations, needed.iterations);
  const double longest = of_all(once.total, MPI_MAX);
  outcome.sets = static_cast<int>(seconds / longest) + 1;
  journal.phase("Optimised: %d iterations in %.3f s; %d timed sets\n", needed.iterations, longest,
                outcome.sets);

  std::vector<double> residuals;
  for (int set = 0; set < outcome.sets; ++set) {
    fill(x, 0);
    residuals.push_back(
        solve(*kernels, space, b, x,
              {.most_iterations = outcome.iterations, .tolerance = 0, .preconditioned = true, .watch = {}},
              outcome.times)
            .residual);
    journal.set(set, residuals.back());
  }
  outcome.norms = test_norms(residuals);
  const double allreduce = outcome.times.allreduce;
  outcome.least_allreduce = of_all(allreduce, MPI_MIN);
  outcome.most_allreduce = of_all(allreduce, MPI_MAX);
  outcome.mean_allreduce = of_all(allreduce, MPI_SUM) / outcome.geometry.ranks();
  return outcome;
}

}  // namespace hpcg
