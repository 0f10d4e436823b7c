// The little of SQLite's C interface the state needs, with our errors. For client/state's own sources only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/bytes.hpp"
#include "core/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace obsync::client {

// One prepared statement in use: bind from index 1, step, read columns from 0. Resets itself at the end.
class sql_query {
 public:
  explicit sql_query(sqlite3_stmt* statement) : statement_(statement) {}
  sql_query(const sql_query&) = delete;
  sql_query& operator=(const sql_query&) = delete;
  ~sql_query();

  sql_query& bind(std::int64_t value);
  sql_query& bind(byte_view value);  // copied
  sql_query& bind(std::string_view value) { return bind(as_bytes(value)); }

  // Whether there is a row.
  result<bool> step();
  status run();

  std::int64_t number(int column) const;
  byte_view blob(int column) const;  // until the next step
  std::string text(int column) const { return std::string(as_text(blob(column))); }

 private:
  sqlite3_stmt* statement_;
  int next_ = 1;
};

class sql_database {
 public:
  static result<std::unique_ptr<sql_database>> open(const std::string& path);
  sql_database(const sql_database&) = delete;
  sql_database& operator=(const sql_database&) = delete;
  ~sql_database();

  status execute(const char* sql);
  // `sql` must be a literal: prepared once, found again by its address.
  sql_query query(const char* sql);

 private:
  struct cache;
  explicit sql_database(sqlite3* handle);
  sqlite3* handle_;
  std::unique_ptr<cache> cache_;
};

}  // namespace obsync::client
