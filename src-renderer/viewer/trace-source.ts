import type { RpState } from '../../src-main/core/contract/control/states.ts'
import type { BenchEvent, EventOf } from '../../src-main/core/contract/events.ts'
import type { TracedSignature, TraceProblem } from '../../src-main/core/contract/trace.ts'
import { ok, type Result } from '../../src-main/core/protocol/result.ts'
import { briefEvent, FOLDED_KINDS } from '../../src-main/views/timeline/event-views.ts'
import { type IndexedTrace, indexTrace } from '../../src-main/views/trace/read-trace.ts'

/** A trace, read only as far as needed. */
export type TraceSource = ReturnType<typeof createTraceSource>

type TracePart = { readonly events: readonly BenchEvent[]; readonly signatures: readonly TracedSignature[] }

/** Number of blocks that are read before anything is shown: about a thousand events. */
const LATEST = 4
/** Blocks read in one step, which takes a few milliseconds so that the page does not freeze. */
const BLOCKS_OF_A_PART = 2

/** In the calling thread; `trace-worker` uses this in a worker. */
export const createTraceSource = () => {
  let trace: IndexedTrace | undefined
  const blockOf = new Map<number, number>()

  const readBlocks = (from: number, to: number): Result<TracePart, TraceProblem> => {
    const events: BenchEvent[] = []
    const signatures: TracedSignature[] = []
    for (let number = from; trace !== undefined && number < to; number++) {
      const block = trace.read(number)
      if (!block.ok) return block
      for (const event of block.value.events) {
        blockOf.set(event.seq, number)
        events.push(event)
      }
      signatures.push(...block.value.signatures)
    }
    return ok({ events, signatures })
  }

  return {
    open: async (file: Blob) => {
      const indexed = await indexTrace(file.stream())
      if (!indexed.ok) return indexed
      trace = indexed.value
      const { header, blocks } = trace
      const whole = blocks <= LATEST
      const first = readBlocks(0, 1)
      if (!first.ok) return first
      const latest = readBlocks(whole ? 0 : blocks - LATEST, blocks)
      if (!latest.ok) return latest
      const parts = whole ? 0 : Math.ceil(blocks / BLOCKS_OF_A_PART)
      const { events, signatures } = latest.value
      return ok({
        ...{ header, signatures, first: first.value.events[0] },
        /** Events that can be shown before the rest is read, oldest first. */
        latest: events,
        /** Number of parts to read; 0 if `latest` has all events. */
        parts,
      })
    },
    /** Reads a part of the trace, in the form that the timeline needs. */
    read: async (part: number): Promise<Result<TracePart, TraceProblem>> => {
      const from = part * BLOCKS_OF_A_PART
      const read = readBlocks(from, Math.min(from + BLOCKS_OF_A_PART, trace?.blocks ?? 0))
      return read.ok ? ok({ ...read.value, events: foldedPart(read.value.events) }) : read
    },
    /** Looks up a whole event in the parts that have been read. */
    lookUp: async (seq: number): Promise<BenchEvent | undefined> => {
      const block = trace?.read(blockOf.get(seq) ?? -1)
      return block?.ok === true ? block.value.events.find((event) => event.seq === seq) : undefined
    },
    close: (): void => {
      trace = undefined
    },
  }
}

const FOLDED: ReadonlySet<string> = new Set(FOLDED_KINDS)

/** The events that a timeline needs, and the last state of each phone: a fifth of the recorded data. */
const foldedPart = (events: readonly BenchEvent[]): readonly BenchEvent[] => {
  const last = new Map(
    events.flatMap((event) => (event.kind === 'phone' && event.phone !== undefined ? [[event.phone_id, event]] : [])),
  )
  return events.flatMap((event): readonly BenchEvent[] => {
    if (!FOLDED.has(event.kind)) return rpOfEvent(event) === undefined ? [] : [event]
    if (event.kind === 'exchange') return [withoutBodies(event)]
    if (event.kind !== 'phone') return [briefEvent(event)]
    if (last.get(event.phone_id) === event || event.change === 'removed') return [event]
    return (event.act ?? event.struck ?? event.signal) === undefined ? [] : [briefEvent(event)]
  })
}

/** Removes the bodies of successful exchanges; those of refusals contain the reason. */
const withoutBodies = (event: EventOf<'exchange'>): BenchEvent => {
  const { honest: _, request, response, ...rest } = event
  const body = (text: string): string => (response.code === 0 ? '' : text)
  return {
    ...rest,
    request: { ...request, headers: [], body: body(request.body) },
    response: { ...response, headers: [], body: body(response.body) },
  }
}

export const rpOfEvent = (event: BenchEvent): RpState | undefined => {
  if (event.kind !== 'setting' || event.subject !== 'rp') return undefined
  return event.change === 'created' || event.change === 'changed' ? (event.detail as RpState | undefined) : undefined
}
