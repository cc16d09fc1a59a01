#include "suites/io500/reference/removal.hpp"

#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "suites/io500/reference/names.hpp"
#include "suites/io500/reference/walk.hpp"

namespace io500 {
namespace {

using Patterns = std::vector<std::string_view>;

/// What the patterns want below an entry of this name; `file`: the entry itself is a data file.
struct Below {
  Patterns rest;
  bool file = false;
};
Below below(const Patterns& patterns, std::string_view name) {
  Below found;
  for (const std::string_view pattern : patterns) {
    const size_t slash = pattern.find('/');
    if (!matches(pattern.substr(0, slash), name)) continue;
    if (slash == std::string_view::npos)
      found.file = true;
    else
      found.rest.push_back(pattern.substr(slash + 1));
  }
  return found;
}

struct Removal {
  std::string left;

  void keep(const std::string& path, const std::string& why) {
    if (left.empty()) left = path + " is left: " + why;
  }

  /// One pass over a directory; true where it removed something.
  bool pass(const File& folder, const std::string& path, const Patterns& patterns, bool top) {
    bool any = false;
    const auto read = for_entries(folder, [&](const Entry& entry) {
      const std::string name = entry.name;
      const Below wanted = below(patterns, name);
      if (wanted.file && unlinkat(folder.descriptor(), entry.name, 0) == 0)
        any = true;
      else if (!wanted.rest.empty())
        any = branch(folder, path, name, wanted.rest, top) || any;
      return true;
    });
    if (!read) keep(path, read.error());
    return any;
  }

  bool branch(const File& folder, const std::string& path, const std::string& name, const Patterns& patterns,
              bool top) {
    const auto inner = opened_folder(folder, name);
    if (!inner) return false;
    clear(*inner, path + "/" + name, patterns, false);
    return !top && unlinkat(folder.descriptor(), name.c_str(), AT_REMOVEDIR) == 0;
  }

  /// Passes until one finds nothing more: entries that vanish may make a pass miss others.
  void clear(const File& folder, const std::string& path, const Patterns& patterns, bool top) {
    while (pass(folder, path, patterns, top)) {
    }
    const auto read = for_entries(folder, [&](const Entry& entry) {
      const bool expected =
          top && (std::string_view(entry.name) == marker_name || !below(patterns, entry.name).rest.empty());
      if (!expected) keep(path + "/" + entry.name, "this program did not make it, or may not remove it");
      return expected;
    });
    if (!read) keep(path, read.error());
  }
};

}  // namespace

std::string remove_data(const File& folder, const std::string& path) {
  Removal removal;
  removal.clear(folder, path, Patterns(data_files.begin(), data_files.end()), true);
  return removal.left;
}

void remove_empty(const std::vector<std::string>& paths) {
  for (auto path = paths.rbegin(); path != paths.rend(); ++path) rmdir(path->c_str());
}

}  // namespace io500
