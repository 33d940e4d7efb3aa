import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { foldTimeline } from '../../src-main/views/timeline/fold-timeline.ts'
import { type Message, newTimeline, type Timeline } from '../../src-main/views/timeline/timeline.ts'
import { CHAPTERS } from '../ui/address.ts'
import { type Chapter, type Player, SCRIPTS } from './chapters.ts'
import { factsOf } from './facts.ts'
import type { Run, Runs } from './run.ts'
import { standingOf } from './standing.ts'

export type Figures = {
  readonly passkeys: number
  readonly codes: number
  readonly signIns: number
  readonly secrets: number
  readonly tries: number
  readonly stolen: number
}

const STRANGERS: readonly string[] = ['thief', 'finder'] satisfies Player[]

/** What happened before the audience, each chapter once: what the stage was set with is not counted, nor a repetition. */
export const figuresOf = (timeline: Timeline, runs: Runs, secrets: number): Figures => {
  const counted = new Set(CHAPTERS.map((chapter) => furthest(timeline, chapter, runs[chapter] ?? [])?.rp))
  const told = timeline.groups
    .latest(MOST)
    .flatMap(({ message }) => message ?? [])
    .filter((message) => isTold(message) && counted.has(message.rpId))
  const strangers = told.filter(({ askedBy = '' }) => STRANGERS.includes(askedBy))
  const good = told.filter(({ state, askedBy = '' }) => state === 'success' && !STRANGERS.includes(askedBy))
  return {
    passkeys: good.filter(({ ceremony }) => ceremony === 'registration').length,
    codes: told.filter(({ method }) => method !== 'push').length,
    signIns: good.filter(({ ceremony }) => ceremony === 'authentication').length,
    secrets,
    tries: strangers.length,
    stolen: strangers.filter(({ state }) => state === 'success').length,
  }
}

const MOST = 10_000

/** The telling that came furthest; of two, the one that was told last. */
const furthest = (timeline: Timeline, chapter: Chapter, runs: readonly Run[]): Run | undefined => {
  const steps = runs.map((run) => standingOf(SCRIPTS[chapter], factsOf(timeline, run)).step)
  return runs[steps.lastIndexOf(Math.max(...steps))]
}

const isTold = ({ askedBy }: Message): boolean => askedBy !== undefined && askedBy !== 'stage'

/** Counted from all that the service recorded: the page holds only the latest of it. */
export const readFigures = async (demo: ControlClient, runs: Runs): Promise<Figures> => {
  let timeline: Timeline = { ...newTimeline(), most: Number.POSITIVE_INFINITY }
  let secrets = 0
  let after = 0
  for (;;) {
    const { events, more } = await demo.call('events.list', { query: { after } })
    for (const event of events) {
      timeline = foldTimeline(timeline, event)
      secrets += secretsIn(event)
    }
    const last = events.at(-1)
    if (!more || last === undefined) return figuresOf(timeline, runs, secrets)
    after = last.seq
  }
}

/** In whose body a password or a private key was sent. */
const SECRET = /"[^"]*(?:passw|passcode|passphrase|private_?key)[^"]*"\s*:/gi

export const secretsIn = (event: BenchEvent): number =>
  event.kind === 'exchange' ? (textOf(event.request.body).match(SECRET)?.length ?? 0) : 0

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body ?? ''))
