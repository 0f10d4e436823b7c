#include "client/state/sqlite.hpp"

#include <sqlite3.h>

#include <unordered_map>

namespace obsync::client {

namespace {

error failed(sqlite3* handle) {
  const int code = sqlite3_errcode(handle);
  const std::string text = std::string("state: ") + sqlite3_errmsg(handle);
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {errc::exists, "another process is using this folder's state"};
    case SQLITE_FULL:
      return {errc::no_space, text};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {errc::corrupt, text};
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return {errc::denied, text};
    default:
      return {errc::io_failed, text};
  }
}

}  // namespace

struct sql_database::cache {
  std::unordered_map<const char*, sqlite3_stmt*> statements;
};

sql_query::~sql_query() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

sql_query& sql_query::bind(std::int64_t value) {
  sqlite3_bind_int64(statement_, next_++, value);
  return *this;
}

sql_query& sql_query::bind(byte_view value) {
  const void* data = value.empty() ? static_cast<const void*>("") : value.data();
  sqlite3_bind_blob64(statement_, next_++, data, value.size(), SQLITE_TRANSIENT);
  return *this;
}

result<bool> sql_query::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return failed(sqlite3_db_handle(statement_));
}

status sql_query::run() {
  const auto stepped = step();
  if (!stepped) return stepped.error();
  return {};
}

std::int64_t sql_query::number(int column) const {
  return sqlite3_column_int64(statement_, column);
}

byte_view sql_query::blob(int column) const {
  const void* data = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return {static_cast<const std::uint8_t*>(data), static_cast<std::size_t>(size)};
}

sql_database::sql_database(sqlite3* handle) : handle_(handle), cache_(std::make_unique<cache>()) {}

sql_database::~sql_database() {
  for (const auto& [sql, statement] : cache_->statements) sqlite3_finalize(statement);
  sqlite3_close(handle_);
}

result<std::unique_ptr<sql_database>> sql_database::open(const std::string& path) {
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  std::unique_ptr<sql_database> out(new sql_database(handle));
  if (code != SQLITE_OK) return failed(handle);
  sqlite3_extended_result_codes(handle, 1);
  return out;
}

status sql_database::execute(const char* sql) {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) return failed(handle_);
  return {};
}

sql_query sql_database::query(const char* sql) {
  sqlite3_stmt*& statement = cache_->statements[sql];
  if (statement == nullptr) {
    const int code = sqlite3_prepare_v3(handle_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    // Our own text against our own tables: only a damaged file could refuse it, and then every step says so.
    if (code != SQLITE_OK) cache_->statements.erase(sql);
    if (code != SQLITE_OK) return sql_query(nullptr);
  }
  return sql_query(statement);
}

}  // namespace obsync::client
