#pragma once
// Precompiled for the layer: what every command includes and takes seconds to read.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
