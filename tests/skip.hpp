#pragma once
#include <string>

/// Reports why a case can't be tried here. Its file then counts as skipped, unless another case of it failed.
void skip(const std::string& why);
