import { fork } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { callersOf } from './callers.ts'
import { good, KEY, straightPath } from './cast.ts'
import { type Dice, diceOf } from './dice.ts'
import { type Case, nextCase, type Source } from './fuzz-cases.ts'
import type { FuzzServerMessage } from './fuzz-server.ts'
import { makeStorm } from './fuzz-storm.ts'
import { makeWorld } from './fuzz-world.ts'
import { type Line, openLine } from './line.ts'
import { takeAnswer, type WireAnswer } from './wire.ts'

const LANES = 4
/** Nothing may take longer. */
const PATIENCE_MS = 15_000
/** Before this part of the requests, and before so many, the heap still grows for good reasons. */
const [WARM, LEAST_WARM] = [0.2, 400]
/** The workspace that the control interface is tried on is a new one after so many requests. */
const STORM_EVERY = 400

/** Requests that are nearly right, over real sockets, at a bench in a process of its own. */
export const fuzz = async ({ requests, seed }: { readonly requests: number; readonly seed: number }) => {
  const started = performance.now()
  const server = await startServer()
  /** How often each came, and how often the connection ended without an answer. */
  const codes: Record<string, number> = {}
  const problems: string[] = []
  const note: Note = (one, outcome) => {
    const seen = verdictOf(outcome)
    codes[seen.word] = (codes[seen.word] ?? 0) + 1
    if (seen.problem !== undefined) problems.push(`${one.label}: ${seen.problem} after ${show(one.octets)}`)
    return problems.length < 20 && server.alive()
  }
  const dice = diceOf(seed)
  const phase = async (name: string, count: number): Promise<number> => {
    const lanes = Array.from({ length: LANES }, (_, lane) =>
      runLane({ server, note, workspace: `${name}-${lane}`, dice: dice.fork(), count: Math.ceil(count / LANES) }),
    )
    await Promise.all(lanes)
    await tidy(server)
    const { heapBytes, errors } = await server.state()
    problems.push(...errors.map((error) => `logged: ${error}`))
    return heapBytes
  }
  try {
    const warm = await phase('warm', Math.max(requests * WARM, LEAST_WARM))
    const end = await phase('full', requests * (1 - WARM))
    // After all that, a user registers and signs in.
    await straightPath(mainOf(server))
    // The heap after garbage collection: when all was warm, and at the end.
    return { tookMs: performance.now() - started, codes, problems, heapBytes: { warm, end } }
  } finally {
    server.stop()
  }
}

type Outcome = { readonly answers: readonly WireAnswer[]; readonly how: 'answered' | 'closed' | 'cut' | 'silent' }
type Note = (one: Case, outcome: Outcome) => boolean

const runLane = async (lane: {
  readonly server: FuzzServer
  readonly note: Note
  readonly workspace: string
  readonly dice: Dice
  readonly count: number
}): Promise<void> => {
  const { server, note, workspace, dice, count } = lane
  const world = await makeWorld(server, { workspace, seed: 1 })
  const source: Source = { world, dice, waiting: undefined, known: new Map() }
  const line = openLine(server.port)
  for (let n = 0; n < count; n++) {
    if (n % STORM_EVERY === 0) source.known = await makeStorm(server, `storm-${workspace}`)
    const one = await nextCase(source)
    const outcome = one.mode === 'answer' ? await onLine(line, one) : await onItsOwn(server.port, one)
    if (!note(one, outcome)) break
    learn(source, one, outcome)
  }
  line.close()
  world.close()
}

/** Only a request that was no answer leaves the message waiting. */
const learn = (source: Source, one: Case, { answers }: Outcome): void => {
  const code = answers[0]?.json?.code
  if (one.label.startsWith('answer ') && !(code > 40000 && code < 40100)) source.waiting = undefined
}

const onLine = async (line: Line, { octets, method }: Case): Promise<Outcome> => {
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), PATIENCE_MS)
  try {
    const answer = await Promise.race([line.say(octets, method), late])
    if (answer !== 'late') return { answers: [answer], how: 'answered' }
    line.close()
    return { answers: [], how: 'silent' }
  } catch {
    return { answers: [], how: 'closed' }
  } finally {
    clearTimeout(timer)
  }
}

/** On a connection of its own, until it ends. */
export const onItsOwn = (port: number, { octets, method, mode }: Case): Promise<Outcome & { readonly heard: Buffer }> =>
  new Promise((resolve) => {
    let heard: Buffer = Buffer.alloc(0)
    const socket = connect({ host: '127.0.0.1', port })
    const done = (how: Outcome['how']): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ answers: answersIn(heard, method), how, heard })
    }
    const timer = setTimeout(() => done(mode === 'stream' ? 'cut' : 'silent'), mode === 'stream' ? 250 : PATIENCE_MS)
    socket.on('error', () => undefined)
    socket.on('close', () => done('closed'))
    socket.on('data', (chunk) => {
      heard = Buffer.concat([heard, chunk])
      if (mode === 'stream') done('cut')
    })
    if (mode === 'hang-up') socket.write(octets, () => done('cut'))
    else if (mode === 'end') socket.end(octets)
    else socket.write(octets)
  })

const answersIn = (heard: Buffer, method: string): readonly WireAnswer[] => {
  const taken = takeAnswer(heard, method)
  return taken === undefined ? [] : [taken.answer, ...answersIn(taken.rest, method)]
}

/** Asked for: trouble by order, an RP without its service, a transfer coding that no server needs to know. */
const ORDERED: ReadonlySet<unknown> = new Set([50301, 50401, 50101])

const verdictOf = ({ answers, how }: Outcome): { readonly word: string; readonly problem?: string } => {
  if (how === 'silent') return { word: 'silence', problem: 'neither an answer nor an end' }
  const [first] = answers
  if (first === undefined) return { word: how }
  for (const { status, headers, json, text } of answers) {
    const isJson = headers['content-type']?.startsWith('application/json') === true
    const code = json?.code
    if (status >= 500 && !ORDERED.has(code)) return { word: `${status}`, problem: `${status} ${text}` }
    if (!(status >= 200 && status < 600)) return { word: `${status}`, problem: `status ${status}` }
    const isEnvelope = typeof code === 'number' && typeof json.error === 'string' && 'data' in json
    const isDocument = json?.openapi !== undefined
    if (isJson && text !== '' && !isEnvelope && !isDocument) return { word: 'stray', problem: `no envelope: ${text}` }
  }
  return { word: String(first.json?.code ?? first.status) }
}

const show = (octets: Buffer): string => JSON.stringify(octets.toString('latin1').slice(0, 3000))

type FuzzServer = {
  readonly port: number
  readonly token: string
  readonly alive: () => boolean
  state(): Promise<Extract<FuzzServerMessage, { kind: 'state' }>>
  stop(): void
}

const startServer = async (): Promise<FuzzServer> => {
  const child = fork(join(import.meta.dirname, 'fuzz-server.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const next = <K extends FuzzServerMessage['kind']>(kind: K) =>
    new Promise<Extract<FuzzServerMessage, { kind: K }>>((resolve, reject) => {
      const heard = (message: unknown): void => {
        const told = message as FuzzServerMessage
        if (told.kind !== kind) return
        child.off('message', heard)
        resolve(told as Extract<FuzzServerMessage, { kind: K }>)
      }
      child.on('message', heard)
      child.once('close', (code, signal) => reject(new Error(`the bench ended with ${code ?? signal}`)))
    })
  const { port, token } = await next('ready')
  return {
    port,
    token,
    alive: () => child.exitCode === null && child.signalCode === null,
    state: () => {
      child.send('state')
      return next('state')
    },
    stop: () => child.kill('SIGKILL'),
  }
}

const mainOf = ({ port, token }: FuzzServer) => callersOf({ port, token, key: KEY })

/** Closes everything that the requests have made. */
const tidy = async (server: FuzzServer): Promise<void> => {
  const { control, send } = mainOf(server)
  const { workspaces } = good(await send(control('GET', '/workspaces'))).json.data
  for (const { id } of workspaces) {
    if (id === 'main') continue
    const answer = await send(control('DELETE', `/workspaces/${id}`))
    // A request that was cut off may close it meanwhile.
    if (answer.status !== 404) good(answer)
  }
  good(await send(control('POST', '/reset', {})))
}

/** npm run fuzz [-- --requests 20000 --seed 1] */
if (import.meta.main) {
  const { values } = parseArgs({
    options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
  })
  const asked = { requests: Number(values.requests), seed: Number(values.seed) }
  const { tookMs, codes, problems, heapBytes } = await fuzz(asked)
  for (const problem of problems) console.error(problem)
  const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)
  const seen = Object.entries(codes).toSorted(([, a], [, b]) => b - a)
  console.log(seen.map(([code, times]) => `${code} × ${times}`).join(', '))
  console.log(
    `${asked.requests} requests in ${(tookMs / 1000).toFixed(0)} s, ${problems.length} problems; ` +
      `heap ${megabytes(heapBytes.warm)} MB when warm, ${megabytes(heapBytes.end)} MB at the end.`,
  )
  process.exit(problems.length === 0 ? 0 : 1)
}
