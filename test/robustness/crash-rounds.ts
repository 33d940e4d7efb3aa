import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import { callersOf, type Site } from './callers.ts'
import { good } from './cast.ts'
import { callForEver, clickForEver, Gone } from './crash-load.ts'
import { type Dice, diceOf } from './dice.ts'
import { disagreements, emptyLedger, type Ledger } from './ledger.ts'
import { launch, type Served, serve } from './served.ts'

/** Rows are looked at one by one after each round, so now and then they are cleared. */
const ROUNDS_BETWEEN_RESETS = 3

/**
 * Kills `handset serve --data` under load, again and again on the same data directory, and holds what is left against
 * what was acknowledged. The load and the moments of the kills come from the seed; what the kills hit does not.
 */
export const crashRounds = async ({ rounds, seed }: { readonly rounds: number; readonly seed: number }) => {
  const started = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'handset-crash-'))
  const profile = join(folder, 'profile.json')
  writeFileSync(profile, JSON.stringify({ message_ttl_s: 3600 }))
  const data = join(folder, 'data')
  const args = ['--data', data, '--profile', profile]
  const dice = diceOf(seed)
  const problems: string[] = []
  /** Before a kill, and looked for after it. */
  const acknowledged = { messages: 0, results: 0, credentials: 0 }
  let ledger = emptyLedger()
  /** Kills while the bench was still starting. */
  let early = 0
  try {
    for (let round = 1; round <= rounds; round++) {
      if (dice.chance(0.2)) {
        early += 1
        await killWhileStarting(args, dice)
      }
      const served = await serve({ args })
      const found = await look(served, ledger)
      problems.push(...found.map((problem) => `round ${round}: ${problem}`))
      if (round % ROUNDS_BETWEEN_RESETS === 0) {
        count(acknowledged, ledger)
        const { control, send } = callersOf(served)
        good(await send(control('POST', '/reset', {})))
        ledger = emptyLedger()
      }
      problems.push(...(await loadAndKill(served, { round, ledger, dice })))
    }
    const served = await serve({ args })
    problems.push(...(await look(served, ledger)))
    count(acknowledged, ledger)
    const code = await served.stop()
    if (code !== 0 || served.stderr() !== '') problems.push(`the last end: ${code} ${served.stderr()}`)
    for (const file of ['handset.db', 'phones.db']) {
      const db = new Database(join(data, file))
      const state = db.pragma('integrity_check', { simple: true })
      if (state !== 'ok') problems.push(`${file}: ${state}`)
      db.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { early, acknowledged, problems, tookMs: performance.now() - started }
}

const killWhileStarting = async (args: readonly string[], dice: Dice): Promise<void> => {
  const { child, ended } = launch({ args })
  await delay(dice.below(600))
  child.kill('SIGKILL')
  await ended
}

const loadAndKill = async (
  served: Served,
  { round, ledger, dice }: { readonly round: number; readonly ledger: Ledger; readonly dice: Dice },
): Promise<readonly string[]> => {
  // The kill comes with an answer, not with a time: however slow the machine is, so much was acknowledged before.
  const { promise: enough, resolve: stop } = Promise.withResolvers<void>()
  let left = 20 + dice.below(400)
  const heard = (): void => {
    left -= 1
    if (left === 0) stop()
  }
  const worker = (n: number) => ({ name: `r${round}w${n}`, site: served, ledger, dice: dice.fork(), heard })
  const work = [1, 2, 3, 4, 5].map((n) => callForEver(worker(n)))
  const ends = Promise.allSettled([...work, clickForEver(worker(6))])
  await Promise.race([enough, ends])
  await served.kill()
  const reasons = (await ends).map((end) => (end.status === 'rejected' ? end.reason : undefined))
  return reasons.filter((reason) => !(reason instanceof Gone)).map((reason) => `round ${round}: ${reason}`)
}

/** What is stored, held against what was acknowledged. RPs and phones ask the service, which may be elsewhere. */
export const look = async (bench: Site, ledger: Ledger, service: Site = bench): Promise<readonly string[]> => {
  const { control, send: sendToBench, all: allToBench } = callersOf(bench)
  const { app, rp, send, all } = callersOf(service)
  const { phones } = good(await sendToBench(control('GET', '/phones'))).json.data
  const synced = phones.map(({ id }: { id: string }) => control('POST', `/phones/${id}/sync`, {}))
  const seen = (await allToBench(synced)).map((answer) => good(answer).json.data)
  const exported = good(await sendToBench(control('GET', '/export'))).json.data
  const problems = [...disagreements(exported, seen, ledger)]
  // And as those see it who were told.
  const read = [...ledger.messages].filter(([, facts]) => facts.read === true).slice(-20)
  const again = await all(
    read.map(([id, { kind }]) =>
      rp('GET', `/rp/${kind === 'registration' ? 'attestation' : 'assertion'}/result?id=${id}`),
    ),
  )
  for (const { json, text } of again) if (json.code !== 41001) problems.push(`a result was told twice: ${text}`)
  for (const { token, presence } of [...ledger.devices.values()].slice(-10)) {
    const { json } = await send(app(token, 'GET', '/vault'))
    const expected = presence === 'there' ? [0] : presence === 'gone' ? [40110] : [0, 40110]
    if (!expected.includes(json.code)) problems.push(`a device that is ${presence} gets ${json.code}`)
  }
  return problems
}

export const count = (sum: { messages: number; results: number; credentials: number }, ledger: Ledger): void => {
  sum.messages += ledger.messages.size
  sum.results += [...ledger.messages.values()].filter(({ read }) => read === true).length
  sum.credentials += [...ledger.credentials.values()].filter((presence) => presence === 'there').length
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** npm run crash [-- --rounds 50 --seed 1] */
if (import.meta.main) {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
  })
  const asked = { rounds: Number(values.rounds), seed: Number(values.seed) }
  const { early, acknowledged, problems, tookMs } = await crashRounds(asked)
  for (const problem of problems) console.error(problem)
  console.log(
    `${asked.rounds} kills under load and ${early} while starting, in ${(tookMs / 1000).toFixed(0)} s. ` +
      `Acknowledged before them: ${acknowledged.messages} messages, ${acknowledged.results} results, ` +
      `${acknowledged.credentials} credentials. ${problems.length} of them missing or impossible.`,
  )
  process.exit(problems.length === 0 ? 0 : 1)
}
