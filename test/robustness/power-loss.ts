import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openStore, type Synchronous } from '../../src-main/service/store/open-store.ts'
import { startService } from '../support/service/start-service.ts'
import { callForEver } from './crash-load.ts'
import { diceOf } from './dice.ts'
import { emptyLedger, type Ledger } from './ledger.ts'

/**
 * What a loss of power may take, for docs/decisions: `node test/robustness/power-loss.ts`. Under load it takes copies of
 * what the disk is bound to hold at that moment: with synchronous FULL the database and its log, since each commit
 * waits for the log to be on disk; with NORMAL the database alone, since the log is only synced when it is written back
 * into it. Then it counts which acknowledged results are in no copy. At the end it commits one small write after the
 * other, in rounds that alternate: what a commit costs a caller who waits for it alone.
 */
const SECONDS = 10
const WORKERS = 8

const measure = async (synchronous: Synchronous) => {
  const folder = mkdtempSync(join(tmpdir(), 'handset-power-'))
  const path = join(folder, 'data')
  const running = await startService({ store: { kind: 'directory', path, synchronous } })
  const { key } = await running.makeRp()
  const ledger = emptyLedger()
  const site = { port: running.port, token: '', key: { accessKeyId: key.id, secretKey: key.secret } }
  const work = Array.from({ length: WORKERS }, (_, n) => callForEver({ name: `w${n}`, site, ledger, dice: diceOf(n) }))
  const ends = Promise.allSettled(work)
  const started = performance.now()
  const copies: { readonly file: string; readonly told: readonly string[] }[] = []
  while (performance.now() - started < SECONDS * 1000) {
    await new Promise((resolve) => setTimeout(resolve, 50 + (copies.length % 7) * 30))
    const copy = join(folder, `${copies.length}`)
    mkdirSync(copy)
    const file = join(copy, 'handset.db')
    copyFileSync(join(path, 'handset.db'), file)
    const log = join(path, 'handset.db-wal')
    if (synchronous === 'full' && existsSync(log)) copyFileSync(log, `${file}-wal`)
    copies.push({ file, told: readOf(ledger) })
  }
  const results = readOf(ledger).length
  await running.stop()
  await ends
  const lost = copies.map(missing)
  rmSync(folder, { recursive: true })
  return { synchronous, perSecond: results / SECONDS, copies: copies.length, lost }
}

const readOf = (ledger: Ledger): readonly string[] =>
  [...ledger.messages].flatMap(([id, { read }]) => (read === true ? [id] : []))

const missing = ({ file, told }: { readonly file: string; readonly told: readonly string[] }): number => {
  const db = new Database(file)
  // Before the log was first written back, not even the tables are there.
  const tables = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'messages'").all()
  const read = 'SELECT id FROM messages WHERE delivered_at IS NOT NULL'
  const there = new Set(tables.length === 0 ? [] : db.prepare(read).pluck().all())
  db.close()
  return told.filter((id) => !there.has(id)).length
}

// The first one runs cold: each is first and last once.
for (const synchronous of ['full', 'normal', 'normal', 'full'] as const) {
  const { perSecond, copies, lost } = await measure(synchronous)
  const sorted = lost.toSorted((a, b) => a - b)
  console.log(
    `${synchronous.padEnd(6)} ${perSecond.toFixed(0)} ceremonies/s; acknowledged results missing in ${copies} copies: ` +
      `median ${sorted[copies >> 1]}, most ${sorted.at(-1)}`,
  )
}

const COMMITS = 1000
const ROUNDS = 9

const oneRound = async (synchronous: Synchronous): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'handset-commits-'))
  const opened = await openStore({ kind: 'directory', path: join(folder, 'data'), synchronous })
  if (!opened.ok) throw new Error(opened.error.code)
  const { settings, close } = opened.value
  const took: number[] = []
  for (let n = 0; n < COMMITS; n++) {
    const from = performance.now()
    await settings.set('main', `document ${n % 50}`, { n })
    took.push((performance.now() - from) * 1000)
  }
  await close()
  rmSync(folder, { recursive: true })
  return took.toSorted((a, b) => a - b)[COMMITS >> 1] ?? 0
}

const medians: Record<Synchronous, number[]> = { full: [], normal: [] }
for (let round = 0; round < ROUNDS; round++) {
  for (const synchronous of ['full', 'normal'] as const) medians[synchronous].push(await oneRound(synchronous))
}
for (const [synchronous, rounds] of Object.entries(medians)) {
  const sorted = rounds.toSorted((a, b) => a - b).map(Math.round)
  console.log(`${synchronous.padEnd(6)} a commit: ${sorted[ROUNDS >> 1]} µs (${sorted[0]} – ${sorted.at(-1)})`)
}
process.exit(0)
