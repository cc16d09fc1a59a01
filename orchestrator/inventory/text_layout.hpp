#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace shakedown {

using Lines = std::vector<std::string>;
using Row = std::vector<std::string>;

/// The pieces that are not empty, with commas.
std::string list(const Row& pieces);

/// Words in as few lines as hold them, none of them broken.
Lines wrapped(std::string_view text);

/// The pieces that are not empty, with commas, in as few lines as hold them.
Lines wrapped_list(const Row& pieces);

/// Columns of equal width, two blanks apart; a column in which nothing is said is left out.
Lines aligned(const std::vector<Row>& rows);

/// The label before the first line, blanks before the others.
std::string block(std::string_view label, const Lines& lines);

}  // namespace shakedown
