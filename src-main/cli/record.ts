import { setTimeout } from 'node:timers/promises'
import { reasons } from '../core/messages/en/reasons.ts'
import { textOf } from '../core/messages/text.ts'
import { isObject } from '../core/protocol/json.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { type ControlClient, ControlError } from '../sdk/client.ts'
import { eventProblem } from '../testing/scenario/patterns/unmatchable.ts'
import { readDocument } from '../testing/scenario/read-document.ts'
import { fail, makeCommand, misuse } from './command.ts'
import { findBenchOrDefault } from './find-bench.ts'
import type { NameOption } from './read-options.ts'
import { attachToBench, waitUntilStopped } from './run/attached-bench.ts'
import { writeWholeFile } from './write-whole.ts'

export const record = makeCommand(
  {
    name: 'record',
    usage: '[OPTIONS]',
    more: [
      'What already happened: handset record --from start --until now',
      'Secrets are never in the file. What no step can do is a comment in it.',
    ],
  },
  async ({ options, named }, environment) => {
    const begin = beginning(options.from, named)
    if (!begin.ok) return misuse(environment, 'record', begin.error)
    const end = ending(options.until, named)
    if (!end.ok) return misuse(environment, 'record', end.error)
    const found = findBenchOrDefault(options, environment, named)
    if (!found.ok) return (found.error.misused ? misuse : fail)(environment, 'record', found.error.problem)
    // Ctrl-C must end the recording, but not the calls that fetch its events.
    const bench = await attachToBench(found.value, new AbortController().signal)
    if (!bench.ok) return fail(environment, 'record', bench.error)
    const workspace = options.workspace ?? found.value.workspace
    const client = bench.value.client.workspace(workspace)
    const { terminal, stop } = environment
    try {
      const after = await begin.value(client)
      if (end.value.kind !== 'now')
        terminal.error(`Recording the workspace ${workspace}. ${HOW_IT_ENDS[end.value.kind]}`)
      await waitForEnd(end.value, client, after, stop)
      const { name, out } = options
      const recorded = await client.call('events.scenario', {
        query: { after, ...(name === undefined ? {} : { name }) },
      })
      if (recorded.more)
        terminal.error(`It holds the events up to ${recorded.last_seq}; what came later is too much for one.`)
      if (out === undefined) {
        terminal.out(recorded.scenario.trimEnd())
        return 0
      }
      const written = writeWholeFile(out, recorded.scenario)
      if (!written.ok) return fail(environment, 'record', written.error)
      terminal.out(`${recorded.steps} steps in ${out}. Play it again: npx handset run ${out}`)
      return 0
    } catch (reason) {
      return fail(environment, 'record', whyNot(reason))
    }
  },
)

const whyNot = (reason: unknown): string =>
  reason instanceof ControlError
    ? reason.message
    : 'the bench does not answer any more: it has ended, or cannot be reached.'

type Beginning = (client: ControlClient) => Promise<number>

const beginning = (text: string, named: NameOption): Result<Beginning, string> => {
  if (text === 'start') return ok(async () => 0)
  if (/^\d{1,15}$/.test(text)) return ok(async () => Number(text))
  if (text !== 'now') return err(`${named('from')} must be now, start or the number of an event; got "${text}".`)
  return ok(
    async (client) => (await client.call('events.list', { query: { limit: 1, latest: true, brief: true } })).last_seq,
  )
}

type Ending =
  | { readonly kind: 'by-hand' }
  | { readonly kind: 'now' }
  | { readonly kind: 'time'; readonly ms: number }
  | { readonly kind: 'event'; readonly match: Readonly<Record<string, unknown>> }

const HOW_IT_ENDS = {
  'by-hand': 'Press Ctrl-C to end.',
  time: 'It ends by itself, or with Ctrl-C.',
  event: 'It ends with the event, or with Ctrl-C.',
} as const

const LONGEST_S = 86_400

const ending = (text: string | undefined, named: NameOption): Result<Ending, string> => {
  if (text === undefined) return ok({ kind: 'by-hand' })
  if (text === 'now') return ok({ kind: 'now' })
  const seconds = /^(\d{1,5}(?:\.\d+)?)s$/.exec(text)?.[1]
  if (seconds !== undefined && Number(seconds) <= LONGEST_S) return ok({ kind: 'time', ms: Number(seconds) * 1000 })
  const match = fieldsIn(text)
  if (match !== undefined && Object.keys(match).length > 0) {
    const never = eventProblem(match)
    return never === undefined ? ok({ kind: 'event', match }) : err(`${named('until')}: ${textOf(reasons, never)}`)
  }
  return err(
    `${named('until')} must be now, a time such as 30s, or fields of an event such as {kind: delivery}; got "${text}".`,
  )
}

const fieldsIn = (text: string): Readonly<Record<string, unknown>> | undefined => {
  const read = readDocument(text)
  return read.ok && isObject(read.value.value) ? read.value.value : undefined
}

const waitForEnd = async (ending: Ending, client: ControlClient, after: number, stop: AbortSignal): Promise<void> => {
  const stopped = new Promise<void>((resolve) => {
    if (stop.aborted) resolve()
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
  if (ending.kind === 'now') return
  if (ending.kind === 'by-hand') return stopped
  if (ending.kind === 'time')
    return Promise.race([stopped, setTimeout(ending.ms, undefined, { signal: stop }).catch(() => undefined)])
  return waitUntilStopped(client, { match: ending.match, after }, stop)
}
