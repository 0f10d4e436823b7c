#include "store/sqlite.hpp"

#include <sqlite3.h>

#include <cerrno>
#include <utility>

namespace obsync::store::sql {

namespace {

// How long a reader may wait for the moments in which the log is reset or recovered.
constexpr int busy_wait_ms = 10'000;

errc errc_of(int code, int system_error) {
  switch (code & 0xff) {
    case SQLITE_FULL:
      return errc::no_space;
    case SQLITE_IOERR:
      // The library calls an exceeded disk quota an input/output error. A failed sync stays one whatever the
      // reason, for what it left on the medium is unknown.
      if (code != SQLITE_IOERR_FSYNC && code != SQLITE_IOERR_DIR_FSYNC &&
          (system_error == ENOSPC || system_error == EDQUOT)) {
        return errc::no_space;
      }
      return errc::io_failed;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return errc::corrupt;
    case SQLITE_CANTOPEN:
      return errc::not_found;
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_AUTH:
      return errc::denied;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return errc::unavailable;
    case SQLITE_NOMEM:
      return errc::overloaded;
    case SQLITE_TOOBIG:
      return errc::invalid;
    default:
      return errc::io_failed;
  }
}

error failure_of(sqlite3* handle, int code) {
  return {errc_of(code, handle == nullptr ? 0 : sqlite3_system_errno(handle)),
          std::string("database: ") + (handle == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle))};
}

// SQLite would give every connection room for twenty pages at once; a server has a dozen connections, and
// most of them never see so many. Pages then come one by one. In effect only before the first connection of a
// process.
void take_pages_as_needed() {
  static const int once = sqlite3_config(SQLITE_CONFIG_PAGECACHE, nullptr, 0, 0);
  static_cast<void>(once);  // too late is no failure: it costs memory
}

}  // namespace

result<std::unique_ptr<connection>> connection::open(const std::string& path) {
  take_pages_as_needed();
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  if (code != SQLITE_OK) {
    error failure = failure_of(handle, code);
    sqlite3_close(handle);
    return failure;
  }
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, busy_wait_ms);
  return std::unique_ptr<connection>(new connection(handle));
}

connection::~connection() {
  const int code = sqlite3_close(handle_);
  OBSYNC_ASSERT(code == SQLITE_OK);  // a statement outlived its connection
}

error connection::take_failure() {
  OBSYNC_ASSERT(failure_);
  error failure = std::move(*failure_);
  failure_.reset();
  return failure;
}

void connection::fail(error failure) {
  if (!failure_) failure_ = std::move(failure);
}

void connection::fail_with(int code) {
  fail(failure_of(handle_, code));
}

void connection::run(const std::string& statements) {
  if (failed()) return;
  const int code = sqlite3_exec(handle_, statements.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail_with(code);
}

std::int64_t connection::number(const std::string& query) {
  statement once(*this, query);
  cursor rows = once.query();
  return rows.next() ? rows.integer(0) : 0;
}

void connection::roll_back() {
  if (sqlite3_get_autocommit(handle_) != 0) return;
  const int code = sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail_with(code);
}

std::int64_t connection::changes() const {
  return sqlite3_total_changes64(handle_);
}

std::int64_t connection::last_row() const {
  return sqlite3_last_insert_rowid(handle_);
}

void connection::checkpoint_on_close(bool on) {
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on ? 0 : 1, nullptr);
}

cursor::~cursor() {
  if (prepared_ == nullptr) return;
  // Left at a row, it ends only here: a change of journal mode, for one, is committed by this call.
  const int code = sqlite3_reset(prepared_);
  if (code != SQLITE_OK && has_row_) on_.fail_with(code);
  sqlite3_clear_bindings(prepared_);
}

bool cursor::next() {
  if (on_.failed() || prepared_ == nullptr) return false;
  const int code = sqlite3_step(prepared_);
  has_row_ = code == SQLITE_ROW;
  if (has_row_) return true;
  if (code != SQLITE_DONE) on_.fail_with(code);
  return false;
}

std::int64_t cursor::integer(int column) const {
  return sqlite3_column_int64(prepared_, column);
}

std::optional<std::int64_t> cursor::maybe_integer(int column) const {
  if (is_null(column)) return std::nullopt;
  return integer(column);
}

std::string cursor::text(int column) const {
  return std::string(as_text(blob(column)));
}

std::optional<std::string> cursor::maybe_text(int column) const {
  if (is_null(column)) return std::nullopt;
  return text(column);
}

byte_view cursor::blob(int column) const {
  const void* data = sqlite3_column_blob(prepared_, column);
  const int size = sqlite3_column_bytes(prepared_, column);
  return {static_cast<const std::uint8_t*>(data), data == nullptr ? 0 : static_cast<std::size_t>(size)};
}

bool cursor::is_null(int column) const {
  return sqlite3_column_type(prepared_, column) == SQLITE_NULL;
}

statement::~statement() {
  sqlite3_finalize(prepared_);
}

void statement::prepare() {
  if (prepared_ != nullptr || on_.failed()) return;
  const int code = sqlite3_prepare_v3(on_.handle_, text_.data(), static_cast<int>(text_.size()),
                                      SQLITE_PREPARE_PERSISTENT, &prepared_, nullptr);
  if (code != SQLITE_OK) on_.fail_with(code);
}

void statement::bind(int position, std::int64_t value) {
  if (prepared_ != nullptr) sqlite3_bind_int64(prepared_, position, value);
}

void statement::bind(int position, byte_view value) {
  if (prepared_ == nullptr) return;
  // A null pointer would bind NULL instead of an empty blob.
  const void* data = value.empty() ? static_cast<const void*>("") : value.data();
  sqlite3_bind_blob64(prepared_, position, data, value.size(), SQLITE_STATIC);
}

void statement::bind(int position, std::string_view value) {
  if (prepared_ == nullptr) return;
  const char* data = value.empty() ? "" : value.data();
  sqlite3_bind_text64(prepared_, position, data, value.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void statement::bind(int position, std::nullopt_t) {
  if (prepared_ != nullptr) sqlite3_bind_null(prepared_, position);
}

}  // namespace obsync::store::sql
