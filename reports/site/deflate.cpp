#include "reports/site/deflate.hpp"

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

}  // namespace shakedown
