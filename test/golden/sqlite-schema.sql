-- user_version 3
CREATE TABLE batch (
  batch INTEGER PRIMARY KEY,
  first_position INTEGER NOT NULL,
  events INTEGER NOT NULL,
  digest TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;

CREATE TABLE beat (
  run_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (run_id, task_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE blob (sha256 TEXT PRIMARY KEY, bytes BLOB, codec TEXT NOT NULL, size INTEGER NOT NULL) STRICT;

CREATE TABLE blob_ref (
  run INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (run, sha256)
) STRICT, WITHOUT ROWID;

CREATE TABLE dedupe (
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  payload TEXT NOT NULL,
  run_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  answer TEXT NOT NULL,
  at TEXT NOT NULL,
  UNIQUE (scope, key)
) STRICT;

CREATE TABLE home (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  folder TEXT NOT NULL,
  file TEXT NOT NULL
) STRICT;

CREATE TABLE inbox (
  item INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  key TEXT NOT NULL,
  kind TEXT NOT NULL,
  title TEXT NOT NULL,
  question TEXT NOT NULL,
  expires_at INTEGER,
  asked TEXT NOT NULL,
  answered TEXT
) STRICT;

CREATE TABLE journal (
  position INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  key TEXT,
  epoch INTEGER,
  hash TEXT NOT NULL
) STRICT;

CREATE TABLE process (
  run_id TEXT NOT NULL,
  handoff TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  worker TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started TEXT NOT NULL,
  pid_namespace TEXT,
  PRIMARY KEY (run_id, handoff, attempt, pid)
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  version INTEGER NOT NULL,
  head TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  owner TEXT,
  host TEXT,
  status TEXT NOT NULL,
  title TEXT NOT NULL,
  agent TEXT,
  project TEXT,
  parent TEXT,
  owes INTEGER NOT NULL,
  wake_at INTEGER,
  waiting_for TEXT,
  ended INTEGER NOT NULL,
  cost_micro_usd INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  text_mark TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
, active_ms INTEGER NOT NULL DEFAULT 0, handoffs INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE run_event (
  run INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE run_text USING fts5 (title, text);

CREATE TABLE seal (
  position INTEGER PRIMARY KEY,
  batch INTEGER NOT NULL,
  hash TEXT NOT NULL,
  signature TEXT NOT NULL,
  at TEXT NOT NULL
) STRICT;

CREATE TABLE snapshot (
  run_id TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  machine_version INTEGER NOT NULL,
  state TEXT NOT NULL
) STRICT;

CREATE TABLE stub (position INTEGER PRIMARY KEY, hash TEXT NOT NULL) STRICT;

CREATE TABLE worker (
  id TEXT PRIMARY KEY,
  host TEXT NOT NULL,
  address TEXT,
  release TEXT NOT NULL,
  beat INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX inbox_open ON inbox (run_id, key) WHERE answered IS NULL;

CREATE INDEX inbox_waiting ON inbox (item) WHERE answered IS NULL;

CREATE INDEX process_of_worker ON process (worker);

CREATE INDEX run_owing ON run (owner) WHERE owes = 1;

CREATE INDEX run_owned ON run (owner) WHERE owner IS NOT NULL;

CREATE INDEX run_waking ON run (owner, wake_at) WHERE wake_at IS NOT NULL;
