import Database from 'better-sqlite3'

/**
 * Makes a store as a large customer would have it, by SQL: credentials of other users, two each, and messages that are
 * under way, one in five of them bound. They belong to the RP that the service made.
 */
export const fillStore = (
  file: string,
  { credentials, messages }: { readonly credentials: number; readonly messages: number },
): void => {
  const db = new Database(file)
  const { id: rp } = db.prepare('SELECT id FROM rps LIMIT 1').get() as { readonly id: string }
  const now = Date.now()
  const numbers = 'WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)'
  db.transaction(() => {
    db.prepare(
      `INSERT INTO credentials (workspace, id, rp, user_id, name, storage, account, device, public_key, algorithm, counter,
         aaguid, attestation_format, transports, backup_eligible, backup_state, user_verified, created_at, updated_at)
       ${numbers}
       SELECT 'main', hex(randomblob(16)), ?, 'filler-' || (i / 2), 'Quiet Otter 42', 'chip', 'acc_filler', 'dev_filler',
         hex(randomblob(38)), -7, i % 100, '00000000-0000-0000-0000-000000000000', 'none', '["internal"]', 0, 0, 1, ?, ?
       FROM n`,
    ).run(credentials, rp, now, now)
    db.prepare(
      `INSERT INTO messages (workspace, id, rp, kind, user_id, username, display_name, credential_name, challenge, state,
         svc_user, error, device, account, created_at, expires_at)
       ${numbers}
       SELECT 'main', hex(randomblob(11)), ?, 'registration', 'filler-' || i, 'Filler', 'Filler', 'Quiet Otter 42',
         hex(randomblob(22)), iif(i % 5 = 0, 'bind', 'init'), iif(i % 5 = 0, 'Li Wei', ''), '',
         iif(i % 5 = 0, 'dev_filler', NULL), iif(i % 5 = 0, 'acc_filler', NULL), ?, ? + i
       FROM n`,
    ).run(messages, rp, now, now + 3_600_000)
  })()
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}
