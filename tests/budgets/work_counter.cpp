#include "tests/budgets/work_counter.hpp"

#include <sqlite3.h>

#include <cstdlib>
#include <map>
#include <new>

#include "tests/support/sanitized.hpp"

namespace obsync::test {

struct work_counter::state {
  std::uint64_t heap_bytes = 0;
  std::map<std::string, std::uint64_t> statements;
  bool counting = false;
};

namespace {

work_counter::state seen;

int on_statement(unsigned, void*, void* prepared, void*) {
  if (!seen.counting) return 0;
  seen.counting = false;  // what the note itself takes is not the server's
  ++seen.statements[sqlite3_sql(static_cast<sqlite3_stmt*>(prepared))];
  seen.counting = true;
  return 0;
}

int on_connection(sqlite3* opened, const char**, const sqlite3_api_routines*) {
  return sqlite3_trace_v2(opened, SQLITE_TRACE_STMT, on_statement, nullptr);
}

using extension = void (*)();

}  // namespace

work_counter::work_counter() {
  sqlite3_auto_extension(reinterpret_cast<extension>(on_connection));
}

work_counter::~work_counter() {
  sqlite3_cancel_auto_extension(reinterpret_cast<extension>(on_connection));
}

void work_counter::begin(sim_server& of) {
  seen.statements.clear();
  before_ = {of.files().sync_count(), 0, of.messages(), seen.heap_bytes};
  seen.counting = true;
}

work work_counter::end(sim_server& of) {
  seen.counting = false;
  work out{of.files().sync_count() - before_.flushes, 0, of.messages() - before_.messages,
           seen.heap_bytes - before_.heap_bytes};
  for (const auto& [text, times] : seen.statements) out.statements += times;
  return out;
}

std::string work_counter::statements() const {
  std::string out;
  for (const auto& [text, times] : seen.statements) out += "  " + std::to_string(times) + " x " + text + "\n";
  return out;
}

}  // namespace obsync::test

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

void* operator new(std::size_t size) {
  if (obsync::test::seen.counting) obsync::test::seen.heap_bytes += size;
  if (void* made = std::malloc(size)) return made;
  throw std::bad_alloc();
}
void operator delete(void* gone) noexcept {
  std::free(gone);
}
void operator delete(void* gone, std::size_t) noexcept {
  std::free(gone);
}

#endif
