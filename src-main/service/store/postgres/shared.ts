import type { InboxPosition, PendingEvent, SharedStore, Signals } from '../shared-store.ts'
import { OPEN } from '../statements.ts'
import type { Ask } from './database.ts'
import type { RowKeys } from './row-keys.ts'

export const sharedStore = (ask: Ask, keys: RowKeys, signals: Signals): SharedStore => ({
  // The first process has 0, as the first start of a data directory.
  countBoot: async () => Number((await ask("SELECT nextval('boots') - 1 AS before")).rows[0]?.before),

  heads: keys.heads,

  countRequest: async (workspace, { accessKey, minute }) => {
    const text = `INSERT INTO request_counts AS c (workspace, access_key, minute, n) VALUES (?, ?, ?, 1)
      ON CONFLICT (workspace, access_key) DO UPDATE
      SET minute = excluded.minute, n = CASE WHEN c.minute = excluded.minute THEN c.n + 1 ELSE 1 END RETURNING n`
    return Number((await ask(text, [keys.of(workspace), accessKey, minute])).rows[0]?.n)
  },

  events: {
    append: async (events) => {
      const column = (read: (event: PendingEvent) => string | number) => events.map((event) => String(read(event)))
      await ask(
        `INSERT INTO pending_events (workspace, wall, bench, draft)
         SELECT * FROM unnest(?::text[], ?::bigint[], ?::bigint[], ?::text[])`,
        [column((e) => e.workspace), column((e) => e.wall), column((e) => e.bench), column((e) => e.draft)],
      )
    },
    take: async (limit) => {
      const first = 'SELECT id FROM pending_events ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED'
      const { rows } = await ask(`DELETE FROM pending_events WHERE id IN (${first}) RETURNING *`, [limit])
      return (rows as readonly (PendingEvent & { readonly id: number })[]).toSorted((a, b) => a.id - b.id)
    },
  },

  expiries: async () => {
    const text = `SELECT w.id, min(m.expires_at) AS at FROM workspaces w JOIN messages m ON m.workspace = w.row_key
      WHERE m.${OPEN} GROUP BY w.id`
    return new Map((await ask(text)).rows.map(({ id, at }) => [String(id), Number(at)]))
  },

  stirred: async (inboxes) => {
    const text = `SELECT i.workspace, i.device, d.push_count AS last FROM unnest(?::text[], ?::text[], ?::text[], ?::bigint[])
        AS i (workspace, row_key, device, after)
      LEFT JOIN devices d ON d.workspace = i.row_key AND d.id = i.device
      WHERE d.id IS NULL OR d.push_count > i.after`
    const column = (read: (inbox: InboxPosition) => string | number) => inboxes.map((inbox) => String(read(inbox)))
    const { rows } = await ask(text, [
      column(({ workspace }) => workspace),
      column(({ workspace }) => keys.of(workspace)),
      column(({ device }) => device),
      column(({ after }) => after),
    ])
    return rows.map(({ workspace, device, last }) => ({
      workspace: String(workspace),
      device: String(device),
      last: last === null ? undefined : Number(last),
    }))
  },

  signals,

  ping: async () => {
    await ask('SELECT 1')
  },
})
