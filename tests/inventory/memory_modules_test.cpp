#include "orchestrator/inventory/memory_modules.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/inventory/made_up_machine.hpp"

using namespace shakedown;

namespace {

/// A structure of type 17 as DSP0134 3.2 lays it out, 0x54 bytes without the extended speeds.
struct Socket {
  int mebibytes = 65536;
  int rated = 4800;
  int configured = 4800;
  std::string locator = "DIMM 0";
  std::string bank = "P0 CHANNEL A";
  int type = 0x22;
  int array = 0x1000;
  int width = 64;
};

void put(std::string& bytes, size_t offset, std::uint64_t value, size_t size) {
  for (size_t i = 0; i < size; ++i) bytes[offset + i] = static_cast<char>(value >> (8 * i) & 0xff);
}

std::string structure(const Socket& socket) {
  std::string bytes(0x5c, '\0');
  const auto number = [&](size_t offset, int value, size_t size) {
    put(bytes, offset, static_cast<std::uint64_t>(value), size);
  };
  number(0x00, 17, 1);
  number(0x01, 0x5c, 1);
  number(0x04, socket.array, 2);
  number(0x08, socket.width + 8, 2);
  number(0x0a, socket.width, 2);
  const bool large = socket.mebibytes >= 0x7fff;
  number(0x0c, large ? 0x7fff : socket.mebibytes, 2);
  number(0x10, 1, 1);
  number(0x11, 2, 1);
  number(0x12, socket.type, 1);
  number(0x15, socket.rated > 0xfffe ? 0xffff : socket.rated, 2);
  if (large) number(0x1c, socket.mebibytes, 4);
  number(0x20, socket.configured > 0xfffe ? 0xffff : socket.configured, 2);
  number(0x54, socket.rated, 4);
  number(0x58, socket.configured, 4);
  return bytes + socket.locator + '\0' + socket.bank + std::string(2, '\0');
}

/// The memory modules of a board whose table has a BIOS before its sockets and an end after them.
MemoryModules reported(const std::vector<Socket>& sockets) {
  std::string table =
      std::string("\0\x12\0\0", 4) + std::string(0x0e, '\1') + "vendor" + '\0' + "1.0" + std::string(2, '\0');
  for (const Socket& socket : sockets) table += structure(socket);
  table += std::string("\x7f\4\0\0\0\0", 6);
  table += structure(Socket{});  // behind the end: nobody's
  MadeUpMachine machine;
  machine.file("sys/firmware/dmi/tables/DMI", table);
  return read_memory_modules(machine.root());
}

std::vector<Socket> twelve_channels() {
  std::vector<Socket> sockets;
  for (int socket = 0; socket < 2; ++socket)
    for (char channel = 'A'; channel <= 'L'; ++channel)
      sockets.push_back({.bank = "P" + std::to_string(socket) + " CHANNEL " + channel});
  return sockets;
}

}  // namespace

TEST_CASE("the channels' rate is the sum over the channels that modules are in") {
  const MemoryModules modules = reported(twelve_channels());
  CHECK(modules.text == "24 x 64 GiB DDR5-4800 in 24 channels");
  REQUIRE(modules.bandwidth_gb_s);
  CHECK(*modules.bandwidth_gb_s == Approx(921.6));
  CHECK(modules.note.empty());
}

TEST_CASE("an empty socket adds nothing, and a second module in a channel no bandwidth") {
  auto sockets = twelve_channels();
  sockets[3].mebibytes = 0;
  CHECK(reported(sockets).text == "23 x 64 GiB DDR5-4800 in 23 channels");
  CHECK(*reported(sockets).bandwidth_gb_s == Approx(921.6 * 23 / 24));
  sockets[3] = sockets[2];
  sockets[3].locator = "DIMM 1";
  CHECK(reported(sockets).text == "24 x 64 GiB DDR5-4800 in 23 channels");
  CHECK(*reported(sockets).bandwidth_gb_s == Approx(921.6 * 23 / 24));
}

TEST_CASE("modules run at the speed that they are configured for, which is reported") {
  const MemoryModules slowed = reported({{.rated = 5600, .configured = 4400}});
  CHECK(slowed.text == "1 x 64 GiB DDR5-5600 at 4400 MT/s in 1 channel");
  CHECK(*slowed.bandwidth_gb_s == Approx(35.2));
  CHECK(*reported({{.rated = 70000, .configured = 70000}}).bandwidth_gb_s == Approx(560));
}

TEST_CASE("different modules are counted by kind") {
  CHECK(reported({{.bank = "CPU1_Channel0_Dimm0", .type = 0x1a, .array = 1},
                  {.mebibytes = 16384, .bank = "CPU1_Channel1_Dimm0", .type = 0x1a, .array = 1},
                  {.bank = "Channel0", .type = 0x1a, .array = 2},
                  {.bank = "Channel0", .type = 0x1a, .array = 3}})
            .text == "3 x 64 GiB DDR4-4800, 1 x 16 GiB DDR4-4800 in 4 channels");
}

TEST_CASE(
    "the channel may stand in the socket's name; a name that only the board's manual explains tells none") {
  CHECK(reported({{.locator = "Controller1-ChannelA-DIMM0", .bank = "BANK 0"}}).bandwidth_gb_s.has_value());
  const MemoryModules unclear = reported({{.locator = "P1-DIMMA1", .bank = "P0_Node0_Channel"}});
  CHECK(unclear.text == "1 x 64 GiB DDR5-4800");
  CHECK_FALSE(unclear.bandwidth_gb_s);
}

TEST_CASE("a module without width tells no bandwidth; a hypervisor's, without speed, is none") {
  CHECK_FALSE(reported({{.width = 0xffff}}).bandwidth_gb_s);
  const MemoryModules made_up = reported({{.rated = 0, .configured = 0, .type = 7}});
  CHECK(made_up.text.empty());
  CHECK_FALSE(made_up.bandwidth_gb_s);
}

TEST_CASE("no table, an empty one, and one that ends anywhere tell nothing that isn't there") {
  MadeUpMachine machine;
  CHECK(read_memory_modules(machine.root()).note.empty());
  const std::string whole = structure({}) + structure({.bank = "P0 CHANNEL B"});
  for (size_t length = 0; length < whole.size(); ++length) {
    machine.file("sys/firmware/dmi/tables/DMI", whole.substr(0, length));
    const MemoryModules modules = read_memory_modules(machine.root());
    CHECK(modules.bandwidth_gb_s.value_or(38.4) == Approx(38.4));
  }
}

TEST_CASE("a table that can't be read is noted with the way out") {
  MadeUpMachine machine;
  machine.folder("sys/firmware/dmi/tables/DMI");
  CHECK(read_memory_modules(machine.root()).note.find("memory_bandwidth_gb_s") != std::string::npos);
}
