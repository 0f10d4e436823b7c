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
, disabled_ms INTEGER, delete_after_ms INTEGER);
INSERT INTO account VALUES(1,X'00000000000000000000000000000001','family',1000000,NULL,NULL,NULL,0,2,NULL,NULL);
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
, role INTEGER NOT NULL DEFAULT 0 CHECK (role IN (0, 1)));
INSERT INTO device VALUES(1,1,X'00000000000000000000000000000001',X'0000000000000000000000000000000000000000000000000000000000000001',1,0,1700,'laptop','linux','0.1.0',1000000,1700000,NULL,1700000,NULL,'192.0.2.1',NULL,0,0,0);
INSERT INTO device VALUES(2,1,X'00000000000000000000000000000002',X'0000000000000000000000000000000000000000000000000000000000000002',2,1,0,'old phone','android','1.1.5',1000000,NULL,NULL,NULL,NULL,NULL,NULL,0,0,1);
CREATE TABLE file (
  num       INTEGER PRIMARY KEY,
  account   INTEGER NOT NULL REFERENCES account (num),
  id        BLOB NOT NULL CHECK (length(id) = 16),
  domain    BLOB NOT NULL CHECK (length(domain) = 16),
  latest_ms INTEGER NOT NULL,
  heads     BLOB NOT NULL CHECK (length(heads) % 32 = 0)
);
INSERT INTO file VALUES(1,1,X'00000000000000000000000000000001',X'00000000000000000000000000000001',1700000,X'0000000000000000000000000000000000000000000000000000000000000002');
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
INSERT INTO version VALUES(1,1,1,1,X'0000000000000000000000000000000000000000000000000000000000000001',11,1,1600000,7,0,X'000000000000000000000001',X'',X'010203',X'000000000000000000000000000000000000000000000000000000000000004d');
INSERT INTO version VALUES(2,1,2,1,X'0000000000000000000000000000000000000000000000000000000000000002',12,1,1700000,9,0,X'000000000000000000000002',X'0000000000000000000000000000000000000000000000000000000000000001',X'040506',X'000000000000000000000000000000000000000000000000000000000000004e');
CREATE TABLE audit (
  num     INTEGER PRIMARY KEY,
  account INTEGER NOT NULL,
  ts_ms   INTEGER NOT NULL,
  device  INTEGER,
  event   TEXT NOT NULL,
  detail  TEXT NOT NULL
, account_id BLOB CHECK (length(account_id) = 16), device_id BLOB CHECK (length(device_id) = 16), operator_uid INTEGER);
INSERT INTO audit VALUES(1,1,1500000,NULL,'account_invited','quota_bytes=1000000000 expires_ms=2500000 name=anna',NULL,NULL,0);
CREATE TABLE invitation (
  num         INTEGER PRIMARY KEY,
  token_hash  BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  name        TEXT NOT NULL,
  quota_bytes INTEGER,
  created_ms  INTEGER NOT NULL,
  expires_ms  INTEGER NOT NULL,
  account     INTEGER UNIQUE REFERENCES account (num)
);
INSERT INTO invitation VALUES(1,X'00000000000000000000000000000000000000000000000000000000000000aa','anna',1000000000,1500000,2500000,NULL);
CREATE INDEX device_of_account ON device (account, id);
CREATE UNIQUE INDEX file_of_account ON file (account, id);
CREATE UNIQUE INDEX version_of_file ON version (file, id);
CREATE UNIQUE INDEX version_in_feed ON version (account, seq);
CREATE INDEX version_by_twin ON version (file, twin);
CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit BEGIN
  SELECT RAISE(ABORT, 'the audit table is append-only');
END;
CREATE TRIGGER audit_is_never_shortened BEFORE DELETE ON audit BEGIN
  SELECT RAISE(ABORT, 'the audit table is append-only');
END;
CREATE INDEX audit_of_account ON audit (account_id, num);
PRAGMA application_id = 1868723011;
PRAGMA user_version = 2;
