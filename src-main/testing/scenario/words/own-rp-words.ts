import { createServer } from 'node:net'
import { stripVTControlCharacters } from 'node:util'
import { threadId } from 'node:worker_threads'
import type { ownRpSteps } from '../../../core/contract/scenario/own-rp-steps.ts'
import type { StepInput } from '../../../core/contract/scenario.ts'
import { httpCall } from '../own-rp/http-call.ts'
import type { Program } from '../own-rp/programs.ts'
import {
  checkReadiness,
  endedWell,
  findLine,
  isAddress,
  isAddressTaken,
  type UnreadyState,
} from '../own-rp/readiness.ts'
import { findMismatch } from '../patterns/mismatch.ts'
import type { ScenarioState } from '../scenario-state.ts'
import { failure, ScenarioMistake, success, withText } from '../step-outcome.ts'
import { limitInMs, startLimit } from '../time-limit.ts'
import { runBrowserAction } from './browser-word.ts'
import type { StepHandlers } from './word.ts'

const POLL_MS = 20

export const ownRpWords: StepHandlers<typeof ownRpSteps> = {
  http: async (input, state) => {
    const patience = input.until === undefined ? Number.POSITIVE_INFINITY : limitInMs(input.until)
    const answer = await httpCall(input, { cookies: state.own.cookies, stop: state.stop, patience })
    return answer.ok ? withText(`${answer.value.status}`, answer.value) : answer.error
  },
  exec: async (input, state) => {
    const { as: name = 'program', ready } = input
    const { programs } = state.own
    await programs.end(name)
    if (ready !== undefined && (await isAddressTaken(ready, state.stop))) {
      return failure({ code: 'address_taken', params: { ready } })
    }
    const started = await programs.start(input)
    return started.ok ? waitUntilReady(started.value, input, state) : started.error
  },
  expect_output: async ({ line, program: name = 'program', until }, state) => {
    const program = programOf(state, name)
    const from = state.outputFrom.get(name) ?? 0
    const left = startLimit(state, until)
    for (;;) {
      const found = findLine(program.output, line, from)
      if (found !== null) return withText(found[0] ?? '', { line: found[0], groups: found.slice(1) })
      const output = tail(program)
      if (left() === 0 || program.ended() !== undefined) {
        return failure({ code: 'no_line', params: { name, line, within_ms: limitInMs(until), output } })
      }
      await state.pause(Math.min(POLL_MS, left()))
    }
  },
  end_program: async ({ program: name = 'program' }, state) => {
    const program = programOf(state, name)
    await program.end()
    const ended = program.ended()
    return ended === undefined ? withText('') : success({ code: 'ended', params: { ended } })
  },
  free_port: async ({ as }, state) => {
    const port = await freePort()
    state.saved.set(as, port)
    return withText(String(port), port)
  },
  browser: runBrowserAction,
  check: async ({ value, is }) => {
    const wrong = findMismatch(is, value)
    return wrong === undefined ? withText('', value) : failure({ code: 'differs', params: wrong })
  },
}

const programOf = (state: ScenarioState, name: string): Program => {
  const { running } = state.own.programs
  const found = running.get(name)
  if (found !== undefined) return found
  throw new ScenarioMistake({ code: 'unknown_name', params: { kind: 'program', name, known: [...running.keys()] } })
}

const TAIL = 2000
const TAIL_LINES = 20
const tail = ({ output }: Program): string =>
  stripVTControlCharacters(output.since(0)).slice(-TAIL).trim().split(/\r?\n/).slice(-TAIL_LINES).join('\n')

const waitUntilReady = async (program: Program, { ready, until }: StepInput<'exec'>, state: ScenarioState) => {
  if (ready === undefined) return success({ code: 'started' })
  const left = startLimit(state, until)
  const { name, output } = program
  let seen: UnreadyState | undefined
  for (;;) {
    // A program that has ended is checked once more, for its last output.
    const wasOver = program.ended() !== undefined
    if (wasOver) await state.pause(POLL_MS)
    const look = await checkReadiness(ready, program, { stop: state.stop, left: left() })
    const ended = program.ended()
    // After a program has failed, another one may answer at its address.
    const isAnother = isAddress(ready) && ended !== undefined && !endedWell(ended)
    if (look.ready && !isAnother) {
      return success({ code: 'ready' }, { output: output.since(0), line: look.line?.[0], groups: look.line?.slice(1) })
    }
    if (ended !== undefined && (wasOver || isAnother))
      return failure({ code: 'program_ended', params: { name, ended, output: tail(program) } })
    // The last look may be too short for an answer: its silence does not replace an earlier state.
    if (!look.ready && (look.seen !== 'silence' || seen === undefined)) seen = look.seen
    if (left() === 0) {
      const params = { name, ready, within_ms: limitInMs(until), output: tail(program) }
      return failure({ code: 'program_not_ready', params: { ...params, ...(seen === undefined ? {} : { seen }) } })
    }
    await state.pause(Math.min(POLL_MS, left()))
  }
}

/** Below the ports that a system assigns for port 0 and for outgoing connections: those may be taken before use. */
const LOWEST = 20_000
const HIGHEST = 31_999
/** Each process or thread tries only every eighth port, so two of them rarely try the same one. */
const TURNS = 8
const OF_A_TURN = (HIGHEST - LOWEST + 1) / TURNS
const MAX_TRIES = 100

const turn = (process.pid + threadId) % TURNS
/** Each process starts at a different offset. */
let next = process.pid % OF_A_TURN

const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const port = LOWEST + next * TURNS + turn
    next = (next + 1) % OF_A_TURN
    if (await isPortFree(port)) return port
  }
  throw new Error(`no free port from ${LOWEST} to ${HIGHEST} on 127.0.0.1`)
}

export const isPortFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
