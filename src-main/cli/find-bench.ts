import { Agent } from 'node:https'
import { resolve } from 'node:path'
import { pinCertificate } from '../bench/tls/tls-identity.ts'
import { ok } from '../core/protocol/result.ts'
import { type ControlClient, ControlError, createControlClient } from '../sdk/client.ts'
import { HandsetError } from '../sdk/errors.ts'
import { createFetch, createTrustingFetch } from '../sdk/fetch-trusting.ts'
import { readRunningBench } from '../service/store/announce-bench.ts'
import { defaultDataDirectory, type Environment, type Machine } from './command.ts'
import { type End, fail, misuse } from './command-end.ts'
import { readOptionFile } from './in-file.ts'
import { benchOptions, type findBenchOptions } from './options.ts'
import { startProblemText } from './problem-texts.ts'
import type { ReadOptions } from './read-options.ts'
import { toOneLine } from './terminal.ts'

export type FoundBench = {
  readonly controlUrl: string
  readonly token: string
  readonly workspace: string
  readonly directory?: string
  /** Present if the system's certificates are not enough. */
  readonly fetch?: typeof fetch
}

type Given = Pick<ReadOptions<typeof findBenchOptions>, 'options' | 'named'>

/** The bench, or why there is none. */
export const tryFindBench = ({ options, named }: Given, machine: Machine): FoundBench | string => {
  const { data, 'control-url': controlUrl, token, ca } = options
  if (controlUrl !== undefined) {
    const found = /^(https?:\/\/[^/?#]+)(?:\/w\/([a-z0-9-]+))?\/control\/v1\/?$/.exec(controlUrl)
    if (found === null || !URL.canParse(controlUrl))
      return misuse(
        `${named('control-url')} must be a control_url such as http://localhost:7420/control/v1; got "${controlUrl}".`,
      )
    if (token === undefined)
      return misuse(`${named('control-url')} needs the token of that bench: HANDSET_TOKEN, or --token-file FILE.`)
    return {
      controlUrl: `${found[1]}/control/v1`,
      token,
      workspace: found[2] ?? 'main',
      ...(ca === undefined ? {} : { fetch: createTrustingFetch(readOptionFile(named('ca'), ca, ok)) }),
    }
  }
  // HANDSET_TOKEN may be set for `serve`, so only the option is a mistake.
  if (token !== undefined && named('token').startsWith('--'))
    misuse(`${named('token')} belongs to --control-url, which is missing.`)
  const directory = resolve(data ?? defaultDataDirectory(machine))
  const running = readRunningBench(directory)
  if (!running.ok) return startProblemText(running.error)
  if (running.value === undefined)
    return `no bench is running on ${directory}. Start one with "npx handset start", or name another by --data or --control-url. For one in memory, set HANDSET_TOKEN to the token that it printed.`
  const { control_url, token: kept, certificate } = running.value
  const pinned = certificate === undefined ? {} : { fetch: createFetch(new Agent(pinCertificate(certificate))) }
  return { controlUrl: control_url, token: kept, workspace: 'main', directory, ...pinned }
}

export const findBench = (given: Given, machine: Machine, end: End): FoundBench => {
  const found = tryFindBench(given, machine)
  return typeof found === 'string' ? end(found) : found
}

/** Like `findBench`. If none is found but only a token is given, assumes one at HANDSET_PORT or the default port. */
export const findBenchOrDefault = (given: Given, machine: Machine): FoundBench => {
  const found = tryFindBench(given, machine)
  const { data, 'control-url': controlUrl, token } = given.options
  if (typeof found !== 'string') return found
  if (token === undefined || (data ?? controlUrl) !== undefined) return fail(found)
  const port = Number(machine.env.HANDSET_PORT) || benchOptions.port.usual
  return { controlUrl: `http://localhost:${port}/control/v1`, token, workspace: 'main' }
}

/** A bench on this machine answers in milliseconds; any other server may never answer. */
export const ANSWER_TIMEOUT_MS = 5000

/** True if nothing answered: fetch throws a TypeError or the signal's reason; the client reports a code. */
export const isUnreachable = (reason: unknown): boolean =>
  reason instanceof TypeError ||
  (reason instanceof HandsetError && reason.code === 'no_answer') ||
  (reason instanceof Error && /^(AbortError|TimeoutError)$/.test(reason.name))

export const benchProblem = (
  reason: unknown,
  { controlUrl, stop, late }: { readonly controlUrl: string; readonly stop: AbortSignal; readonly late?: AbortSignal },
): string => {
  if (stop.aborted) return 'stopped.'
  if (late?.aborted === true) return `nothing answered at ${controlUrl} within ${ANSWER_TIMEOUT_MS / 1000} s.`
  if (!(reason instanceof ControlError)) return `nothing answers at ${controlUrl}. Is the bench still running?`
  if (reason.code === 40111)
    return `the bench at ${controlUrl} does not take this token. Without a token of its own, a bench makes a new one at each start.`
  return reason.code === 0 ? `what answers at ${controlUrl} is no bench.` : toOneLine(reason.message)
}

/** Finds a running bench; without one the command ends. */
export const openBenchClient = (given: Given, environment: Environment) => {
  const found = findBenchOrDefault(given, environment)
  const { controlUrl } = found
  const { stop } = environment
  const client = createControlClient(found)
  return {
    ...found,
    /** Ends the command if the bench refuses or does not answer. */
    ask: async <T>(
      call: (client: ControlClient, signal: AbortSignal) => Promise<T>,
      patienceMs = ANSWER_TIMEOUT_MS,
    ): Promise<T> => {
      const late = AbortSignal.timeout(patienceMs)
      try {
        return await call(client, AbortSignal.any([stop, late]))
      } catch (reason) {
        if (!(reason instanceof ControlError) && !isUnreachable(reason)) throw reason
        return fail(benchProblem(reason, { controlUrl, stop, late }))
      }
    },
  }
}
