import { Client } from 'pg'

export type Scans = Readonly<Record<string, number>>

/** How often the server read a whole table of more than 10,000 rows, by table, since it was started. */
export const sequentialScans = async (url: string): Promise<Scans> => {
  const client = new Client({ connectionString: url.split('?')[0] ?? url })
  await client.connect()
  try {
    const schema = new URL(url).searchParams.get('schema') ?? 'handset'
    // Each connection reports its figures when it has been idle for a while, and at the latest when it is asked.
    const { rows } = await client.query(
      'SELECT relname, seq_scan FROM pg_stat_user_tables WHERE schemaname = $1 AND n_live_tup > 10000',
      [schema],
    )
    return Object.fromEntries(rows.map(({ relname, seq_scan }) => [String(relname), Number(seq_scan)]))
  } finally {
    await client.end()
  }
}
