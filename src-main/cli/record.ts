import { setTimeout } from 'node:timers/promises'
import { textOf } from '../core/protocol/coded.ts'
import { isObject, withoutUndefined } from '../core/protocol/json.ts'
import { reasons } from '../core/protocol/reasons.ts'
import { type ControlClient, ControlError, type Data } from '../sdk/client.ts'
import { lastSeq } from '../sdk/wait-for.ts'
import { eventProblem } from '../testing/scenario/patterns/unmatchable.ts'
import { readDocument } from '../testing/scenario/read-document.ts'
import { makeCommand, waitForStop } from './command.ts'
import { fail, misuse, needed } from './command-end.ts'
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
    const end = ending(options.until, named)
    const { workspace: usual, ...found } = findBenchOrDefault({ options, named }, environment)
    // Ctrl-C must end the recording, but not the calls that fetch its events.
    const bench = await attachToBench(found, new AbortController().signal)
    const { name, out, workspace = usual } = options
    const client = bench.workspace(workspace)
    const { terminal, stop } = environment
    let recorded: Data<'events.scenario'>
    try {
      const after = await begin(client)
      if (end.how !== undefined) terminal.error(`Recording the workspace ${workspace}. ${end.how}`)
      await end.wait(stop, client, after)
      recorded = await client.call('events.scenario', { query: { after, ...withoutUndefined({ name }) } })
    } catch (reason) {
      return fail(
        reason instanceof ControlError
          ? reason.message
          : 'the bench does not answer any more: it has ended, or cannot be reached.',
      )
    }
    if (recorded.more)
      terminal.error(`It holds the events up to ${recorded.last_seq}; what came later is too much for one.`)
    if (out === undefined) terminal.out(recorded.scenario.trimEnd())
    else {
      needed(writeWholeFile(out, recorded.scenario), fail)
      terminal.out(`${recorded.steps} steps in ${out}. Play it again: npx handset run ${out}`)
    }
    return 0
  },
)

type Beginning = (client: ControlClient) => Promise<number>

const beginning = (text: string, named: NameOption): Beginning => {
  if (text === 'start') return async () => 0
  if (/^\d{1,15}$/.test(text)) return async () => Number(text)
  if (text !== 'now') misuse(`${named('from')} must be now, start or the number of an event; got "${text}".`)
  return lastSeq
}

type Ending = {
  /** Tells the user how to end the recording; absent if the command waits for nothing. */
  readonly how?: string
  readonly wait: (stop: AbortSignal, client: ControlClient, after: number) => Promise<void>
}

const LONGEST_S = 86_400

const ending = (text: string | undefined, named: NameOption): Ending => {
  if (text === undefined) return { how: 'Press Ctrl-C to end.', wait: waitForStop }
  if (text === 'now') return { wait: async () => undefined }
  const seconds = Number(/^(\d{1,5}(?:\.\d+)?)s$/.exec(text)?.[1])
  if (seconds <= LONGEST_S) {
    const wait: Ending['wait'] = (signal) => setTimeout(seconds * 1000, undefined, { signal }).catch(() => undefined)
    return { how: 'It ends by itself, or with Ctrl-C.', wait }
  }
  const read = readDocument(text)
  const match = read.ok ? read.value.value : undefined
  if (isObject(match) && Object.keys(match).length > 0) {
    const never = eventProblem(match)
    if (never !== undefined) misuse(`${named('until')}: ${textOf(reasons, never)}`)
    const wait: Ending['wait'] = (stop, client, after) => waitUntilStopped(client, { match, after }, stop)
    return { how: 'It ends with the event, or with Ctrl-C.', wait }
  }
  return misuse(
    `${named('until')} must be now, a time such as 30s, or fields of an event such as {kind: delivery}; got "${text}".`,
  )
}
