import type { BenchEvent, EventDraft } from '../../src-main/contract/events.ts'
import { realClock } from '../../src-main/harness/clock.ts'
import { openRecorder } from '../../src-main/harness/open-recorder.ts'

/**
 * Writes the events of a workspace as a bench that ran for long would have kept them: what was recorded of real traffic,
 * again and again, each time with other ids. Numbers go on from there.
 */
export const fillEvents = async (directory: string, recorded: readonly BenchEvent[], count: number): Promise<void> => {
  const { recorder, close } = openRecorder({
    directory,
    wall: realClock,
    bench: () => realClock,
    log: (line) => console.error(JSON.stringify(line)),
    keepEvents: count,
  })
  const texts = recorded.map(({ v, seq, workspace, wall, bench, ...draft }) => JSON.stringify(draft))
  const ids = new Set(recorded.flatMap((event) => idsOf(event)))
  const parts = texts.map((text) => partsOf(text, ids))
  const span = (recorded.at(-1)?.wall ?? 0) - (recorded[0]?.wall ?? 0) + 1
  const rounds = Math.ceil(count / recorded.length)
  const end = realClock.now()
  let left = count
  for (let round = 0; round < rounds; round++) {
    const shift = end - (rounds - round) * span - (recorded[0]?.wall ?? 0)
    const mark = round.toString(36).padStart(6, '0')
    for (let i = 0; i < recorded.length && left > 0; i++, left--) {
      const draft = JSON.parse((parts[i] ?? []).join(mark)) as EventDraft
      const { wall } = recorded[i] as BenchEvent
      recorder.observe('main', draft, { wall: wall + shift, bench: wall + shift })
    }
    // Those that save have their turn.
    if (round % 200 === 0) await new Promise((done) => setTimeout(done, 1))
  }
  await close()
}

const idsOf = (event: BenchEvent): readonly string[] => [
  ...('msg_id' in event && typeof event.msg_id === 'string' ? [event.msg_id] : []),
  ...(event.kind === 'exchange' ? [event.request.id] : []),
  ...(event.cause === undefined ? [] : [event.cause]),
]

/** The text, cut where the last six characters of an id stand. */
const partsOf = (text: string, ids: ReadonlySet<string>): readonly string[] => {
  const places: number[] = []
  for (const id of ids) {
    for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) places.push(at + id.length - 6)
  }
  const parts: string[] = []
  let from = 0
  for (const place of [...new Set(places)].sort((a, b) => a - b)) {
    parts.push(text.slice(from, place))
    from = place + 6
  }
  return [...parts, text.slice(from)]
}
