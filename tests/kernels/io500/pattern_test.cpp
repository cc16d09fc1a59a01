#include "suites/io500/reference/pattern.hpp"

#include <rapidcheck.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <set>
#include <vector>

#include "suites/io500/reference/settings.hpp"
#include "tests/kernels/io500/bytes.hpp"

using namespace io500;

namespace {

constexpr std::array packets = {Packet::timestamp, Packet::offset, Packet::incompressible, Packet::random};

std::string written(Packet packet, std::size_t bytes, int rank, std::uint64_t place, std::uint32_t seed = 5) {
  Pattern pattern(packet, bytes, seed);
  return {reinterpret_cast<const char*>(pattern.written(rank, place)), bytes};
}

/// The sizes of IO500's transfers and files, and some that are no whole words or pages.
std::size_t any_size() {
  return *rc::gen::elementOf(std::vector<std::size_t>{hard_transfer, hard_file, 1, 7, 8, 4096, 4097, 65536});
}

}  // namespace

TEST_CASE("a transfer is what its rank wrote at its place, whoever wrote between") {
  const bool holds = rc::check([] {
    const Packet packet = *rc::gen::elementOf(packets);
    const std::size_t bytes = any_size();
    const int rank = *rc::gen::inRange(0, 1000);
    const auto place = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 40);
    Pattern writer(packet, bytes, 7);
    Pattern reader(packet, bytes, 7);
    writer.written(*rc::gen::inRange(0, 1000), 3);
    const std::byte* const from = writer.written(rank, place);
    std::memcpy(reader.target(), from, bytes);
    RC_ASSERT(reader.holds(rank, place));
  });
  CHECK(holds);
}

TEST_CASE("a transfer with one byte changed is not what was written") {
  const bool holds = rc::check([] {
    const Packet packet = *rc::gen::elementOf(packets);
    const std::size_t bytes = any_size();
    Pattern pattern(packet, bytes, 7);
    const std::string good(reinterpret_cast<const char*>(pattern.written(3, 4096)), bytes);
    std::byte* const target = pattern.target();
    std::memcpy(target, good.data(), bytes);
    RC_ASSERT(pattern.holds(3, 4096));
    target[*rc::gen::inRange<std::size_t>(0, bytes)] ^= static_cast<std::byte>(*rc::gen::inRange(1, 256));
    RC_ASSERT(!pattern.holds(3, 4096));
  });
  CHECK(holds);
}

TEST_CASE("bytes of the transfer before never pass for those of the next, whichever page did not arrive") {
  constexpr std::size_t page = 4096;
  for (const Packet packet : packets) {
    Pattern pattern(packet, 3 * page + 100, 7);
    const std::string good = written(packet, pattern.bytes(), 1, 0, 7);
    for (std::size_t lost = 0; lost < good.size(); lost += page) {
      std::memcpy(pattern.target(), good.data(), good.size());
      REQUIRE(pattern.holds(1, 0));
      std::byte* const next = pattern.target();
      for (std::size_t i = 0; i < good.size(); ++i)
        if (i / page != lost / page) next[i] = static_cast<std::byte>(good[i]);
      CHECK_FALSE(pattern.holds(1, 0));
    }
  }
}

TEST_CASE("contents differ by rank and seed, and by place where the packet says so") {
  for (const Packet packet : packets) {
    const std::string one = written(packet, hard_file, 1, 4096);
    CHECK(one == written(packet, hard_file, 1, 4096));
    CHECK(one != written(packet, hard_file, 2, 4096));
    CHECK((one == written(packet, hard_file, 1, 8192)) == (packet == Packet::timestamp));
    CHECK(one != written(packet, hard_file, 1, 4096, 6));
  }
}

TEST_CASE("words are IOR's: the rank above, below it a running number, and the place in each 4 KiB") {
  const std::string plain = written(Packet::timestamp, hard_transfer, 9, 0, 100);
  for (std::size_t i = 0; i < hard_transfer / 8; ++i)
    CHECK(word_of(plain, i) == ((std::uint64_t{9} << 32) | (100 + i)));
  const std::string offset = written(Packet::offset, hard_transfer, 9, 47008, 100);
  for (std::size_t i = 0; i < hard_transfer / 8; ++i) {
    const std::uint64_t low = i % 512 == 0 ? 47008 * (i / 512 + 1) : 100 + i;
    CHECK(word_of(offset, i) == ((std::uint64_t{9} << 32) | low));
  }
  std::set<std::uint64_t> different;
  const std::string random = written(Packet::random, hard_transfer, 9, 47008, 100);
  for (std::size_t i = 0; i < hard_transfer / 8; ++i) different.insert(word_of(random, i));
  CHECK(different.size() == hard_transfer / 8);
}

TEST_CASE("packets go by IOR's names and letters") {
  CHECK(*packet_of("timestamp") == Packet::timestamp);
  CHECK(*packet_of("o") == Packet::offset);
  CHECK(*packet_of("i") == Packet::incompressible);
  CHECK(*packet_of("random") == Packet::random);
  CHECK(packet_of("zeros").error() ==
        "dataPacketType must be timestamp, offset, incompressible or random, but is 'zeros'");
}
