#include "reports/evidence/signatures.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "orchestrator/core/json.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"

namespace shakedown {
namespace {

using SignatureDocument = nlohmann::ordered_json;

constexpr std::size_t longest_signer = 200;

bool has_control(std::string_view text) {
  return std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

}  // namespace

Result<Signer> signer_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string way = "--as \"customer: NAME\"";
  if (colon == std::string_view::npos) return fail("--as", "states no role", way);
  Signer signer{std::string(trimmed(text.substr(0, colon))), std::string(trimmed(text.substr(colon + 1)))};
  if (signer.role.empty() || signer.name.empty())
    return fail("--as", fmt::format("'{}' lacks the {}", text, signer.role.empty() ? "role" : "name"), way);
  if (has_control(text) || text.size() > longest_signer)
    return fail("--as", "holds a control character, or more than 200 bytes", way);
  return signer;
}

std::string signed_text(const Signature& signature) {
  return fmt::format("shakedown signature 1\nrole: {}\nname: {}\npublic_key: {}\ntime: {}\nroot: {}\n",
                     signature.role, signature.name, signature.public_key, signature.time, signature.root);
}

Signature signed_root(const std::string& root, const Signer& signer, const SigningKey& key) {
  Signature signature{signer.role, signer.name, key.public_key, utc_text(now_s()), root, ""};
  signature.signature = signature_over(signed_text(signature), key);
  return signature;
}

bool holds(const Signature& signature) {
  const auto& [role, name, key, time, root, by] = signature;
  // A line break would make one member two.
  return std::ranges::none_of(std::array{&role, &name, &key, &time, &root},
                              [](const std::string* each) { return has_control(*each); }) &&
         is_signature(by, signed_text(signature), key);
}

std::string signature_line(const Signature& signature) {
  const SignatureDocument line = {
      {"schema", "shakedown.signature/1"},  {"role", signature.role}, {"name", signature.name},
      {"public_key", signature.public_key}, {"time", signature.time}, {"root", signature.root},
      {"signature", signature.signature}};
  return line.dump(-1, ' ', false, SignatureDocument::error_handler_t::replace) + "\n";
}

Result<std::vector<Signature>> signatures_from_lines(std::string_view text, const std::string& name) {
  std::vector<Signature> found;
  int number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (trimmed(line).empty()) continue;
    try {
      const auto each = json_or_thrown<SignatureDocument>(line);
      if (each.at("schema") != "shakedown.signature/1") return fail(name, "is of another version's schema");
      found.push_back({each.at("role"), each.at("name"), each.at("public_key"), each.at("time"),
                       each.at("root"), each.at("signature")});
    } catch (const SignatureDocument::exception& error) {
      return fail(fmt::format("{}:{}", name, number), fmt::format("is no signature: {}", error.what()));
    }
  }
  return found;
}

}  // namespace shakedown
