#include "orchestrator/cli/text/printable_stream.hpp"

#include <unistd.h>

#include <iostream>
#include <streambuf>
#include <string>

#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/printable.hpp"

namespace shakedown {

/// Stands before a stream's own buffer. The beginning of a character waits for its end.
class PrintableStreams::Buffer : public std::streambuf {
 public:
  Buffer(std::ostream& stream, int fd)
      : stream_(stream),
        target_(stream.rdbuf()),
        encoding_(::isatty(fd) == 1 && !locale_is_utf8() ? TextEncoding::eight_bit : TextEncoding::utf8) {
    stream_.rdbuf(this);
  }
  ~Buffer() override {
    finish();
    const auto state = stream_.rdstate();
    stream_.rdbuf(target_);
    stream_.setstate(state);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void pass(std::string_view sequence) {
    finish();
    put(std::string(sequence));
  }

 protected:
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    waiting_.append(text, static_cast<std::size_t>(size));
    shown_.clear();
    waiting_.erase(0, append_printable(shown_, waiting_, encoding_));
    return put(shown_) ? size : 0;
  }
  int sync() override { return target_->pubsync(); }

 private:
  bool put(const std::string& text) {
    const auto size = static_cast<std::streamsize>(text.size());
    return target_->sputn(text.data(), size) == size;
  }
  void finish() {
    const std::string rest = printable(waiting_, encoding_);
    waiting_.clear();
    put(rest);
  }

  std::ostream& stream_;
  std::streambuf* target_;
  TextEncoding encoding_;
  std::string waiting_;
  std::string shown_;
};

PrintableStreams::PrintableStreams()
    : out_(std::make_unique<Buffer>(std::cout, STDOUT_FILENO)),
      err_(std::make_unique<Buffer>(std::cerr, STDERR_FILENO)) {}

PrintableStreams::~PrintableStreams() = default;

void write_sequence(std::ostream& stream, std::string_view sequence) {
  if (auto* buffer = dynamic_cast<PrintableStreams::Buffer*>(stream.rdbuf()))
    buffer->pass(sequence);
  else
    stream << sequence;
}

}  // namespace shakedown
