#pragma once
#include <cstdarg>
#include <cstdio>

namespace attempt {

/// A small text that grows by printf; JSON documents of this program are well below its size.
struct Text {
  char data[16384] = {};
  size_t size = 0;
  __attribute__((format(printf, 2, 3))) void add(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(data + size, sizeof data - size, format, arguments);
    va_end(arguments);
    if (n > 0)
      size += static_cast<size_t>(n) < sizeof data - size ? static_cast<size_t>(n) : sizeof data - size - 1;
  }
  void add_string(const char* text) {
    add("\"");
    for (; *text != '\0'; ++text) {
      const auto c = static_cast<unsigned char>(*text);
      if (c == '"' || c == '\\')
        add("\\%c", c);
      else if (c < 0x20)
        add("\\u%04x", c);
      else
        add("%c", c);
    }
    add("\"");
  }
};

}  // namespace attempt
