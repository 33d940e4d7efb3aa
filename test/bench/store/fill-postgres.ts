import { Client } from 'pg'

export type Filling = { readonly credentials: number; readonly messages: number; readonly phones: number }

/**
 * Makes a schema as a large customer would have it, by SQL in the server: credentials of other users, two each, messages
 * that are under way, one in five of them bound, and phones with an account each. They belong to the RP that is there.
 */
export const fillPostgres = async (url: string, { credentials, messages, phones }: Filling): Promise<void> => {
  const client = new Client({ connectionString: url.split('?')[0] ?? url })
  const schema = new URL(url).searchParams.get('schema') ?? 'handset'
  await client.connect()
  try {
    const one = async (text: string): Promise<string> => String(Object.values((await client.query(text)).rows[0])[0])
    await client.query(`SET search_path TO ${schema}; SET maintenance_work_mem TO '256MB'`)
    const workspace = await one("SELECT row_key FROM workspaces WHERE id = 'main'")
    const rp = await one('SELECT id FROM rps ORDER BY rowid LIMIT 1')
    const now = Date.now()
    await client.query(
      `INSERT INTO credentials (workspace, id, rp, user_id, name, storage, account, device, public_key, algorithm, counter,
         aaguid, attestation_format, transports, backup_eligible, backup_state, user_verified, created_at, updated_at)
       SELECT $1::text, md5(i::text), $2::text, 'filler-' || (i / 2), 'Quiet Otter 42', 'chip', 'acc_filler', 'dev_filler',
         repeat(md5(i::text), 4), -7, i % 100, '00000000-0000-0000-0000-000000000000', 'none', '["internal"]', 0, 0, 1, $3, $3
       FROM generate_series(1, $4::bigint) AS i`,
      [workspace, rp, now, credentials],
    )
    await client.query(
      `INSERT INTO messages (workspace, id, rp, kind, user_id, username, display_name, credential_name, challenge, state,
         svc_user, error, device, account, created_at, expires_at)
       SELECT $1::text, md5(i::text), $2::text, 'registration', 'filler-' || i, 'Filler', 'Filler', 'Quiet Otter 42',
         md5(i::text), CASE WHEN i % 5 = 0 THEN 'bind' ELSE 'init' END, '', '', NULL, NULL, $3::bigint, $3::bigint + 3600000 + i
       FROM generate_series(1, $4::bigint) AS i`,
      [workspace, rp, now, messages],
    )
    await client.query(
      `INSERT INTO accounts (workspace, id, name, phone, created_at)
       SELECT $1::text, 'acc_filler' || i, 'Filler', '+990' || i, $2::bigint FROM generate_series(1, $3::bigint) AS i`,
      [workspace, now, phones],
    )
    await client.query(
      `INSERT INTO devices (workspace, id, account, name, token_hash, push_count, created_at)
       SELECT $1::text, 'dev_filler' || i, 'acc_filler' || i, 'Filler', md5(i::text), 0, $2::bigint
       FROM generate_series(1, $3::bigint) AS i`,
      [workspace, now, phones],
    )
    await client.query('VACUUM ANALYZE')
    await client.query('CHECKPOINT')
  } finally {
    await client.end()
  }
}
