#include "suites/hpcg/reference/options.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <string_view>
#include <utility>

#include "suites/hpcg/reference/geometry.hpp"

namespace hpcg {
namespace {

constexpr int kLeastSide = 16;
constexpr int kHalvings = 8;  // three coarser grids
constexpr double kLeastAspect = 0.125;
constexpr int kLeastBare = 10;
constexpr int kMost = 1'000'000'000;
constexpr auto kDatHint =
    "an hpcg.dat has two lines of text, then 'nx ny nz', then the seconds to run, and may end with 'npx npy "
    "npz'";

struct Name {
  std::string_view text;
  int least;
};
constexpr std::array names = {Name{"nx", 1}, Name{"ny", 1}, Name{"nz", 1},  Name{"rt", 0},  Name{"pz", 0},
                              Name{"zl", 1}, Name{"zu", 1}, Name{"npx", 1}, Name{"npy", 1}, Name{"npz", 1}};

void set(Options& options, std::size_t name, int value) {
  const std::array<int*, 10> places = {
      &options.local.x,      &options.local.y,      &options.local.z, nullptr,         &options.layers.pz,
      &options.layers.lower, &options.layers.upper, &options.grid.x,  &options.grid.y, &options.grid.z};
  if (places[name] == nullptr)
    options.seconds = value;
  else
    *places[name] = value;
}

std::string quoted(std::string_view word) {
  constexpr std::size_t longest = 32;
  std::string shown(word.substr(0, longest));
  for (char& c : shown)
    if (c < ' ' || c > '~') c = '?';
  return "'" + shown + (word.size() > longest ? "...'" : "'");
}

std::optional<int> integer(std::string_view word) {
  int value = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

template <class... Parts>
tl::unexpected<InputError> error(std::string hint, Parts&&... parts) {
  std::string what;
  (what.append(parts), ...);
  return tl::unexpected(InputError{.what = std::move(what), .hint = std::move(hint)});
}

tl::expected<int, InputError> number(std::string_view where, std::string_view word, int least) {
  const auto value = integer(word);
  if (!value) return error("hpcg --help", where, " must be an integer, but is ", quoted(word));
  if (*value < least || *value > kMost)
    return error("hpcg --help", where, " must be from ", std::to_string(least), " to ", std::to_string(kMost),
                 ", but is ", quoted(word));
  return *value;
}

std::string text(const Box& box) {
  return std::to_string(box.x) + " x " + std::to_string(box.y) + " x " + std::to_string(box.z);
}

/// Lines by number, words by place.
class Lines {
 public:
  explicit Lines(std::istream& text) : text_(text) {}
  bool next() {
    ++number_;
    words_.clear();
    std::string line;
    if (!std::getline(text_, line)) return false;
    constexpr auto blank = " \t\r";
    for (std::size_t at = line.find_first_not_of(blank); at != std::string::npos;) {
      const std::size_t end = std::min(line.size(), line.find_first_of(blank, at));
      words_.push_back(line.substr(at, end - at));
      at = line.find_first_not_of(blank, end);
    }
    return true;
  }
  [[nodiscard]] bool begins_with_number() const { return !words_.empty() && integer(words_.front()); }
  tl::expected<std::vector<int>, InputError> integers(std::string_view what, std::size_t count, int least) {
    const std::string where = "hpcg.dat:" + std::to_string(number_) + ": ";
    if (words_.size() < count)
      return error(kDatHint, where, "the line holds ", std::to_string(words_.size()), " of the ",
                   std::to_string(count), count == 1 ? " number " : " numbers ", what);
    std::vector<int> values;
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = integer(words_[i]);
      if (!value || *value < least || *value > kMost)
        return error(kDatHint, where, what, " must be ", count == 1 ? "an integer" : "integers", " from ",
                     std::to_string(least), ", but found ", quoted(words_[i]));
      values.push_back(*value);
    }
    return values;
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  std::istream& text_;
  std::vector<std::string> words_;
  int number_ = 0;
};

tl::expected<void, InputError> check_shape(std::string_view what, const Box& box) {
  if (box.aspect() >= kLeastAspect) return {};
  return error("choose sides closer to a cube's", what, " ", text(box),
               " is too flat: its shortest side is less than an eighth of its longest");
}

tl::expected<void, InputError> check_side(std::string_view name, int side) {
  if (side % kHalvings == 0) return {};
  return error("choose " + std::to_string(side / kHalvings * kHalvings + kHalvings), name, " = ",
               std::to_string(side), " is no multiple of 8: three coarser grids halve each side");
}

tl::expected<Box, InputError> chosen_grid(const Options& options, int ranks) {
  if (options.grid == Box{}) return process_grid(ranks);
  const Box& grid = options.grid;
  const bool fits = grid.x > 0 && grid.y > 0 && grid.z > 0 && grid.x <= ranks && grid.y <= ranks &&
                    grid.z <= ranks && grid.cells() == ranks;
  if (fits) return grid;
  return error("leave npx, npy and npz out for HPCG's own choice, " + text(process_grid(ranks)),
               "the process grid npx x npy x npz = ", text(grid), " doesn't make the ", std::to_string(ranks),
               ranks == 1 ? " rank" : " ranks", " that run");
}

void note_raised(Options& options, std::size_t name, int said, int raised) {
  if (said > 0)
    options.notes.push_back(std::string(names[name].text) + " = " + std::to_string(said) + " is raised to " +
                            std::to_string(raised) + ", as HPCG 3.1 does below " +
                            std::to_string(kLeastSide));
}

/// Raises sides as HPCG 3.1 does: to the largest of the other two, and to 16.
void raise_sides(Options& options) {
  const std::array<int*, 3> sides = {&options.local.x, &options.local.y, &options.local.z};
  for (std::size_t i = 0; i < 3; ++i) {
    if (*sides[i] >= kLeastSide) continue;
    const int raised = std::max({*sides[i], *sides[(i + 1) % 3], *sides[(i + 2) % 3], kLeastSide});
    note_raised(options, i, std::exchange(*sides[i], raised), raised);
  }
}

tl::expected<void, InputError> check_layers(const Layers& layers, const Box& local, const Box& grid) {
  if (layers.pz == 0 && (layers.lower > 0 || layers.upper > 0))
    return error("give --pz, too, or leave --zl and --zu out",
                 "zl and zu need pz, the layer of ranks where zu begins");
  if (layers.pz == 0) return {};
  if (layers.pz >= grid.z)
    return error("choose pz from 1 to npz - 1", "pz = ", std::to_string(layers.pz),
                 " leaves no layer of ranks above it: npz is ", std::to_string(grid.z));
  for (const auto& [name, side] : {std::pair{"zl", layers.lower}, {"zu", layers.upper}}) {
    if (side < kLeastSide)
      return error("with --pz give --zl and --zu, 16 or more", name, " = ", std::to_string(side),
                   " is below 16");
    if (auto ok = check_side(name, side); !ok) return ok;
    if (auto ok = check_shape("the local domain", {local.x, local.y, side}); !ok) return ok;
  }
  return {};
}

}  // namespace

const char* const kUsage =
    "usage: mpirun -np RANKS hpcg [--nx=N --ny=N --nz=N] [--rt=SECONDS] [--plain]\n"
    "\n"
    "Runs the phases of HPCG 3.1: multigrid-preconditioned conjugate gradients on a 27-point problem.\n"
    "Without a size on the command line it reads hpcg.dat in the working directory. Writes\n"
    "HPCG-Benchmark_3.1_<time>.txt, the report, and hpcg<time>.txt, the residual of each iteration.\n"
    "\n"
    "  --nx --ny --nz     points of each rank: multiples of 8 from 16 (those not given: the largest given)\n"
    "  --rt               seconds of the timed part (1800); 0 is HPCG's QuickPath, one set\n"
    "  --npx --npy --npz  process grid (the one with the smallest surface)\n"
    "  --pz --zl --zu     layers of ranks below pz have zl points in z, the others zu\n"
    "  --plain            the reference's kernels, operation by operation\n"
    "\n"
    "Bare numbers are taken in the order nx ny nz rt pz zl zu npx npy npz. OMP_NUM_THREADS is\n"
    "threads per rank (1); one rank per core with one thread is fastest. Exit code: 0 the result is VALID;\n"
    "1 it is INVALID (HPCG 3.1 exits 0 there); 2 input or number of ranks is wrong, memory is short, or the\n"
    "report can't be written.\n";

tl::expected<Options, InputError> parse_options(int argc, const char* const* argv) {
  Options options;
  std::size_t bare = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--help" || word == "-h") {
      options.help = true;
      return options;
    }
    if (word == "--plain") {
      options.plain = true;
      continue;
    }
    if (!word.starts_with("--")) {
      if (bare == names.size()) return error("hpcg --help", "more than ten bare arguments: ", quoted(word));
      const auto& [name, least] = names[bare];
      const auto value = number("the bare argument " + std::string(name), word, 0);
      if (!value) return tl::unexpected(value.error());
      if (*value != 0 && *value < kLeastBare)
        return error("write --" + std::string(name) + "=" + std::to_string(*value),
                     "HPCG 3.1 takes a bare argument below 10 for none: ", name, " is ", quoted(word));
      set(options, bare++, *value);
      continue;
    }
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string_view said = word.substr(2, equals - 2);
    std::size_t name = 0;
    while (name < names.size() && names[name].text != said) ++name;
    if (name == names.size()) return error("hpcg --help", "unknown option ", quoted(word.substr(0, equals)));
    if (equals == word.size() && i + 1 == argc) return error("hpcg --help", "--", said, " needs a value");
    const std::string_view value_text = equals < word.size() ? word.substr(equals + 1) : argv[++i];
    const auto value = number("--" + std::string(said), value_text, names[name].least);
    if (!value) return tl::unexpected(value.error());
    set(options, name, *value);
  }
  return options;
}

tl::expected<Options, InputError> with_hpcg_dat(Options options, std::istream& text) {
  Lines lines(text);
  for (const char* what : {"the title", "the second title line"})
    if (!lines.next())
      return error(kDatHint, "hpcg.dat ends before line ", std::to_string(lines.number()), ", ", what);
  if (!lines.next()) return error(kDatHint, "hpcg.dat ends before line 3, nx ny nz");
  const auto local = lines.integers("nx ny nz", 3, 1);
  if (!local) return tl::unexpected(local.error());
  for (std::size_t i = 0; i < 3; ++i) {
    const int said = (*local)[i];
    set(options, i, std::max(said, kLeastSide));  // not to the largest of the others, as options are
    if (said < kLeastSide) note_raised(options, i, said, kLeastSide);
  }
  if (!lines.next()) {
    if (options.seconds) return options;
    return error(kDatHint, "hpcg.dat ends before line 4, the seconds to run");
  }
  if (!options.seconds) {
    const auto seconds = lines.integers("the seconds to run", 1, 0);
    if (!seconds) return tl::unexpected(seconds.error());
    options.seconds = seconds->front();
  }
  if (options.grid != Box{} || !lines.next() || !lines.begins_with_number()) return options;
  const auto grid = lines.integers("npx npy npz", 3, 0);
  if (!grid) return tl::unexpected(grid.error());
  options.grid = {(*grid)[0], (*grid)[1], (*grid)[2]};
  return options;
}

tl::expected<Options, InputError> completed(Options options, int ranks) {
  raise_sides(options);
  if (!options.seconds) options.seconds = 1800;
  const auto grid = chosen_grid(options, ranks);
  if (!grid) return tl::unexpected(grid.error());
  options.grid = *grid;
  const Box& local = options.local;
  for (const auto& [name, side] : {std::pair{"nx", local.x}, {"ny", local.y}, {"nz", local.z}})
    if (const auto ok = check_side(name, side); !ok) return tl::unexpected(ok.error());
  if (const auto ok = check_shape("the local domain", local); !ok) return tl::unexpected(ok.error());
  if (const auto ok = check_shape("the process grid", *grid); !ok) return tl::unexpected(ok.error());
  if (const auto ok = check_layers(options.layers, local, *grid); !ok) return tl::unexpected(ok.error());
  constexpr double most_entries = std::numeric_limits<int>::max();
  const int height = std::max({local.z, options.layers.lower, options.layers.upper});
  if (27.0 * local.x * local.y * height > most_entries)
    return error("choose a smaller domain, or more ranks", "the local domain ",
                 text({local.x, local.y, height}), " has more entries than 32 bits count");
  return options;
}

}  // namespace hpcg
