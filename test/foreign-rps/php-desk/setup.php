<?php
// Makes the empty database. `run` calls it once, before the server has workers that could collide.
declare(strict_types=1);

require __DIR__ . '/store.php';

db()->exec('PRAGMA journal_mode = WAL');
db()->exec(<<<'SQL'
CREATE TABLE counter (next INTEGER NOT NULL);
INSERT INTO counter VALUES (10001);
CREATE TABLE accounts (
  number  INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL,
  name    TEXT NOT NULL UNIQUE
);
CREATE TABLE passkeys (
  number        INTEGER NOT NULL,
  credential_id TEXT NOT NULL,
  name          TEXT NOT NULL,
  PRIMARY KEY (number, credential_id)
);
CREATE TABLE attempts (
  id         TEXT PRIMARY KEY,
  purpose    TEXT NOT NULL,              -- register, add or signin
  method     TEXT NOT NULL,              -- qrcode or push
  number     INTEGER NOT NULL,
  user_id    TEXT NOT NULL,
  name       TEXT NOT NULL,
  msg_id     TEXT NOT NULL UNIQUE,       -- a service that gives one message twice is refused
  url        TEXT NOT NULL,
  expires_ms INTEGER NOT NULL,
  state      TEXT NOT NULL,              -- pending, success or failed
  confirming INTEGER NOT NULL DEFAULT 0, -- 1: the service said success, the new passkey is still to be seen
  note       TEXT NOT NULL DEFAULT '',
  misses     INTEGER NOT NULL DEFAULT 0,
  next_ms    INTEGER NOT NULL,           -- no poll before
  busy_ms    INTEGER NOT NULL DEFAULT 0  -- a poll is under way until then at the latest
);
SQL);
