#include "reports/evidence/timestamp.hpp"

#include <openssl/asn1.h>
#include <openssl/err.h>
#include <openssl/pkcs7.h>
#include <openssl/ts.h>
#include <openssl/x509_vfy.h>

#include <ctime>
#include <memory>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"

namespace shakedown {
namespace {

template <class T, void (*release)(T*)>
struct OpensslRelease {
  void operator()(T* object) const { release(object); }
};
using Response = std::unique_ptr<TS_RESP, OpensslRelease<TS_RESP, TS_RESP_free>>;
using Store = std::unique_ptr<X509_STORE, OpensslRelease<X509_STORE, X509_STORE_free>>;
using Verification = std::unique_ptr<TS_VERIFY_CTX, OpensslRelease<TS_VERIFY_CTX, TS_VERIFY_CTX_free>>;

constexpr std::size_t largest_token = 1 << 20;

std::string openssl_reason() {
  const unsigned long code = ERR_peek_last_error();
  const char* reason = ERR_reason_error_string(code);
  const char* data = nullptr;
  int flags = 0;
  ERR_peek_last_error_all(nullptr, nullptr, nullptr, &data, &flags);
  std::string text = reason == nullptr ? "unknown reason" : reason;
  if (data != nullptr && (flags & ERR_TXT_STRING) != 0 && *data != '\0') text += fmt::format(" ({})", data);
  ERR_clear_error();
  return printable_line(text);
}

std::string hex_of(const ASN1_OCTET_STRING* bytes) {
  std::string text;
  for (int i = 0; i < ASN1_STRING_length(bytes); ++i)
    text += fmt::format("{:02x}", ASN1_STRING_get0_data(bytes)[i]);
  return text;
}

/// The name of who signed, if the token brings the certificate along.
std::string signer_name(TS_RESP* response) {
  PKCS7* token = TS_RESP_get_token(response);
  STACK_OF(X509)* signers = PKCS7_get0_signers(token, nullptr, 0);
  std::string name;
  if (signers != nullptr && sk_X509_num(signers) > 0) {
    const std::unique_ptr<char, void (*)(char*)> line(
        X509_NAME_oneline(X509_get_subject_name(sk_X509_value(signers, 0)), nullptr, 0),
        [](char* text) { OPENSSL_free(text); });
    if (line) name = printable_line(line.get());
  }
  sk_X509_free(signers);
  ERR_clear_error();
  return name;
}

Result<Store> store_of(std::span<const std::filesystem::path> authorities, std::time_t at) {
  Store store(X509_STORE_new());
  if (!store) throw std::bad_alloc();
  X509_STORE_set_default_paths(store.get());
  for (const auto& file : authorities)
    if (X509_STORE_load_file(store.get(), file.c_str()) != 1)
      return fail(file.string(), fmt::format("is no file of certificates (PEM): {}", openssl_reason()));
  const std::unique_ptr<X509_VERIFY_PARAM, void (*)(X509_VERIFY_PARAM*)> parameters(X509_VERIFY_PARAM_new(),
                                                                                    &X509_VERIFY_PARAM_free);
  X509_VERIFY_PARAM_set_time(parameters.get(), at);
  X509_STORE_set1_param(store.get(), parameters.get());
  ERR_clear_error();
  return store;
}

}  // namespace

Result<Timestamp> read_timestamp(std::string_view bytes, const std::string& name,
                                 std::span<const std::filesystem::path> authorities) {
  if (bytes.size() > largest_token) return fail(name, "is larger than 1 MiB: it is no time stamp");
  // OpenSSL reads unsigned bytes; they are the same.
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const Response response(d2i_TS_RESP(nullptr, &data, static_cast<long>(bytes.size())));
  const std::string way = "`openssl ts -query -digest ROOT -sha256 -cert` asks for one";
  if (!response || data != reinterpret_cast<const unsigned char*>(bytes.data()) + bytes.size()) {
    ERR_clear_error();
    return fail(name, "is no answer of a time-stamp authority (RFC 3161)", way);
  }
  TS_TST_INFO* info = TS_RESP_get_tst_info(response.get());
  if (info == nullptr) return fail(name, "holds no time stamp: the authority refused", way);
  TS_MSG_IMPRINT* imprint = TS_TST_INFO_get_msg_imprint(info);
  const X509_ALGOR* algorithm = TS_MSG_IMPRINT_get_algo(imprint);
  const ASN1_OBJECT* kind = nullptr;
  X509_ALGOR_get0(&kind, nullptr, nullptr, algorithm);
  if (OBJ_obj2nid(kind) != NID_sha256) return fail(name, "stamps a hash that is no SHA-256", way);
  std::tm parts = {};
  if (ASN1_TIME_to_tm(TS_TST_INFO_get_time(info), &parts) != 1) return fail(name, "states no time");
  const std::time_t at = ::timegm(&parts);

  Timestamp stamp{hex_of(TS_MSG_IMPRINT_get_msg(imprint)), utc_text(static_cast<double>(at)),
                  signer_name(response.get()), false, ""};
  auto store = store_of(authorities, at);
  if (!store) return failure_of(store);
  const Verification check(TS_VERIFY_CTX_new());
  if (!check) throw std::bad_alloc();
  TS_VERIFY_CTX_set_flags(check.get(), TS_VFY_VERSION | TS_VFY_SIGNATURE);
  TS_VERIFY_CTX_set_store(check.get(), store->release());  // which takes it
  stamp.trusted = TS_RESP_verify_response(check.get(), response.get()) == 1;
  if (!stamp.trusted) stamp.why_not = openssl_reason();
  ERR_clear_error();
  return stamp;
}

}  // namespace shakedown
