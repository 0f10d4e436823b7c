// SQLite in the few words the store needs. Internal to store/: only sqlite.cpp sees the library's own header.
//
// Failures are sticky: a connection remembers its first one, and every later step on it does nothing and
// finds no row. A unit of work is therefore written as if nothing could fail, and asks failed() once before
// its result is believed. One connection, with its statements and cursors, belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/bytes.hpp"
#include "core/ids.hpp"
#include "core/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace obsync::store::sql {

class connection {
 public:
  // Opens an existing file for reading and writing.
  static result<std::unique_ptr<connection>> open(const std::string& path);
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;
  ~connection();

  bool failed() const { return failure_.has_value(); }
  // The first failure, which is then forgotten. Precondition: failed().
  error take_failure();
  void fail(error failure);

  // Runs statements that give no rows.
  void run(const std::string& statements);
  // The first column of the only row; 0 when there is none.
  std::int64_t number(const std::string& query);
  // Ends an open transaction without its changes. Works on a failed connection, whose failure it keeps.
  void roll_back();

  // Rows changed since the connection was opened.
  std::int64_t changes() const;
  std::int64_t last_row() const;
  // Whether closing the last connection moves the write-ahead log into the database. On after opening.
  void checkpoint_on_close(bool on);

 private:
  friend class statement;
  friend class cursor;
  explicit connection(sqlite3* handle) : handle_(handle) {}
  void fail_with(int code);

  sqlite3* handle_;
  std::optional<error> failure_;
};

// The rows of one run of a statement. Gives the statement back when destroyed, so that no snapshot outlives
// its use; what a statement that was left at a row had still to do may fail then, and fails the connection.
// Views from text() and blob() live until next() or the end.
class cursor {
 public:
  cursor(const cursor&) = delete;
  cursor& operator=(const cursor&) = delete;
  ~cursor();

  // Steps to the next row; false at the end or after a failure.
  bool next();

  std::int64_t integer(int column) const;
  std::optional<std::int64_t> maybe_integer(int column) const;
  std::string text(int column) const;
  std::optional<std::string> maybe_text(int column) const;
  byte_view blob(int column) const;
  bool is_null(int column) const;
  // A blob of exactly the id's width; anything else fails the connection as corrupt.
  template <class Id>
  Id id(int column) const {
    if (auto value = Id::from(blob(column))) return *value;
    on_.fail({errc::corrupt, "an id in the database has the wrong width"});
    return {};
  }

 private:
  friend class statement;
  cursor(connection& on, sqlite3_stmt* prepared) : on_(on), prepared_(prepared) {}
  connection& on_;
  sqlite3_stmt* prepared_;
  bool has_row_ = false;
};

// A statement prepared at its first use and kept. At most one cursor of it is alive at a time.
class statement {
 public:
  statement(connection& on, std::string text) : on_(on), text_(std::move(text)) {}
  statement(const statement&) = delete;
  statement& operator=(const statement&) = delete;
  ~statement();

  // Blobs and texts are borrowed: they must outlive the cursor.
  template <class... Values>
  [[nodiscard]] cursor query(const Values&... values) {
    prepare();
    int position = 0;
    (bind(++position, values), ...);
    return cursor(on_, prepared_);
  }

  template <class... Values>
  void run(const Values&... values) {
    cursor rows = query(values...);
    while (rows.next()) {
    }
  }

 private:
  void prepare();
  void bind(int position, std::int64_t value);
  void bind(int position, bool value) { bind(position, std::int64_t{value}); }
  void bind(int position, byte_view value);
  void bind(int position, std::string_view value);
  void bind(int position, std::nullopt_t);
  void bind(int position, const std::string& value) { bind(position, std::string_view(value)); }
  void bind(int position, const bytes& value) { bind(position, byte_view(value)); }
  template <class Tag, std::size_t N>
  void bind(int position, const obsync::id<Tag, N>& value) {
    bind(position, value.view());
  }
  template <class Value>
  void bind(int position, const std::optional<Value>& value) {
    if (value) {
      bind(position, *value);
    } else {
      bind(position, std::nullopt);
    }
  }

  connection& on_;
  std::string text_;
  sqlite3_stmt* prepared_ = nullptr;
};

}  // namespace obsync::store::sql
