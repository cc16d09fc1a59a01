#pragma once
#include <iosfwd>
#include <memory>
#include <string_view>

namespace shakedown {

/// The one door to the terminal: while it lives, what is written to std::cout and std::cerr passes
/// `printable`, whoever wrote it and wherever the text came from. Only `write_sequence` writes control
/// characters.
class PrintableStreams {
 public:
  PrintableStreams();
  ~PrintableStreams();
  PrintableStreams(const PrintableStreams&) = delete;
  PrintableStreams& operator=(const PrintableStreams&) = delete;

 private:
  class Buffer;
  friend void write_sequence(std::ostream& stream, std::string_view sequence);
  std::unique_ptr<Buffer> out_;
  std::unique_ptr<Buffer> err_;
};

/// Writes a control sequence of our own (a colour, a carriage return) as it is. Never with a text of others
/// in it.
void write_sequence(std::ostream& stream, std::string_view sequence);

}  // namespace shakedown
