#include "suites/hpl/reference/hpl_dat.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace hpl {
namespace {

constexpr int kLines = 31;
constexpr int kMostValues = 20;
constexpr int kBlockLine = 8;
constexpr int kGridLine = 11;
constexpr auto kWayOut = "see the HPL.dat of netlib's HPL: 31 lines, values first, comment after them";

/// A word of the file as an error message may show it: short, and printable whatever the file is.
std::string quoted(std::string_view word) {
  constexpr std::size_t longest = 32;
  std::string shown(word.substr(0, longest));
  for (char& c : shown)
    if (c < ' ' || c > '~') c = '?';
  return "'" + shown + (word.size() > longest ? "...'" : "'");
}

/// Reads by position and records the first error; after it every read gives a harmless value.
class Reader {
 public:
  explicit Reader(std::istream& text) : text_(text) {}

  /// The whole next line.
  std::string line(const char* what) {
    std::string result;
    if (error_) return result;
    ++line_;
    if (!std::getline(text_, result)) {
      fail(line_ == 1 ? "the file is empty"
                      : "the file ends before line " + std::to_string(line_) + " of " +
                            std::to_string(kLines) + ", which holds " + what);
    }
    return result;
  }

  /// The first word of the next line.
  std::string word(const char* what) {
    const std::string text = line(what);
    std::string_view rest = text;
    return std::string(take(rest));
  }

  int integer(const char* what, int least, int most = std::numeric_limits<int>::max()) {
    return list(what, 1, least, most)[0];
  }

  double real(const char* what) {
    const std::string text = word(what);
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (!error_ && (status != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)))
      fail(std::string(what) + " must be a number, but the line begins with " + quoted(text));
    return value;
  }

  /// A count on one line, as many integers on the next.
  std::vector<int> list(const char* what, int least) {
    const int count = integer((std::string("the number of values of ") + what).c_str(), 1, kMostValues);
    return list(what, count, least, std::numeric_limits<int>::max());
  }

  std::vector<int> list(const char* what, int count, int least, int most) {
    const std::string text = line(what);
    std::string_view rest = text;
    std::vector<int> values(error_ ? 1 : count, std::max(least, 1));
    for (std::size_t i = 0; i < values.size() && !error_; ++i)
      values[i] = number(take(rest), what, least, most);
    return values;
  }

  [[nodiscard]] const std::optional<InputError>& error() const { return error_; }

 private:
  static std::string_view take(std::string_view& rest) {
    constexpr auto blank = " \t\r";
    rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(blank)));
    const std::string_view word = rest.substr(0, rest.find_first_of(blank));
    rest.remove_prefix(word.size());
    return word;
  }

  int number(std::string_view word, const char* what, int least, int most) {
    int value = least;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    const std::string found = word.empty() ? "the line has no more values" : "found " + quoted(word);
    if (status == std::errc::result_out_of_range)
      fail(std::string(what) + " is too large: " + found);
    else if (status != std::errc{} || end != word.data() + word.size())
      fail(std::string(what) + " must be an integer, but " + found);
    else if (value < least)
      fail(std::string(what) + " must be at least " + std::to_string(least) + ", but " + found);
    else if (value > most)
      fail(std::string(what) + " must be at most " + std::to_string(most) + ", but " + found);
    return value;
  }

  void fail(std::string what) {
    if (!error_) error_ = InputError{.line = line_, .what = std::move(what), .hint = kWayOut};
  }

  std::istream& text_;
  int line_ = 0;
  std::optional<InputError> error_;
};

}  // namespace

tl::expected<HplDat, InputError> read_hpl_dat(std::istream& text) {
  Reader reader(text);
  HplDat dat;
  reader.line("the title");
  reader.line("the second title line");
  dat.output_file = reader.word("the output file's name");
  dat.device = reader.integer("device out", 0);
  dat.N = reader.list("N", 0);
  dat.NB = reader.list("NB", 1);
  dat.mapping = reader.integer("PMAP", 0, 1) == 1 ? Mapping::column_major : Mapping::row_major;
  const int grids = reader.integer("the number of process grids", 1, kMostValues);
  const std::vector<int> P = reader.list("P", grids, 1, std::numeric_limits<int>::max());
  const std::vector<int> Q = reader.list("Q", grids, 1, std::numeric_limits<int>::max());
  dat.threshold = reader.real("the threshold");
  for (const char* what : {"PFACT", "NBMIN", "NDIV", "RFACT", "BCAST", "DEPTH"}) reader.list(what, 0);
  for (const char* what : {"SWAP", "the swapping threshold", "L1", "U", "equilibration", "memory alignment"})
    reader.integer(what, 0);
  if (const auto& error = reader.error()) return tl::unexpected(*error);
  for (std::size_t i = 0; i < P.size(); ++i) dat.grids.push_back({P[i], Q[i]});
  return dat;
}

tl::expected<void, InputError> check(const HplDat& dat, int ranks) {
  constexpr long long most = std::numeric_limits<int>::max();
  for (const auto& [P, Q] : dat.grids) {
    const long long needed = static_cast<long long>(P) * Q;
    if (needed > ranks)
      return tl::unexpected(InputError{
          .line = kGridLine,
          .what = "the grid P x Q = " + std::to_string(P) + " x " + std::to_string(Q) + " needs " +
                  std::to_string(needed) + " ranks, but " + std::to_string(ranks) +
                  (ranks == 1 ? " was" : " were") + " started",
          .hint = "start " + std::to_string(needed) + " ranks (mpirun -np " + std::to_string(needed) +
                  "), or choose a grid with P x Q <= " + std::to_string(ranks)});
    for (const int N : dat.N)
      for (const int NB : dat.NB) {
        const long long width = std::min(N, NB);
        const long long rows = N / P + width + 16;
        if (width * (rows + width + 1) > most)
          return tl::unexpected(InputError{
              .line = kBlockLine,
              .what = "NB = " + std::to_string(NB) + " with N = " + std::to_string(N) + " and P = " +
                      std::to_string(P) + " makes panels larger than one MPI message, 2^31 - 1 numbers",
              .hint = "choose a smaller NB, or more process rows"});
      }
  }
  return {};
}

}  // namespace hpl
