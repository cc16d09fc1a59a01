#include "suites/io500/reference/pattern.hpp"

#include <array>
#include <cstring>
#include <utility>

#include "suites/io500/reference/text.hpp"

namespace io500 {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t word = sizeof(std::uint64_t);

std::uint64_t of_rank(int rank) {
  return static_cast<std::uint64_t>(rank) << 32U;
}

/// The step of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
std::uint64_t mixed(std::uint64_t state) {
  state += 0x9e3779b97f4a7c15U;
  state = (state ^ (state >> 30U)) * 0xbf58476d1ce4e5b9U;
  state = (state ^ (state >> 27U)) * 0x94d049bb133111ebU;
  return state ^ (state >> 31U);
}

void put(std::byte* at, std::uint64_t value) {
  std::memcpy(at, &value, word);
}

}  // namespace

Result<Packet> packet_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Packet>, 8> names = {
      {{"timestamp", Packet::timestamp},
       {"t", Packet::timestamp},
       {"offset", Packet::offset},
       {"o", Packet::offset},
       {"incompressible", Packet::incompressible},
       {"i", Packet::incompressible},
       {"random", Packet::random},
       {"r", Packet::random}}};
  for (const auto& [each, packet] : names)
    if (name == each) return packet;
  return tl::unexpected("dataPacketType must be timestamp, offset, incompressible or random, but is '" +
                        std::string(name) + "'");
}

Pattern::Pattern(Packet packet, std::size_t bytes, std::uint32_t seed)
    : packet_(packet), bytes_(bytes), seed_(seed) {
  const std::size_t whole = (bytes / page + 1) * page;
  for (Memory* memory : {&expected_, &received_})
    memory->reset(static_cast<std::byte*>(std::aligned_alloc(page, whole)));
  if (!allocated()) return;
  // Touched here, not within a phase's time.
  std::memset(expected_.get(), 0, whole);
  std::memset(received_.get(), 0, whole);
}

/// The words that are the same in all transfers of the rank.
void Pattern::fill(int rank) {
  const std::size_t words = bytes_ / word;
  const std::uint64_t one = mixed(of_rank(rank) + seed_);
  for (std::size_t i = 0; i < words; ++i)
    put(expected_.get() + i * word,
        packet_ == Packet::incompressible ? one : of_rank(rank) | static_cast<std::uint32_t>(seed_ + i));
  for (std::size_t i = words * word; i < bytes_; ++i) expected_.get()[i] = static_cast<std::byte>(i);
  rank_ = rank;
}

const std::byte* Pattern::written(int rank, std::uint64_t place) {
  if (rank != rank_) fill(rank);
  const std::size_t words = bytes_ / word;
  if (packet_ == Packet::offset || packet_ == Packet::incompressible) {
    std::uint32_t k = 1;
    for (std::size_t i = 0; i < words; i += page / word, ++k)
      put(expected_.get() + i * word, of_rank(rank) | static_cast<std::uint32_t>(place * k));
  } else if (packet_ == Packet::random) {
    std::uint64_t state = mixed(of_rank(rank) + seed_) ^ place;
    for (std::size_t i = 0; i < words; ++i) put(expected_.get() + i * word, state = mixed(state));
  }
  return expected_.get();
}

std::byte* Pattern::target() {
  for (std::size_t i = 0; i < bytes_; i += page) received_.get()[i] = ~received_.get()[i];
  return received_.get();
}

bool Pattern::holds(int rank, std::uint64_t place) {
  return std::memcmp(written(rank, place), received_.get(), bytes_) == 0;
}

std::string easy_file(int rank) {
  return text("ior_file_easy.%08d", rank);
}

std::string mdtest_file(int rank, std::int64_t number) {
  return "file.mdtest." + std::to_string(rank) + "." + std::to_string(number);
}

std::string easy_tree(int rank) {
  return "mdtest_tree." + std::to_string(rank) + ".0";
}

bool matches(std::string_view pattern, std::string_view name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  while (!pattern.empty()) {
    if (name.empty()) return false;
    if (pattern.front() == '#') {
      if (!is_digit(name.front())) return false;
      while (!name.empty() && is_digit(name.front())) name.remove_prefix(1);
    } else {
      if (name.front() != pattern.front()) return false;
      name.remove_prefix(1);
    }
    pattern.remove_prefix(1);
  }
  return name.empty();
}

}  // namespace io500
