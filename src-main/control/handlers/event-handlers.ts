import type { eventRoutes } from '../../contract/control/event-routes.ts'
import type { Query } from '../../contract/control/routes.ts'
import { errors, refuse } from '../../contract/errors.ts'
import { type BenchEvent, type EventKind, OPINION, type OpinionNotice } from '../../contract/events.ts'
import type { SecondOpinion } from '../../contract/judge/verdict.ts'
import { eventJson } from '../../harness/event-text.ts'
import { eventStream } from '../../http/event-stream.ts'
import { headerOf } from '../../http/message.ts'
import { en } from '../../messages/en/en.ts'
import { eventSummary } from '../../messages/event-summary.ts'
import type { HeaderPair } from '../../protocol/canonical-request.ts'
import { err, ok } from '../../protocol/result.ts'
import { eventsOfPhone } from '../../report/events-of-phone.ts'
import { reportPage } from '../../report/report-page.ts'
import type { ControlParts } from '../control-parts.ts'
import type { Answer, Handlers, RouteIds } from '../handler.ts'
import { withOpinions } from '../with-opinions.ts'
import { briefEvent } from './brief-event.ts'
import { eventMatches, textsOf } from './event-match.ts'
import { matchProblem } from './match-problem.ts'

const DEFAULT_LIMIT = 1000
/** What one answer holds at most; `more` says that there are others, and the last seq is where to go on. */
const PAGE_CHARACTERS = 32 * 1024 * 1024
/** A report is for reading: beyond that nobody scrolls. */
const REPORT_EVENTS = 3000
const REPORT_CHARACTERS = 8 * 1024 * 1024
const DEFAULT_WAIT_MS = 10_000
/** So many of the past events are written in one go; then everybody else has their turn. */
const SLICE = 100
const SHOWN = 20

export const eventHandlers = (parts: ControlParts): Handlers<RouteIds<typeof eventRoutes>> => {
  const { recorder, real, closing, admin, relyingParties, clocks, info } = parts
  return {
    'events.list': async ({ workspace, query }) => {
      const { after = 0, limit = DEFAULT_LIMIT, latest = false, brief = false } = query
      const page = recorder.read(workspace, { after, limit, latest, characters: PAGE_CHARACTERS, ...filterOf(query) })
      const events = await withOpinions(admin, workspace, brief ? page.events.map(briefEvent) : page.events)
      return ok({ ...page, events })
    },
    'events.stream': ({ workspace, query, request }) => {
      const resume = Number(headerOf(request.headers, 'last-event-id') ?? Number.NaN)
      const after = Number.isSafeInteger(resume) ? resume : (query.after ?? recorder.lastSeq(workspace))
      const filter = filterOf(query)
      return eventStream((stream) => {
        let sent = after
        let caughtUp = false
        let gone = false
        // A reader that is behind is sent nothing new: it catches up from what is kept once it has read.
        const send = (event: BenchEvent): void => {
          if (!filter.matches(event)) return
          sent = event.seq
          if (stream.send({ id: String(event.seq), json: eventJson(event) })) return
          caughtUp = false
          stream.onceDrained(catchUp)
        }
        /** Told beside the events; whoever is behind gets it with the verdict, when that is read. */
        const sendOpinion = (msg_id: string, second_opinion: SecondOpinion): void => {
          const notice: OpinionNotice = { msg_id, second_opinion }
          if (!gone && filter.matches({ kind: 'verdict', msg_id } as BenchEvent)) {
            stream.send({ event: OPINION, json: JSON.stringify(notice) })
          }
        }
        const sendPastOpinion = async (event: BenchEvent): Promise<void> => {
          if (event.kind !== 'verdict' || event.second_opinion !== undefined) return
          const opinion = await admin.secondOpinions.of(workspace, event.msg_id)
          if (opinion !== undefined) sendOpinion(event.msg_id, opinion)
        }
        const catchUp = (): void => {
          if (gone) return
          const { events, more } = recorder.read(workspace, { after: sent, limit: SLICE, ...filter })
          caughtUp = true
          for (const event of events) {
            send(event)
            void sendPastOpinion(event)
            if (!caughtUp) return
          }
          if (!more) return
          caughtUp = false
          setImmediate(catchUp)
        }
        const stopListening = recorder.listen(workspace, (event) => caughtUp && send(event), stream.end)
        const stopHearing = admin.secondOpinions.listen(
          workspace,
          (id, opinion) => caughtUp && sendOpinion(id, opinion),
        )
        catchUp()
        return () => {
          gone = true
          stopListening()
          stopHearing()
        }
      })
    },
    'events.report': async ({ workspace, query }) => {
      const { title = `Workspace ${workspace}`, after = 0, phone_id } = query
      const kept = recorder.read(workspace, {
        after,
        limit: REPORT_EVENTS,
        latest: true,
        characters: REPORT_CHARACTERS,
      })
      const found = phone_id === undefined ? kept.events : eventsOfPhone(kept.events, phone_id)
      const events = await withOpinions(admin, workspace, found)
      const now = { wall: real.now(), bench: clocks.of(workspace).now() }
      const { version } = info
      return ok({ html: reportPage({ title, workspace, version, events, more: kept.more, now }, en) })
    },
    'events.signature': async ({ workspace, params }) => {
      const seq = Number(params.seq)
      const [event] = recorder.read(workspace, { after: seq - 1, limit: 1 }).events
      if (event?.seq !== seq || event.kind !== 'exchange') {
        return err(refuse('not_found', { code: 'no_exchange', params: { seq: params.seq } }))
      }
      if (event.response.code !== errors.signature_mismatch.code) {
        return err(refuse('wrong_state', { code: 'signature_not_refused', params: { code: event.response.code } }))
      }
      const { method, target, headers, body, body_bytes } = event.request
      const signed = relyingParties.signedAs(workspace, signatureIn(headers))
      const payloadHash = Buffer.byteLength(body) === body_bytes ? undefined : toldHash(event.response.body)
      const explained = await admin.signatures.explain(workspace, {
        ...{ method, target, headers, body },
        ...(signed === undefined ? {} : { signed }),
        ...(payloadHash === undefined ? {} : { payloadHash }),
      })
      if (!explained.ok) return explained
      const mistakes = explained.value.mistakes.map((named) => ({ ...named, sentence: en.signingMistakes[named.id] }))
      return ok({ ...explained.value, mistakes })
    },
    'events.wait': ({ workspace, body, request }) => {
      const { match, after = recorder.lastSeq(workspace), timeout_ms = DEFAULT_WAIT_MS } = body
      const never = matchProblem(match)
      if (never !== undefined) return Promise.resolve(err(never))
      const matches = (event: BenchEvent): boolean => eventMatches(event, match)
      const [known] = recorder.read(workspace, { after, limit: 1, matches, mentions: textsOf(match) }).events
      const told = async (event: BenchEvent): Answer<BenchEvent> => {
        const [complete = event] = await withOpinions(admin, workspace, [event])
        return ok(complete)
      }
      if (known !== undefined) return told(known)
      return new Promise((resolve) => {
        const hear = (event: BenchEvent): void => {
          if (event.seq > after && matches(event)) finish(told(event))
        }
        const stopListening = recorder.listen(workspace, hear, () => giveUp())
        const finish = (outcome: Parameters<typeof resolve>[0]): void => {
          stopListening()
          cancelTimer()
          request.gone.removeEventListener('abort', giveUp)
          closing.removeEventListener('abort', giveUp)
          resolve(outcome)
        }
        const giveUp = (): void => finish(err(nothingCame({ recorder, workspace, after, match, timeout_ms })))
        const cancelTimer = real.at(real.now() + timeout_ms, giveUp)
        request.gone.addEventListener('abort', giveUp)
        closing.addEventListener('abort', giveUp)
      })
    },
  }
}

const signatureIn = (headers: readonly HeaderPair[]): string => headerOf(headers, 'authorization')?.slice(-64) ?? ''

/** A body that is no text is recorded as what is readable of it; its hash stands in the service's answer. */
const toldHash = (answer: string): string | undefined => {
  try {
    const canonical: unknown = JSON.parse(answer)?.data?.canonical_request
    return typeof canonical === 'string' ? canonical.slice(canonical.lastIndexOf('\n') + 1) : undefined
  } catch {
    return undefined
  }
}

const nothingCame = (waited: {
  readonly recorder: ControlParts['recorder']
  readonly workspace: string
  readonly after: number
  readonly match: unknown
  readonly timeout_ms: number
}) => {
  const { events } = waited.recorder.read(waited.workspace, { after: waited.after, limit: SHOWN, latest: true })
  const came = events.map((event) => ({ seq: event.seq, kind: event.kind, text: eventSummary(event) }))
  const count = Math.max(0, waited.recorder.lastSeq(waited.workspace) - waited.after)
  return refuse(
    'wait_ended',
    {
      code: 'waited',
      params: { timeout_ms: waited.timeout_ms, match: JSON.stringify(waited.match), count, came },
    },
    { data: { after: waited.after, count, came } },
  )
}

type Filters = Query<'events.stream'>

/** Where an event carries the id of what it is about. */
const filterOf = ({ kind, msg_id, device_id, rp_id, phone_id, cause }: Filters) => {
  const kinds = kind?.split(',') as readonly EventKind[] | undefined
  const fields = Object.entries({ msg_id, device_id, rp_id, phone_id, cause }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return {
    ...(kinds === undefined ? {} : { kinds }),
    mentions: fields.map(([, value]) => value),
    matches: (event: BenchEvent): boolean =>
      (kinds === undefined || kinds.includes(event.kind)) &&
      fields.every(([key, value]) => (event as Readonly<Record<string, unknown>>)[key] === value),
  }
}
