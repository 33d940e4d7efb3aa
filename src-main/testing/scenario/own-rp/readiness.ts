import { connect } from 'node:net'
import type { ProgramEnd, StepProblemParams } from '../../../core/contract/scenario/problems.ts'
import type { StepInput } from '../../../core/contract/scenario.ts'
import { findByRegex } from '../patterns/mismatch.ts'
import type { Output, Program } from './programs.ts'

export type ReadyCondition = NonNullable<StepInput<'exec'>['ready']>

/** The state in which a program that is not ready was found. */
export type UnreadyState = NonNullable<StepProblemParams['program_not_ready']['seen']>

export type ReadinessResult =
  | { readonly ready: true; readonly line?: readonly string[] }
  | { readonly ready: false; readonly seen?: UnreadyState }

/** Longest wait for one answer: the next attempt may be quicker. */
const ATTEMPT_MS = 2000

/** Looks once whether the program is ready. */
export const checkReadiness = async (
  ready: ReadyCondition,
  { output, ended }: Pick<Program, 'output' | 'ended'>,
  { stop, left }: { readonly stop: AbortSignal; readonly left: number },
): Promise<ReadinessResult> => {
  if (ready === 'ended') return { ready: endedWell(ended()) }
  if ('line' in ready) {
    const line = findLine(output, ready.line, 0)
    return line === null ? { ready: false } : { ready: true, line }
  }
  return lookAtAddress(ready, stop, left)
}

/** True if something else is ready at the address before the program starts, and would be mistaken for it. */
export const isAddressTaken = async (ready: ReadyCondition, stop: AbortSignal): Promise<boolean> =>
  isAddress(ready) && (await lookAtAddress(ready, stop, ATTEMPT_MS)).ready

/** Another program may answer at an address, even after this one has ended. */
export const isAddress = (ready: ReadyCondition): ready is Address => ready !== 'ended' && !('line' in ready)

export const endedWell = (ended: ProgramEnd | undefined): boolean =>
  ended !== undefined && 'exit_code' in ended && ended.exit_code === 0

export const findLine = (output: Output, line: string, from: number): readonly string[] | null =>
  findByRegex(line, output.since(from), 'um')

type Address = { readonly url: string } | { readonly port: number }

const lookAtAddress = (address: Address, stop: AbortSignal, left: number): Promise<ReadinessResult> => {
  const late = AbortSignal.timeout(Math.max(1, Math.min(ATTEMPT_MS, left)))
  const signal = AbortSignal.any([stop, late])
  return 'port' in address ? connectTo(address.port, signal) : ask(address.url, signal)
}

const ask = async (url: string, signal: AbortSignal): Promise<ReadinessResult> => {
  try {
    const response = await fetch(url, { signal, redirect: 'manual' })
    await response.body?.cancel()
    return response.status < 500 ? { ready: true } : { ready: false, seen: response.status }
  } catch (error) {
    if (signal.aborted) return { ready: false, seen: 'silence' }
    const { cause } = error as { readonly cause?: unknown }
    return { ready: false, seen: cause instanceof Error && cause.name === 'HTTPParserError' ? 'no_http' : 'nothing' }
  }
}

const connectTo = (port: number, signal: AbortSignal): Promise<ReadinessResult> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: 'localhost', signal })
    socket.once('connect', () => {
      resolve({ ready: true })
      socket.destroy()
    })
    socket.once('error', () => resolve({ ready: false, seen: signal.aborted ? 'silence' : 'nothing' }))
  })
