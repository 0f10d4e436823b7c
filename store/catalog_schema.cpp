#include "store/catalog_schema.hpp"

namespace obsync::store {

namespace {

// Rows find each other by small integers; the ids of the protocol are looked up once, through a unique index.
// Large columns come last, so that a look at the small ones reads one page. version.device has no foreign
// key: deleting a pending device would have to search all versions for it.
constexpr std::string_view step_1 = R"sql(
CREATE TABLE account (
  num               INTEGER PRIMARY KEY,
  id                BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  name              TEXT NOT NULL,
  created_ms        INTEGER NOT NULL,
  quota_bytes       INTEGER,
  recovery_verifier BLOB CHECK (length(recovery_verifier) = 32),
  recovery_ms       INTEGER,
  recovery_armed    INTEGER NOT NULL DEFAULT 0,
  head              INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE device (
  num                INTEGER PRIMARY KEY,
  account            INTEGER NOT NULL REFERENCES account (num),
  id                 BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  wrapped_secret     BLOB NOT NULL CHECK (length(wrapped_secret) = 32),
  state              INTEGER NOT NULL CHECK (state IN (0, 1, 2)),
  archived           INTEGER NOT NULL DEFAULT 0,
  horizon_s          INTEGER NOT NULL DEFAULT 0,
  name               TEXT NOT NULL,
  platform           TEXT NOT NULL,
  app_version        TEXT NOT NULL,
  created_ms         INTEGER NOT NULL,
  last_seen_ms       INTEGER,
  last_sign_in_ms    INTEGER,
  last_edit_ms       INTEGER,
  last_heartbeat_ms  INTEGER,
  address            TEXT,
  country            TEXT,
  per_file_max_bytes INTEGER NOT NULL DEFAULT 0,
  total_budget_bytes INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX device_of_account ON device (account, id);

CREATE TABLE file (
  num       INTEGER PRIMARY KEY,
  account   INTEGER NOT NULL REFERENCES account (num),
  id        BLOB NOT NULL CHECK (length(id) = 16),
  domain    BLOB NOT NULL CHECK (length(domain) = 16),
  latest_ms INTEGER NOT NULL,
  heads     BLOB NOT NULL CHECK (length(heads) % 32 = 0)
);
CREATE UNIQUE INDEX file_of_account ON file (account, id);

CREATE TABLE version (
  num            INTEGER PRIMARY KEY,
  account        INTEGER NOT NULL,
  seq            INTEGER NOT NULL,
  file           INTEGER NOT NULL REFERENCES file (num),
  id             BLOB NOT NULL CHECK (length(id) = 32),
  twin           INTEGER NOT NULL,
  device         INTEGER NOT NULL,
  ts_ms          INTEGER NOT NULL,
  bytes          INTEGER NOT NULL,
  deleted        INTEGER NOT NULL,
  manifest_nonce BLOB NOT NULL CHECK (length(manifest_nonce) = 12),
  parents        BLOB NOT NULL CHECK (length(parents) % 32 = 0),
  manifest_ct    BLOB NOT NULL,
  sids           BLOB NOT NULL CHECK (length(sids) % 32 = 0)
);
CREATE UNIQUE INDEX version_of_file ON version (file, id);
CREATE UNIQUE INDEX version_in_feed ON version (account, seq);
CREATE INDEX version_by_twin ON version (file, twin);

CREATE TABLE audit (
  num     INTEGER PRIMARY KEY,
  account INTEGER NOT NULL,
  ts_ms   INTEGER NOT NULL,
  device  INTEGER,
  event   TEXT NOT NULL,
  detail  TEXT NOT NULL
);
CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit BEGIN
  SELECT RAISE(ABORT, 'the audit table is append-only');
END;
CREATE TRIGGER audit_is_never_shortened BEFORE DELETE ON audit BEGIN
  SELECT RAISE(ABORT, 'the audit table is append-only');
END;
)sql";

// Accounts by invitation. An audit row outlives what it names, so it carries ids beside the numbers of
// step 1.
constexpr std::string_view step_2 = R"sql(
ALTER TABLE device ADD COLUMN role INTEGER NOT NULL DEFAULT 0 CHECK (role IN (0, 1));
ALTER TABLE account ADD COLUMN disabled_ms INTEGER;
ALTER TABLE account ADD COLUMN delete_after_ms INTEGER;

CREATE TABLE invitation (
  num         INTEGER PRIMARY KEY,
  token_hash  BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  name        TEXT NOT NULL,
  quota_bytes INTEGER,
  created_ms  INTEGER NOT NULL,
  expires_ms  INTEGER NOT NULL,
  account     INTEGER UNIQUE REFERENCES account (num)
);

ALTER TABLE audit ADD COLUMN account_id BLOB CHECK (length(account_id) = 16);
ALTER TABLE audit ADD COLUMN device_id BLOB CHECK (length(device_id) = 16);
ALTER TABLE audit ADD COLUMN operator_uid INTEGER;
CREATE INDEX audit_of_account ON audit (account_id, num);
)sql";

// The paced jobs: how far retention has judged each account, their notes, what was found rotten; and which
// life of the store this is, for a restored one must not be taken for its own future.
constexpr std::string_view step_3 = R"sql(
ALTER TABLE account ADD COLUMN aged_seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE account ADD COLUMN looked_seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE account ADD COLUMN ruled_days INTEGER NOT NULL DEFAULT 0;
ALTER TABLE account ADD COLUMN ruled_versions INTEGER NOT NULL DEFAULT 0;

CREATE TABLE upkeep (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE quarantine (
  num        INTEGER PRIMARY KEY,
  account_id BLOB NOT NULL CHECK (length(account_id) = 16),
  sid        BLOB NOT NULL CHECK (length(sid) = 32),
  ts_ms      INTEGER NOT NULL,
  reason     TEXT NOT NULL
);

CREATE TABLE epoch (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  id       BLOB NOT NULL CHECK (length(id) = 16)
);
INSERT INTO epoch (only_row, id) VALUES (1, randomblob(16));
)sql";

constexpr std::string_view steps[] = {step_1, step_2, step_3};

}  // namespace

// "obsC"
const schema catalog_schema = {"catalog", 0x6f627343, steps};

}  // namespace obsync::store
