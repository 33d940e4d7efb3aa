import { type BenchEvent, isSignatureMismatch } from '../core/contract/events.ts'
import { en } from '../core/messages/en/en.ts'
import { type Finding, findingLine, findingsOf } from '../core/messages/event-sentences.ts'
import type { ControlClient } from '../sdk/client.ts'
import { explainedLines } from '../views/report/evidence-lines.ts'
import { makeCommand, wrapText } from './command.ts'
import { EXIT_STOPPED, fail, ifGiven, misuse } from './command-end.ts'
import { benchProblem, findBenchOrDefault } from './find-bench.ts'
import { wholeNumber } from './read-options.ts'
import { attachToBench, waitUntilStopped } from './run/attached-bench.ts'
import { paintFor, type Terminal, toPrintable } from './terminal.ts'

export const why = makeCommand(
  {
    name: 'why',
    usage: '[SEQ] [OPTIONS]',
    more: [
      'SEQ is the number of an event, as the page and a report show it. Exit code 1: nothing of the kind happened.',
    ],
  },
  async ({ options, positionals: [given, ...others], named }, environment) => {
    const { terminal, stop } = environment
    if (others.length > 0) misuse('name one event.')
    const seq = ifGiven(given, (text) => wholeNumber('SEQ', text, { least: 0, most: Number.MAX_SAFE_INTEGER }))
    if (seq !== undefined && options.follow === true) misuse(`${named('follow')} tells what comes; leave out ${given}.`)
    const found = findBenchOrDefault({ options, named }, environment)
    const client = (await attachToBench(found, stop)).workspace(options.workspace ?? found.workspace)
    let finding: Finding | undefined
    try {
      if (options.follow === true) return await follow(client, terminal, stop)
      const events = await lastEvents(client, seq)
      finding = failuresIn(events).findLast((each) => seq === undefined || each.seq === seq)
      if (finding !== undefined) await print(finding, events, client, terminal)
    } catch (reason) {
      if (stop.aborted) return EXIT_STOPPED
      return fail(benchProblem(reason, { controlUrl: found.controlUrl, stop }))
    }
    if (finding !== undefined) return 0
    return fail(
      seq === undefined ? 'nothing was refused and no sign-in failed.' : `${given} is no failure, or is kept no more.`,
    )
  },
)

/** Number of events to search: more than one ceremony usually spans. */
const EVENTS_TO_READ = 500

const lastEvents = async (client: ControlClient, until?: number): Promise<readonly BenchEvent[]> => {
  const query =
    until === undefined
      ? { limit: EVENTS_TO_READ, latest: true }
      : { limit: EVENTS_TO_READ, after: Math.max(0, until - EVENTS_TO_READ) }
  const { events } = await client.call('events.list', { query })
  return until === undefined ? events : events.filter(({ seq }) => seq <= until)
}

/** Finds refused requests, failed ceremonies and phones that could not continue; ignores what still waits. */
const failuresIn = (events: readonly BenchEvent[]): readonly Finding[] => {
  const good = new Set(
    events.flatMap((event) => (event.kind === 'message' && !/^(?:fail|timeout)$/.test(event.to) ? [event.seq] : [])),
  )
  return findingsOf(events, en).filter(({ seq }) => !good.has(seq))
}

const print = async (finding: Finding, events: readonly BenchEvent[], client: ControlClient, terminal: Terminal) => {
  const { red, dim } = paintFor(terminal)
  const event = events.find(({ seq }) => seq === finding.seq)
  const explained =
    event !== undefined && isSignatureMismatch(event)
      ? await client.call('events.signature', { params: { seq: String(event.seq) } })
      : undefined
  const lines = explainedLines(finding, events, explained, en)
  const head = `${findingLine(finding)}${finding.times > 1 ? ` (${finding.times} times)` : ''}`
  const [first = '', ...rest] = wrapText(head, terminal.width - 8)
  terminal.out(`${dim(String(finding.seq).padStart(6))}  ${red(toPrintable(first, terminal))}`)
  const details = lines.flatMap((line) => wrapText(line, terminal.width - 8))
  for (const line of [...rest, ...details].slice(0, MAX_LINES - 1))
    terminal.out(`        ${toPrintable(line, terminal)}`)
}

const MAX_LINES = 10

const follow = async (client: ControlClient, terminal: Terminal, stop: AbortSignal): Promise<typeof EXIT_STOPPED> => {
  let { last_seq: after } = await client.call('events.list', { query: { limit: 1, latest: true } })
  terminal.error('Waiting for the next failure. Press Ctrl-C to end.')
  while (!stop.aborted) {
    await waitUntilStopped(client, { match: {}, after }, stop)
    if (stop.aborted) break
    const events = await lastEvents(client)
    for (const finding of failuresIn(events)) if (finding.seq > after) await print(finding, events, client, terminal)
    after = events.at(-1)?.seq ?? after
  }
  return EXIT_STOPPED
}
