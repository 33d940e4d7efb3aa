import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { realClock } from '../../../src-main/bench/harness/clock.ts'
import { freePort } from '../../support/free-port.ts'
import { createChild } from '../../support/postgres/killed-child.ts'
import { startHaproxy } from '../../support/postgres/start-haproxy.ts'
import { startPostgres } from '../../support/postgres/start-postgres.ts'
import { msgIdOf, rpClient } from '../../support/service/rp-client.ts'
import { softPhone } from '../../support/service/soft-phone.ts'
import type { Site } from '../callers.ts'
import { KEY, RP_ID } from '../cast.ts'
import { callForEver, Gone } from '../crash-load.ts'
import { count, look } from '../crash-rounds.ts'
import { diceOf } from '../dice.ts'
import { emptyLedger } from '../ledger.ts'

const WORKERS = 5
/** The rows are compared so often. */
const BLOWS_BETWEEN_LOOKS = 10

/**
 * Three service processes behind a balancer and a bench over one PostgreSQL, under load: again and again one of them is
 * killed, or the database is restarted. The load and the order of the blows come from the seed; what they hit does not.
 */
const processRounds = async ({ kills, restarts, seed }: Readonly<Record<'kills' | 'restarts' | 'seed', number>>) => {
  const started = performance.now()
  const dice = diceOf(seed)
  // What was committed must outlive a crash of the server, though not of the machine.
  const database = await startPostgres()
  if (typeof database === 'string') throw new Error(database)
  const folder = mkdtempSync(join(tmpdir(), 'handset-processes-'))
  const profile = join(folder, 'profile.json')
  writeFileSync(profile, JSON.stringify({ message_ttl_s: 3600 }))
  const ports = await Promise.all([1, 2, 3].map(freePort))
  const balancer = await startHaproxy(ports)
  const publicUrl = `http://localhost:${balancer.port}`
  const env = { HANDSET_STORE: `${database.url}?pool=5` }
  const services = ports.map((port, n) =>
    createChild(`service ${n + 1}`, {
      env,
      args: ['--role', 'service', '--port', String(port), '--public-url', publicUrl],
    }),
  )
  const own = ['--rp-id', RP_ID, '--origin', 'https://shop.example', '--profile', profile]
  const bench = createChild('bench', {
    env,
    args: [
      ...['--role', 'bench', '--port', String(await freePort()), '--service-url', publicUrl],
      ...['--data', join(folder, 'phones'), '--access-key', `${KEY.accessKeyId}:${KEY.secretKey}`, ...own],
    ],
  })
  const all = [...services, bench]
  const problems: string[] = []
  const acknowledged = { messages: 0, results: 0, credentials: 0, pushes: 0 }
  const ledger = emptyLedger()
  let answers = 0
  let refused = 0
  let stopping = false
  let expected = { left: 0, done: (): void => undefined }
  const heard = (): void => {
    if (stopping) throw new Gone('stopped')
    answers += 1
    expected.left -= 1
    if (expected.left === 0) expected.done()
  }

  try {
    await bench.start()
    await Promise.all(services.map((service) => service.start()))
    const service = { port: balancer.port, token: '', key: KEY }
    const benchSite = () => ({
      port: Number(new URL(bench.ready().control_url ?? '').port),
      token: bench.ready().token ?? '',
      key: KEY,
    })
    const pushes = await watchPushes(service)
    let workers = 0
    /** What the processes wrote about an answer that says so. */
    const logOf = (reason: unknown): string => {
      const id = /req_\w+/.exec(String(reason))?.[0]
      const lines = all.flatMap((child) => child.stderr().split('\n'))
      return id === undefined ? '' : lines.filter((line) => line.includes(id)).join('\n')
    }
    const work = async (): Promise<void> => {
      while (!stopping) {
        const worker = { name: `w${++workers}`, site: service, ledger, dice: dice.fork(), heard, mayBeRefused: true }
        try {
          await callForEver(worker)
        } catch (reason) {
          if (!(reason instanceof Gone)) problems.push(`${reason} ${logOf(reason)}`)
          refused += 1
        }
        await pause(20)
      }
    }
    const load = async (blows: readonly (() => Promise<void>)[]): Promise<void> => {
      stopping = false
      const running = Promise.all([...Array.from({ length: WORKERS }, work), pushes.send(() => stopping)])
      for (const blow of blows) {
        const enough = new Promise<void>((done) => {
          expected = { left: 20 + dice.below(150), done }
        })
        await enough
        await blow()
      }
      stopping = true
      await running
    }

    const kill = async (): Promise<void> => {
      const victim = dice.pick(all)
      await victim.kill()
      await victim.start()
    }
    const restart = async (): Promise<void> => {
      await database.halt(dice.chance(0.5) ? 'fast' : 'immediate')
      await database.start()
    }
    const blows = shuffled([...Array(kills).fill(kill), ...Array(restarts).fill(restart)], dice.below)
    for (let n = 0; n < blows.length; n += BLOWS_BETWEEN_LOOKS) {
      await load(blows.slice(n, n + BLOWS_BETWEEN_LOOKS))
      const found = [...(await look(benchSite(), ledger, service)), ...(await pushes.problems())]
      problems.push(...found.map((problem) => `after ${n + BLOWS_BETWEEN_LOOKS}: ${problem}`))
    }
    count(acknowledged, ledger)
    acknowledged.pushes = pushes.acknowledged()
    pushes.close()
    for (const child of [...services, bench]) {
      const code = await child.stop()
      if (code !== 0) problems.push(`the end of ${child.name}: ${code} ${child.stderr()}`)
    }
  } finally {
    await Promise.all(all.map((child) => child.kill()))
    await balancer.stop()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { acknowledged, answers, refused, problems, tookMs: performance.now() - started }
}

const shuffled = <T>(items: readonly T[], below: (limit: number) => number): readonly T[] => {
  const left = [...items]
  const order: T[] = []
  while (left.length > 0) order.push(...left.splice(below(left.length), 1))
  return order
}

const EVERY_MS = 50
const PATIENCE_MS = 20_000

/** A phone whose inbox is opened again whenever it ends, from where it ended, and an RP that pushes to it. */
const watchPushes = async ({ port, key }: Site) => {
  const running = { port, prefix: '/fido', wall: realClock }
  const rp = rpClient(running, { key: { id: key.accessKeyId, secret: key.secretKey }, workspace: 'main' })
  const phone = await softPhone(running, { account: { name: 'Watcher', phone: '13900000001' } })
  await phone.register(msgIdOf(await rp.register('watched')))
  const sent = new Set<string>()
  const came: string[] = []
  let closed = false
  let last: string | undefined
  let stop = (): void => undefined

  const listen = async (): Promise<void> => {
    while (!closed) {
      const inbox = await phone.inbox(last).catch(() => undefined)
      if (inbox?.status === 200) {
        stop = inbox.close
        let open = true
        void inbox.ended.then(() => {
          open = false
        })
        while (open && !closed) {
          const event = await Promise.race([inbox.next(), inbox.ended])
          if (event === undefined) break
          last = event.id
          came.push(String(event.data.msg_id))
        }
      }
      inbox?.close()
      await pause(EVERY_MS)
    }
  }
  void listen()

  return {
    send: async (isOver: () => boolean): Promise<void> => {
      while (!isOver()) {
        const answer = await rp.authenticate('watched', 'push').catch(() => undefined)
        if (answer?.json?.code === 0) sent.add(msgIdOf(answer))
        await pause(EVERY_MS)
      }
    },
    acknowledged: () => sent.size,
    /** Once all had time to come. */
    problems: async (): Promise<readonly string[]> => {
      const missing = () => [...sent].filter((id) => !came.includes(id))
      for (const until = performance.now() + PATIENCE_MS; missing().length > 0 && performance.now() < until; ) {
        await pause(EVERY_MS)
      }
      const twice = came.filter((id, n) => came.indexOf(id) !== n)
      return [
        ...missing().map((id) => `push of ${id} was acknowledged and never came`),
        ...twice.map((id) => `push of ${id} came twice`),
      ]
    },
    close: (): void => {
      closed = true
      stop()
    },
  }
}

/** npm run crash:processes [-- --kills 50 --restarts 10 --seed 1] */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    restarts: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
  },
})
const [kills, restarts] = [Number(values.kills), Number(values.restarts)]
const { acknowledged, answers, refused, problems, tookMs } = await processRounds({
  kills,
  restarts,
  seed: Number(values.seed),
})
for (const problem of problems) console.error(problem)
console.log(
  `${kills} kills of a process and ${restarts} restarts of the database under load, in ${(tookMs / 1000).toFixed(0)} s. ` +
    `${answers} answers, ${refused} callers cut off or refused. Acknowledged: ${acknowledged.messages} messages, ` +
    `${acknowledged.results} results, ${acknowledged.credentials} credentials, ${acknowledged.pushes} pushes. ` +
    `${problems.length} of them missing, doubled or impossible.`,
)
process.exit(problems.length === 0 ? 0 : 1)
