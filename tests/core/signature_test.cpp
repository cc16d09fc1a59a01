#include "orchestrator/core/signature.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/hash_stream.hpp"

using namespace shakedown;

namespace {

std::string bytes(std::string_view hex) {
  std::string text;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    text += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return text;
}

}  // namespace

TEST_CASE("Ed25519 gives the keys and signatures of RFC 8032, section 7.1") {
  struct Vector {
    const char* secret;
    const char* public_key;
    const char* message;
    const char* signature;
  };
  const Vector vectors[] = {{"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
                             "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
                             "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33ba"
                             "cc61e39701cf9b46bd25bf5f0595bbe"
                             "24655141438e7a100b"},
                            {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
                             "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
                             "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996"
                             "e458f3613d0f11d8c387b2eaeb4302a"
                             "eeb00d291612bb0c00"}};
  for (const Vector& each : vectors) {
    const auto key = signing_key(base64(bytes(each.secret)));
    REQUIRE(key);
    CHECK(key->public_key == base64(bytes(each.public_key)));
    const std::string signature = signature_over(bytes(each.message), *key);
    CHECK(signature == base64(bytes(each.signature)));
    CHECK(is_signature(signature, bytes(each.message), key->public_key));
    CHECK_FALSE(is_signature(signature, bytes(each.message) + "x", key->public_key));
  }
}

TEST_CASE("a signature is none of another key, and malformed ones are none") {
  const SigningKey one = new_signing_key();
  const SigningKey other = new_signing_key();
  CHECK(one.secret != other.secret);
  const std::string signature = signature_over("root", one);
  CHECK(is_signature(signature, "root", one.public_key));
  CHECK_FALSE(is_signature(signature, "root", other.public_key));
  for (const std::string& wrong :
       {std::string(), std::string("AA=="), std::string("*"), signature + "AA=="}) {
    CHECK_FALSE(is_signature(wrong, "root", one.public_key));
    CHECK_FALSE(is_signature(signature, "root", wrong));
    CHECK_FALSE(signing_key(wrong));
  }
}

TEST_CASE("base64 is read as strictly as it is written") {
  for (const char* text : {"", "a", "ab", "abc", "abcd"}) CHECK(bytes_of_base64(base64(text)) == text);
  CHECK_FALSE(bytes_of_base64("YQ"));
  CHECK_FALSE(bytes_of_base64("YQ==\n"));
  CHECK_FALSE(bytes_of_base64("Y Q="));
}

TEST_CASE("SHA-256 in pieces is that of the whole") {
  Sha256 hash;
  hash.add("a");
  hash.add("");
  hash.add("bc");
  CHECK(hash.hex() == sha256("abc"));
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
