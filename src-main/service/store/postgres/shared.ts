import type { InboxRef, PendingEvent, SharedStore, Signals } from '../store.ts'
import { IS_OPEN } from '../tables.ts'
import type { Database } from './database.ts'
import type { RowKeys } from './row-keys.ts'

/** Sets a new version, so that other processes read the setting again. */
const andVersion = (made: string): string =>
  `WITH made AS (${made} RETURNING 1), changed AS (
    UPDATE workspaces SET version = nextval('versions') WHERE row_key = ? AND EXISTS (SELECT 1 FROM made)
  ) SELECT count(*) AS n FROM made`
const MAKE_SETTING = andVersion(`INSERT INTO settings (value, workspace, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`)
const REPLACE_SETTING = andVersion('UPDATE settings SET value = ? WHERE workspace = ? AND name = ? AND value = ?')

/** Uses the database's clock, which all processes share. */
const TAKE_BENCH = `INSERT INTO bench AS b (id, host, pid, seen_at) VALUES (?, ?, ?, now()) ON CONFLICT (one) DO UPDATE
  SET id = excluded.id, host = excluded.host, pid = excluded.pid, seen_at = excluded.seen_at
  WHERE b.id = excluded.id OR b.seen_at < now() - make_interval(secs => ?) RETURNING id, host, pid, seen_at::text AS seen`

/** One statement, since a process closes and opens inboxes all the time. */
const WRITE_LISTENERS = `WITH here AS (INSERT INTO processes (id, seen_at) VALUES (?, now()) ON CONFLICT DO NOTHING),
  gone AS (DELETE FROM listeners WHERE process = ?
    AND (workspace, device) IN (SELECT * FROM unnest(?::text[], ?::text[])))
  INSERT INTO listeners (process, workspace, device) SELECT ?::text, * FROM unnest(?::text[], ?::text[])
  ON CONFLICT DO NOTHING`
/** Also removes killed processes and their inboxes. */
const STAY = `WITH stays AS (UPDATE processes SET seen_at = now() WHERE id = ? RETURNING 1),
  dead AS (DELETE FROM processes WHERE seen_at < now() - interval '1 minute' AND id <> ? RETURNING id),
  gone AS (DELETE FROM listeners WHERE process IN (SELECT id FROM dead))
  SELECT count(*) AS n FROM stays`
const LISTENING = `SELECT DISTINCT l.device FROM listeners l JOIN processes p ON p.id = l.process
  WHERE l.workspace = ? AND p.seen_at > now() - make_interval(secs => ?)`

/** The values of one column, for `unnest`. */
const columnOf = <R extends object>(rows: readonly R[], column: keyof R): readonly string[] =>
  rows.map((row) => String(row[column]))

export const sharedStore = (
  { ask, transaction, pool }: Database,
  { keys, signals, id }: { readonly keys: RowKeys; readonly signals: Signals; readonly id: string },
): SharedStore => ({
  pool,

  // The first process gets 0, like the first start of a data directory.
  countBoot: async () => Number((await ask("SELECT nextval('boots') - 1 AS before")).rows[0]?.before),

  heads: keys.heads,

  changeSetting: async (workspace, name, change) => {
    const key = keys.of(workspace)
    for (;;) {
      const [row] = (await ask('SELECT value FROM settings WHERE workspace = ? AND name = ?', [key, name])).rows
      const value = change(row === undefined ? undefined : JSON.parse(String(row.value)))
      if (value === undefined) return false
      const made =
        row === undefined
          ? await ask(MAKE_SETTING, [JSON.stringify(value), key, name, key])
          : await ask(REPLACE_SETTING, [JSON.stringify(value), key, name, String(row.value), key])
      if (made.rows[0]?.n === 1) return true
    }
  },

  countRequest: async (workspace, { accessKey, minute }) => {
    const text = `INSERT INTO request_counts AS c (workspace, access_key, minute, n) VALUES (?, ?, ?, 1)
      ON CONFLICT (workspace, access_key) DO UPDATE
      SET minute = excluded.minute, n = CASE WHEN c.minute = excluded.minute THEN c.n + 1 ELSE 1 END RETURNING n`
    return Number((await ask(text, [keys.of(workspace), accessKey, minute])).rows[0]?.n)
  },

  events: {
    append: async (events) => {
      const columns = (['workspace', 'wall', 'bench', 'draft'] as const).map((column) => columnOf(events, column))
      const text = `INSERT INTO pending_events (workspace, wall, bench, draft)
        SELECT * FROM unnest(?::text[], ?::bigint[], ?::bigint[], ?::text[])`
      await ask(text, columns)
    },
    take: async (limit) => {
      // A reader that polls often must not write if nothing is new.
      if ((await ask('SELECT 1 FROM pending_events ORDER BY id LIMIT 1')).rows.length === 0) return []
      const first = 'SELECT id FROM pending_events ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED'
      // A transaction, because the store keeps a copy of a single statement's answer, and there may be many events.
      const { rows } = await transaction((asking) =>
        asking(`DELETE FROM pending_events WHERE id = ANY(ARRAY(${first})) RETURNING *`, [limit]),
      )
      return (rows as readonly (PendingEvent & { readonly id: number })[]).toSorted((a, b) => a.id - b.id)
    },
  },

  bench: {
    id,
    take: async ({ host, pid }, seconds) => {
      for (;;) {
        const taken = await ask(TAKE_BENCH, [id, host, pid, seconds])
        const [row] =
          taken.rows.length > 0 ? taken.rows : (await ask('SELECT *, seen_at::text AS seen FROM bench')).rows
        // Without a row, the holder has just released the place: try again.
        if (row !== undefined) {
          return { id: String(row.id), host: String(row.host), pid: Number(row.pid), seen: String(row.seen) }
        }
      }
    },
    release: async (holder) => {
      await ask('DELETE FROM bench WHERE id = ?', [holder])
    },
  },

  listeners: {
    write: async ({ opened, closed }) => {
      const columns = (inboxes: readonly InboxRef[]) => [columnOf(inboxes, 'workspace'), columnOf(inboxes, 'device')]
      await ask(WRITE_LISTENERS, [id, id, ...columns(closed), id, ...columns(opened)])
    },
    stay: async () => Number((await ask(STAY, [id, id])).rows[0]?.n) === 1,
    of: async (workspace, seconds) =>
      new Set((await ask(LISTENING, [workspace, seconds])).rows.map(({ device }) => String(device))),
    leave: async () => {
      await ask('WITH gone AS (DELETE FROM listeners WHERE process = ?) DELETE FROM processes WHERE id = ?', [id, id])
    },
  },

  phones: {
    // A device always belongs to the same phone, also after a restore.
    know: async (workspace, devices) => {
      await ask(
        `INSERT INTO phone_devices (workspace, device, phone) SELECT ?::text, * FROM unnest(?::text[], ?::text[])
         ON CONFLICT DO NOTHING`,
        [workspace, columnOf(devices, 'device'), columnOf(devices, 'phone')],
      )
    },
    isDevice: async (workspace, { phone, device }) => {
      const text = 'SELECT 1 FROM phone_devices WHERE workspace = ? AND device = ? AND phone = ?'
      return (await ask(text, [workspace, device, phone])).rows.length > 0
    },
  },

  expiries: async () => {
    // Each subquery reads only the first entry of an index, however many messages are open.
    const first = `SELECT min(expires_at) FROM messages WHERE workspace = w.row_key AND ${IS_OPEN}`
    const { rows } = await ask(`SELECT w.id, (${first}) AS at FROM workspaces w`)
    return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[String(id), Number(at)]])))
  },

  withNews: async (inboxes) => {
    const text = `SELECT i.workspace, i.device, d.push_count AS last FROM unnest(?::text[], ?::text[], ?::text[], ?::bigint[])
        AS i (workspace, row_key, device, after)
      LEFT JOIN devices d ON d.workspace = i.row_key AND d.id = i.device
      WHERE d.id IS NULL OR d.push_count > i.after`
    const workspaces = columnOf(inboxes, 'workspace')
    const places = [columnOf(inboxes, 'device'), columnOf(inboxes, 'after')]
    const { rows } = await ask(text, [workspaces, workspaces.map(keys.of), ...places])
    return rows.map(({ workspace, device, last }) => ({
      workspace: String(workspace),
      device: String(device),
      last: last === null ? undefined : Number(last),
    }))
  },

  signals,

  now: async () => {
    const text = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now'
    return Number((await ask(text)).rows[0]?.now)
  },

  ping: async () => {
    await ask('SELECT 1')
  },
})
