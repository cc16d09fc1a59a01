#pragma once

namespace attempt {

constexpr int sha256_text = 65;  // 64 hexadecimal digits and the end

/// SHA-256 of a regular file's content as hexadecimal digits. False where it can't be read.
///
/// Source: FIPS 180-4.
bool sha256_of_file(const char* path, char (&digits)[sha256_text]);

/// The path by which `execvp` would start `program`: the name itself where it has a slash, else the first
/// executable of that name in PATH. False where there is none, or `size` is too small.
bool found_program(const char* program, char* path, unsigned long size);

}  // namespace attempt
