#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// The inventory for people: aligned, within 100 columns but for names that are longer, a newline at its end.
std::string inventory_text(const Inventory& inventory);

using Lines = std::vector<std::string>;
using Row = std::vector<std::string>;

/// The pieces that are not empty, with commas.
std::string list(const Row& pieces);

/// Words in as few lines as hold them, none of them broken.
Lines wrapped(std::string_view text);

/// The pieces that are not empty, with commas, in as few lines as hold them.
Lines wrapped_list(const Row& pieces);

/// Columns of equal width, two blanks apart; an empty column is omitted.
Lines aligned(const std::vector<Row>& rows);

/// The label before the first line, blanks before the others.
std::string block(std::string_view label, const Lines& lines);

/// Fabric, pods and storage for people; empty if the inventory has none of them.
std::string system_text(const Inventory& inventory);

}  // namespace shakedown
