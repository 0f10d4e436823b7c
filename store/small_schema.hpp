// The tables of small.db, step by step. docs/format.md explains every column. Internal to store/.
#pragma once

#include "store/database.hpp"

namespace obsync::store {

// Accounts have their own numbers here: the two databases may lie on different volumes and must not depend on
// each other. used_bytes is the sum over the account's rows, kept in the transaction that adds them, so that
// a start need not read every row.
inline constexpr std::string_view small_step_1 = R"sql(
CREATE TABLE account (
  num        INTEGER PRIMARY KEY,
  id         BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  used_bytes INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE chunk (
  num       INTEGER PRIMARY KEY,
  account   INTEGER NOT NULL REFERENCES account (num),
  sid       BLOB NOT NULL CHECK (length(sid) = 32),
  stored_ms INTEGER NOT NULL,
  body      BLOB NOT NULL
);
CREATE UNIQUE INDEX chunk_of_account ON chunk (account, sid);
)sql";

inline constexpr std::string_view small_steps[] = {small_step_1};

// "obsS"
inline constexpr schema small_schema = {"store of small chunks", 0x6f627353, small_steps};
inline constexpr const char* small_file_name = "small.db";

}  // namespace obsync::store
