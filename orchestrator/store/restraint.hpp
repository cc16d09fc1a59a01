#pragma once

#include <cstdint>
#include <string>

namespace SQLite {
class Database;
}

namespace shakedown {

/// Restricts a file that somebody else wrote to giving rows: no triggers, no views, no functions of its
/// schema, no extensions, no other files; texts of at most 64 MiB; and no more work than its size explains. A
/// few crafted pages that point to each other can hold more rows than there are atoms.
///
/// Source: sqlite.org/security.html, "Untrusted SQLite Database Files".
class Restraint {
 public:
  /// For a connection to the file at `path`, or to its content in memory. Must outlive the connection's use.
  Restraint(SQLite::Database& database, std::string path);
  Restraint(const Restraint&) = delete;
  Restraint& operator=(const Restraint&) = delete;
  ~Restraint();

  /// Restarts the counts: with each call of the store.
  void begin() { steps_ = bytes_ = seen_bytes_ = 0; }
  /// Counts a statement that begins, and the bytes of a row. Throw (SQLITE_CORRUPT) where that is more than
  /// the file can hold.
  void count_statement();
  void count_bytes(std::int64_t bytes);

  /// While it lives, statements that make and change tables are allowed.
  class Making {
   public:
    explicit Making(Restraint& restraint) : restraint_(restraint) { restraint_.making_ = true; }
    Making(const Making&) = delete;
    Making& operator=(const Making&) = delete;
    ~Making() { restraint_.making_ = false; }

   private:
    Restraint& restraint_;
  };

  /// SQLite loads a file into memory by a statement of its own, which is refused otherwise.
  void allow_attaching(bool allowed) { attaching_ = allowed; }

 private:
  static int authorize(void* self, int action, const char* first, const char* second, const char* database,
                       const char* inner);
  static int progressed(void* self);
  [[nodiscard]] bool is_allowed(int action, const char* first, const char* second) const;
  /// Of the file and its log. Holes in a file cost whoever made it nothing, and do not count; on the disk it
  /// may be compressed. A file that was just written may have blocks that are counted later (ZFS).
  struct Size {
    std::int64_t bytes = 0;
    bool may_grow = false;
  };
  [[nodiscard]] Size size() const;
  [[nodiscard]] bool exceeded();

  SQLite::Database& database_;
  std::string path_;
  std::int64_t steps_ = 0;  ///< of SQLite's virtual machine
  std::int64_t bytes_ = 0;
  std::int64_t seen_bytes_ = 0;  ///< the file's size when it was last looked at: a look is a system call
  bool making_ = false;
  bool attaching_ = false;
};

}  // namespace shakedown
