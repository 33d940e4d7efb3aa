/** Tables of the first migration that PostgreSQL has as well; never edited either. */
export const FIRST_TABLES = `
  CREATE TABLE settings (
    workspace TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (workspace, name)
  ) STRICT;
  CREATE TABLE rps (
    workspace TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, rp_id TEXT NOT NULL, origins TEXT NOT NULL,
    handle_key TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (workspace, id)
  ) STRICT;
  CREATE TABLE access_keys (
    workspace TEXT NOT NULL, id TEXT NOT NULL, rp TEXT NOT NULL, secret TEXT NOT NULL, state TEXT NOT NULL,
    created_at INTEGER NOT NULL, PRIMARY KEY (workspace, id)
  ) STRICT;
  CREATE TABLE accounts (
    workspace TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, phone TEXT NOT NULL, proof_hash TEXT,
    created_at INTEGER NOT NULL, PRIMARY KEY (workspace, id), UNIQUE (workspace, phone)
  ) STRICT;
  CREATE TABLE devices (
    workspace TEXT NOT NULL, id TEXT NOT NULL, account TEXT NOT NULL, name TEXT NOT NULL, token_hash TEXT NOT NULL,
    push_count INTEGER NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (workspace, id), UNIQUE (workspace, token_hash)
  ) STRICT;
  CREATE INDEX devices_by_account ON devices (workspace, account);
  CREATE TABLE credentials (
    workspace TEXT NOT NULL, id TEXT NOT NULL, rp TEXT NOT NULL, user_id TEXT NOT NULL, name TEXT NOT NULL,
    storage TEXT NOT NULL, account TEXT NOT NULL, device TEXT NOT NULL, public_key TEXT NOT NULL,
    algorithm INTEGER NOT NULL, counter INTEGER NOT NULL, aaguid TEXT NOT NULL, attestation_format TEXT NOT NULL,
    transports TEXT NOT NULL, backup_eligible INTEGER NOT NULL, backup_state INTEGER NOT NULL,
    user_verified INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (workspace, rp, id)
  ) STRICT;
  CREATE INDEX credentials_by_user ON credentials (workspace, rp, user_id);
  CREATE TABLE pushes (
    workspace TEXT NOT NULL, device TEXT NOT NULL, n INTEGER NOT NULL, msg_id TEXT NOT NULL, sent_at INTEGER,
    PRIMARY KEY (workspace, device, n)
  ) STRICT;
  CREATE INDEX pushes_by_message ON pushes (workspace, msg_id);
  CREATE TABLE vault (
    workspace TEXT NOT NULL, account TEXT NOT NULL, credential_id TEXT NOT NULL, etag TEXT NOT NULL,
    sealed TEXT NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (workspace, account, credential_id)
  ) STRICT;
  CREATE TABLE roots (
    workspace TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, certificate TEXT NOT NULL,
    created_at INTEGER NOT NULL, PRIMARY KEY (workspace, id)
  ) STRICT;
  CREATE TABLE snapshots (
    workspace TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, created_at INTEGER NOT NULL, content TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT;
`

/** Migrations in order; a released entry is never edited, and its number never reused. */
export const migrations: readonly string[] = [
  `
  -- Rows that are replaced as a whole come under another key than the workspace's id.
  CREATE TABLE workspaces (
    id TEXT PRIMARY KEY, created_at INTEGER NOT NULL, row_key TEXT
  ) STRICT;
  CREATE TABLE unused_rows (row_key TEXT PRIMARY KEY) STRICT;
  ${FIRST_TABLES}
  -- Verdicts lie apart from their messages, which have a number that no VACUUM changes.
  CREATE TABLE messages (
    rowid INTEGER PRIMARY KEY, workspace TEXT NOT NULL, id TEXT NOT NULL, rp TEXT NOT NULL, kind TEXT NOT NULL,
    method TEXT, user_id TEXT NOT NULL, username TEXT NOT NULL, display_name TEXT NOT NULL,
    credential_name TEXT NOT NULL, challenge TEXT NOT NULL, state TEXT NOT NULL, svc_user TEXT NOT NULL,
    error TEXT NOT NULL, device TEXT, account TEXT, public_key TEXT, answer_hash TEXT, credential_id TEXT,
    created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, delivered_at INTEGER, UNIQUE (workspace, id)
  ) STRICT;
  CREATE INDEX messages_by_expiry ON messages (workspace, expires_at);
  CREATE INDEX open_messages ON messages (workspace, expires_at) WHERE state IN ('init', 'bind');
  CREATE TABLE verdicts (message INTEGER PRIMARY KEY, verdict TEXT NOT NULL) STRICT;
  CREATE TRIGGER message_deleted AFTER DELETE ON messages BEGIN
    DELETE FROM verdicts WHERE message = old.rowid;
  END;
  CREATE VIEW whole_messages AS
    SELECT m.*, v.verdict FROM messages m LEFT JOIN verdicts v ON v.message = m.rowid;
  CREATE TRIGGER whole_message_made INSTEAD OF INSERT ON whole_messages BEGIN
    INSERT INTO messages (
      workspace, id, rp, kind, method, user_id, username, display_name, credential_name, challenge, state, svc_user,
      error, device, account, public_key, answer_hash, credential_id, created_at, expires_at, delivered_at
    ) VALUES (
      new.workspace, new.id, new.rp, new.kind, new.method, new.user_id, new.username, new.display_name,
      new.credential_name, new.challenge, new.state, new.svc_user, new.error, new.device, new.account,
      new.public_key, new.answer_hash, new.credential_id, new.created_at, new.expires_at, new.delivered_at
    );
    INSERT INTO verdicts (message, verdict) SELECT last_insert_rowid(), new.verdict WHERE new.verdict IS NOT NULL;
  END;
  `,
  'CREATE INDEX credentials_by_account ON credentials (workspace, account)',
]
