#include "suites/kernel/program.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <type_traits>

#include "suites/kernel/buffer.hpp"

namespace kernel {
namespace {

template <class Number>
std::string text_of(Number number) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

}  // namespace

template <class Number>
tl::expected<Number, std::string> option_value(std::string_view option, const char* text, Number least,
                                               Number most) {
  if (text == nullptr) return tl::unexpected(std::string(option) + " needs a value");
  const std::string_view word = text;
  Number value{};
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool whole = status == std::errc{} && end == word.data() + word.size();
  if (whole && value >= least && value <= most) return value;
  return tl::unexpected(std::string(option) + " must be " +
                        (std::is_integral_v<Number> ? "an integer" : "a number") + " from " + text_of(least) +
                        " to " + text_of(most) + ", but is '" + text + "'");
}

template tl::expected<int, std::string> option_value(std::string_view, const char*, int, int);
template tl::expected<double, std::string> option_value(std::string_view, const char*, double, double);

double largest_of_all(double value) {
  double nan = std::isnan(value) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &nan, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return nan > 0 ? std::nan("") : value;
}

bool on_all_ranks(bool holds) {
  int all = holds ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all == 1;
}

bool fits_on_all_nodes(double bytes_of_this_rank) {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Allreduce(MPI_IN_PLACE, &bytes_of_this_rank, 1, MPI_DOUBLE, MPI_SUM, node);
  MPI_Comm_free(&node);
  return on_all_ranks(bytes_of_this_rank < static_cast<double>(physical_memory()));
}

}  // namespace kernel
