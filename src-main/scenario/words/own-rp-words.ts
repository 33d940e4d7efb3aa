import { connect, createServer } from 'node:net'
import type { ownRpSteps } from '../../contract/scenario/own-rp-steps.ts'
import type { StepInput } from '../../contract/scenario.ts'
import { httpCall } from '../own-rp/http-call.ts'
import type { Program } from '../own-rp/programs.ts'
import { findByRegex } from '../patterns/bounded-regex.ts'
import { mismatch } from '../patterns/mismatch.ts'
import type { ScenarioState } from '../scenario-state.ts'
import { failure, ScenarioMistake, type StepOutcome, said } from '../step-outcome.ts'
import { limitMs, startLimit } from '../time-limit.ts'
import { browse } from './browser-word.ts'
import type { WordsOf } from './word.ts'

const POLL_MS = 20
/** A program that compiles first is slower than anything else here. */
const USUAL_READY = { s: 20 } as const

/** Steps that use an RP of your own. */
export const ownRpWords: WordsOf<typeof ownRpSteps> = {
  http: {
    repeats: true,
    run: async (input, state) => {
      const patience = input.until === undefined ? Number.POSITIVE_INFINITY : limitMs(input.until)
      const answer = await httpCall(input, { cookies: state.own.cookies, stop: state.stop, patience })
      return answer.ok ? said(`${answer.value.status}`, answer.value) : answer.error
    },
  },
  exec: {
    run: async (input, state) => {
      const started = await state.own.programs.start(input)
      return started.ok ? waitUntilReady(started.value, input, state) : started.error
    },
  },
  expect_output: {
    run: async ({ line, program: name = 'program', until }, state) => {
      const program = programOf(state, name)
      const from = state.outputFrom.get(name) ?? 0
      const left = startLimit(state, until)
      for (;;) {
        const found = lineIn(program, line, from)
        if (found !== null) return said(found[0] ?? '', { line: found[0], groups: found.slice(1) })
        const output = tail(program)
        if (left() === 0 || program.ended() !== undefined) {
          return failure({ code: 'no_line', params: { name, line, within_ms: limitMs(until), output } })
        }
        await state.pause(Math.min(POLL_MS, left()))
      }
    },
  },
  end_program: {
    run: async ({ program: name = 'program' }, state) => {
      const program = programOf(state, name)
      await program.end()
      return said(program.ended() ?? '')
    },
  },
  free_port: {
    run: async ({ as }, state) => {
      const port = await freePort()
      state.saved.set(as, port)
      return said(String(port), port)
    },
  },
  browser: { run: browse },
  check: {
    run: async ({ value, is }) => {
      const wrong = mismatch(is, value)
      return wrong === undefined ? said('', value) : failure({ code: 'differs', params: wrong })
    },
  },
}

const programOf = (state: ScenarioState, name: string): Program => {
  const { running } = state.own.programs
  const found = running.get(name)
  if (found !== undefined) return found
  throw new ScenarioMistake({ code: 'unknown_name', params: { kind: 'program', name, known: [...running.keys()] } })
}

const TAIL = 2000
const tail = ({ output }: Program): string => output.since(0).slice(-TAIL).trim()

const lineIn = ({ output }: Program, line: string, from: number): readonly string[] | null =>
  findByRegex(line, output.since(from), 'um')

const waitUntilReady = async (
  program: Program,
  { ready, until = USUAL_READY }: StepInput<'exec'>,
  state: ScenarioState,
): Promise<StepOutcome> => {
  if (ready === undefined) return said('started')
  const left = startLimit(state, until)
  const found: { line?: readonly string[] } = {}
  const isReady = readiness(program, ready, state, found)
  const { name } = program
  for (;;) {
    // What it wrote last is looked at after it has ended.
    const how = program.ended()
    if (how !== undefined) await state.pause(POLL_MS)
    const failed = ready === 'ended' && how !== undefined && how !== 'with exit code 0'
    if (!failed && (await isReady(left))) {
      return said('ready', { output: program.output.since(0), line: found.line?.[0], groups: found.line?.slice(1) })
    }
    if (how !== undefined) return failure({ code: 'program_ended', params: { name, how, output: tail(program) } })
    if (left() === 0) {
      const params = { name, ready: readyText(ready), within_ms: limitMs(until), output: tail(program) }
      return failure({ code: 'program_not_ready', params })
    }
    await state.pause(Math.min(POLL_MS, left()))
  }
}

type Ready = NonNullable<StepInput<'exec'>['ready']>

const readyText = (ready: Ready): string =>
  ready === 'ended'
    ? 'it ends'
    : Object.entries(ready)
        .map(([key, value]) => `${key} ${value}`)
        .join()

/** How it shows that the program is ready; of a line, what was found. */
const readiness = (
  program: Program,
  ready: Ready,
  { stop }: ScenarioState,
  found: { line?: readonly string[] },
): ((left: () => number) => Promise<boolean>) => {
  if (ready === 'ended') return async () => program.ended() !== undefined
  if ('port' in ready) return () => accepts(ready.port)
  if ('line' in ready) {
    return async () => {
      const line = lineIn(program, ready.line, 0)
      if (line !== null) found.line = line
      return line !== null
    }
  }
  return (left) => answers(ready.url, AbortSignal.any([stop, AbortSignal.timeout(Math.max(1, Math.min(1000, left())))]))
}

const answers = async (url: string, signal: AbortSignal): Promise<boolean> => {
  try {
    const response = await fetch(url, { signal, redirect: 'manual' })
    await response.body?.cancel()
    return response.status < 500
  } catch {
    return false
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: 'localhost' })
    const end = (value: boolean): void => {
      socket.destroy()
      resolve(value)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
