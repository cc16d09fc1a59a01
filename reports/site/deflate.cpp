#include "reports/site/deflate.hpp"

#include <algorithm>
#include <array>
#include <boost/beast/zlib/deflate_stream.hpp>

namespace shakedown {

std::string deflated(std::string_view bytes) {
  namespace zlib = boost::beast::zlib;
  static constexpr int level = 6;
  zlib::deflate_stream stream;
  stream.reset(level, /*windowBits=*/15, /*memLevel=*/9, zlib::Strategy::normal);
  std::string out(stream.upper_bound(bytes.size()) + 64, '\0');
  zlib::z_params state;
  state.next_in = bytes.data();
  state.avail_in = bytes.size();
  state.next_out = out.data();
  state.avail_out = out.size();
  boost::beast::error_code code;
  stream.write(state, zlib::Flush::finish, code);
  out.resize(state.total_out);
  return out;
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? digits[group >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

}  // namespace shakedown
