import { parseArgs } from 'node:util'
import { type Callers, callersOf, hostOf } from '../callers.ts'
import { openRegistration, straightPath } from '../cast.ts'
import { type Dice, diceOf } from '../dice.ts'
import { type Heard, listenOn } from '../listen-on.ts'
import { memoryMib, serve } from '../served.ts'
import { connected, requestBytes } from '../wire.ts'

/**
 * npm run attack [-- --requests 120000 --seed 1]: good, bad, pipelined, half-open, slow and hostile requests in turn, at
 * `handset serve` with a heap of 200 MB. Its memory must be level, and no answer a 5xx.
 */
const { values } = parseArgs({
  options: { requests: { type: 'string', default: '120000' }, seed: { type: 'string', default: '1' } },
})
const REQUESTS = Number(values.requests)
const LANES = 12
/** Connections that say nothing more, kept by each lane. */
const SLOW = 20
/** Growth of the resident memory from the first half of the requests to the end. */
const LEVEL_MIB = 64

type Lane = { readonly callers: Callers; readonly port: number; readonly dice: Dice; readonly message: string }
type Kind = { readonly weight: number; readonly requests: number; attack(lane: Lane): Promise<Heard | undefined> }

const text = (octets: string): Buffer => Buffer.from(octets, 'latin1')
const poll = ({ callers, message }: Lane): Buffer =>
  requestBytes(callers.rp('GET', `/rp/attestation/result?msg_id=${message}`))
const openApi = ({ port }: Lane): Buffer =>
  text(`GET /control/v1/openapi.json HTTP/1.1\r\nHost: ${hostOf(port)}\r\n\r\n`)
const repeated = (octets: Buffer, times: number): Buffer => Buffer.concat(Array.from({ length: times }, () => octets))
const reset = async (port: number, octets: Buffer): Promise<undefined> => {
  const socket = await connected(port)
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.write(octets, resolve))
  socket.resetAndDestroy()
}

const kinds: Readonly<Record<string, Kind>> = {
  good: { weight: 40, requests: 10, attack: (lane) => listenOn(lane.port, repeated(poll(lane), 10), { answers: 10 }) },
  registers: {
    weight: 2,
    requests: 1,
    attack: ({ callers, port, dice }) => {
      const user = { user_id: `u${dice.below(1_000)}`, username: 'u' }
      return listenOn(port, requestBytes(callers.rp('POST', '/rp/attestation/options', user)))
    },
  },
  bad: {
    weight: 10,
    requests: 1,
    attack: ({ callers, port, dice }) => {
      const body = Buffer.from(dice.pick(['{', '{"user_id":1}', `{"a":"${'x'.repeat(60_000)}"}`, '[]', 'null']))
      const strangers = callers.control('PUT', '/clock', {})
      const unknown = { ...strangers, headers: strangers.headers.filter(([name]) => name !== 'Authorization') }
      const signed = callers.signedBytes('POST', '/rp/attestation/options', body)
      return listenOn(port, requestBytes(dice.pick([signed, unknown, callers.app('nobody', 'POST', '/devices/x', {})])))
    },
  },
  'half-closed': { weight: 10, requests: 1, attack: (lane) => listenOn(lane.port, poll(lane), { end: true }) },
  'broken off': {
    weight: 10,
    requests: 1,
    attack: (lane) => {
      const octets = poll(lane)
      return listenOn(lane.port, octets.subarray(0, lane.dice.below(octets.length)), {
        cut: lane.dice.chance(0.5),
        end: true,
      })
    },
  },
  'pipelined, unread': { weight: 2, requests: 100, attack: (lane) => reset(lane.port, repeated(openApi(lane), 100)) },
  tunnels: {
    weight: 5,
    requests: 1,
    attack: ({ port }) => reset(port, text('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')),
  },
  noise: { weight: 8, requests: 1, attack: ({ port, dice }) => listenOn(port, dice.bytes(200), { end: true }) },
  'too large': {
    weight: 3,
    requests: 1,
    attack: ({ callers, port }) => {
      const request = callers.control('POST', '/import', {})
      const head = requestBytes({
        ...request,
        headers: [...request.headers, ['Content-Length', '900000000']],
        body: '',
      })
      return listenOn(port, head)
    },
  },
}

const bag = Object.entries(kinds).flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name))

const served = await serve({ args: ['--memory'], node: ['--max-old-space-size=200'] })
const { port } = served
const pid = served.child.pid ?? 0
const callers = callersOf(served)
const statuses: Record<string, number> = {}
const sent: Record<string, number> = {}
const memory: number[] = []
let total = 0
const started = performance.now()

const attackFrom = async (dice: Dice): Promise<void> => {
  const slow: Awaited<ReturnType<typeof connected>>[] = []
  while (total < REQUESTS && served.child.exitCode === null) {
    // Messages end after some minutes.
    const lane = { callers, port, dice, message: await openRegistration(callers, `lane-${dice.below(1_000)}`) }
    for (let n = 0; n < 50 && total < REQUESTS; n++) {
      const name = dice.pick(bag)
      const kind = kinds[name] as Kind
      total += kind.requests
      sent[name] = (sent[name] ?? 0) + kind.requests
      const heard = await kind.attack(lane)
      for (const { status } of heard?.answers ?? []) statuses[status] = (statuses[status] ?? 0) + 1
      if (memory.length < Math.floor((total / REQUESTS) * 8)) memory.push(Math.round(memoryMib(pid, 'VmRSS') ?? 0))
    }
    // One octet now, the rest never.
    const silent = await connected(port)
    silent.on('error', () => undefined)
    silent.write('G')
    slow.push(silent)
    if (slow.length > SLOW) slow.shift()?.destroy()
  }
  for (const socket of slow) socket.destroy()
}

const dice = diceOf(Number(values.seed))
const problems: string[] = []
await Promise.all(Array.from({ length: LANES }, () => attackFrom(dice.fork()))).catch((reason) =>
  problems.push(String(reason)),
)
await straightPath(callers, 'after-the-attack').catch((reason) => problems.push(String(reason)))
const seconds = (performance.now() - started) / 1000
const peak = memoryMib(pid, 'VmHWM')
for (const status of Object.keys(statuses))
  if (Number(status) >= 500) problems.push(`${statuses[status]} answers ${status}`)
const growth = (memory.at(-1) ?? 0) - Math.max(...memory.slice(0, 4))
if (growth > LEVEL_MIB) problems.push(`its memory grew by ${growth} MiB`)
if ((await served.stop()) !== 0) problems.push('it did not stop with exit code 0')
if (served.stderr() !== '') problems.push(`it logged: ${served.stderr().slice(0, 2_000)}`)

const list = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
console.log(`${total} requests in ${seconds.toFixed(0)} s: ${list(sent)}.`)
console.log(`Answers by status: ${list(statuses)}.`)
console.log(`Resident memory at each eighth: ${memory.join(', ')} MiB; at most ${peak?.toFixed(0) ?? 'unknown'} MiB.`)
for (const problem of problems) console.error(problem)
console.log(`${problems.length} problems.`)
process.exit(problems.length === 0 ? 0 : 1)
