#include "orchestrator/core/hash.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

#include "orchestrator/core/hash_stream.hpp"

using namespace shakedown;

TEST_CASE("the SHA-256 of known texts") {
  // FIPS 180-4's examples (NIST, "SHA256.pdf"), and its long one.
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("the SHA-256 of a text does not depend on the pieces that it comes in") {
  std::string text;
  for (int i = 0; i < 400; ++i) text += static_cast<char>((i * 131 + i / 7) % 256);
  for (std::size_t size = 0; size <= text.size(); size += 13) {
    const std::string_view whole = std::string_view(text).substr(0, size);
    Sha256 by_bytes;  // each block is completed by a single byte
    for (const char& byte : whole) by_bytes.add({&byte, 1});
    const std::string expected = by_bytes.hex();
    CHECK(sha256(whole) == expected);
    for (const std::size_t first : {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{70}}) {
      Sha256 in_two;
      in_two.add(whole.substr(0, first));
      in_two.add(whole.substr(std::min(first, whole.size())));
      CHECK(in_two.hex() == expected);
    }
  }
}
