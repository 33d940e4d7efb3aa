import type { eventRoutes } from '../../../core/contract/control/event-routes.ts'
import type { Body, Data, Query } from '../../../core/contract/control/routes.ts'
import { type Refusal, refuse, refuseField, withinField } from '../../../core/contract/errors.ts'
import {
  type BenchEvent,
  EVENT_KINDS,
  type EventKind,
  OPINION_EVENT,
  type OpinionNotice,
} from '../../../core/contract/events.ts'
import type { SecondOpinion } from '../../../core/contract/judge/verdict.ts'
import { impossibleMove, matchableEvents } from '../../../core/contract/matchable-events.ts'
import { REPORT_SEED } from '../../../core/contract/report-block.ts'
import * as t from '../../../core/contract/schema.ts'
import { findProblem } from '../../../core/contract/validate.ts'
import { en } from '../../../core/messages/en/en.ts'
import { eventSummary, findingsOf } from '../../../core/messages/event-sentences.ts'
import { recordingNotes as chineseNotes } from '../../../core/messages/zh/recording-notes.ts'
import { mapValues } from '../../../core/protocol/json.ts'
import { rememberByObject } from '../../../core/protocol/remember.ts'
import { err, ok } from '../../../core/protocol/result.ts'
import { type EventStream, eventStream } from '../../../http/event-stream.ts'
import { findHeader } from '../../../http/message.ts'
import { recordScenario } from '../../../views/recording/record-scenario.ts'
import { eventsOfPhone } from '../../../views/recording/related-events.ts'
import { agentReport, verdictWords } from '../../../views/report/agent-report.ts'
import { failureLines } from '../../../views/report/evidence-lines.ts'
import { reportFile, reportPage } from '../../../views/report/report-page.ts'
import { briefEvent } from '../../../views/timeline/event-views.ts'
import { writeTrace } from '../../../views/trace/write-trace.ts'
import { eventJson } from '../../harness/recorder.ts'
import type { Answer, Call, ControlParts, Handlers, RouteIds } from '../handler.ts'
import { loadViewer } from '../page.ts'
import { canRevealSecrets } from '../tokens.ts'
import { explainExchange, explainExchanges } from './explain-exchange.ts'
import { findCeremonies } from './find-ceremonies.ts'
import {
  addOpinions,
  entriesOf,
  listRpsIfReadable,
  makeTrace,
  PAGE_CHARACTERS,
  RECORDED_EVENTS,
  type ReportScope,
  readReportEvents,
  reportScope,
} from './reported-events.ts'

const DEFAULT_LIMIT = 1000
/** At most this many signatures are explained: a client usually has one mistake, and the report waits for each. */
const REPORT_SIGNATURES = 3
const DEFAULT_WAIT_MS = 10_000
/** Other requests run between slices. */
const SLICE = 100
/** Interval at which a busy stream wakes its readers; pages do not draw more often. */
const TOGETHER_MS = 20
const MAX_EVENTS_SHOWN = 20
const NOTES = { en: en.recordingNotes, zh: chineseNotes }

export const eventHandlers = (parts: ControlParts): Handlers<RouteIds<typeof eventRoutes>> => {
  const { recorder, real, closing, admin, clocks, info } = parts
  return {
    'events.list': async ({ workspace, query }) => {
      const { after = 0, limit = DEFAULT_LIMIT, latest = false, brief = false } = query
      const page = recorder.read(workspace, { after, limit, latest, characters: PAGE_CHARACTERS, ...filterOf(query) })
      const events = await addOpinions(admin, workspace, brief ? page.events.map(briefEvent) : page.events)
      return ok({ ...page, events })
    },
    'events.ceremonies': ({ workspace, query }) => findCeremonies(parts, workspace, query),
    'events.stream': ({ workspace, query, request }) => {
      const resume = Number(findHeader(request.headers, 'last-event-id') ?? Number.NaN)
      const after = Number.isSafeInteger(resume) ? resume : (query.after ?? recorder.lastSeq(workspace))
      const filter = filterOf(query)
      const follow = (stream: EventStream): (() => void) => {
        let sent = after
        let caughtUp = false
        let gone = false
        // A slow reader gets no new events. Once it has read, it catches up from the kept ones.
        const send = (event: BenchEvent): void => {
          if (!filter.matches(event)) return
          sent = event.seq
          if (stream.send({ id: String(event.seq), json: eventJson(event) })) return
          caughtUp = false
          stream.onceDrained(catchUp)
        }
        /** Sends an opinion apart from the events; a client that is behind gets it with the verdict. */
        const sendOpinion = (msg_id: string, second_opinion: SecondOpinion): void => {
          const notice: OpinionNotice = { msg_id, second_opinion }
          if (!gone && filter.matches({ kind: 'verdict', msg_id } as BenchEvent)) {
            stream.send({ event: OPINION_EVENT, json: JSON.stringify(notice) })
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
      }
      return eventStream(follow, { togetherMs: TOGETHER_MS })
    },
    'events.report': async ({ workspace, query }) => {
      const { title = en.defaultTitles.workspace({ workspace }), failure, after = 0, phone_id } = query
      const kept = await readReportEvents(recorder, workspace, after)
      const found = phone_id === undefined ? kept.events : eventsOfPhone(kept.events, phone_id)
      const events = await addOpinions(admin, workspace, found)
      const signatures = await explainFindings(parts, workspace, events)
      const now = { wall: real.now(), bench: clocks.of(workspace).now() }
      const { version } = info
      const { leftOut } = kept
      const named = await listRpsIfReadable(parts, workspace)
      const about = { handset: version, title, workspace, saved: Math.round(now.wall), ...named }
      const trace = Buffer.from(await writeTrace(about, entriesOf(events, signatures))).toString('base64')
      const viewer = loadViewer(parts.pageFolder)
      const reported = { title, failure, workspace, version, events, signatures, leftOut, now, trace }
      const html = reportPage({ ...reported, viewer: viewer.ok ? viewer.value : undefined }, en)
      return ok({ html, lines: failureLines({ events, signatures }, en) })
    },
    'events.agent-report': (call) => agentReportOf(parts, call),
    'events.scenario': async ({ workspace, query }) => {
      const { msg_id, name, language = 'en' } = query
      const scope = reportScope(recorder, workspace, query)
      if (!scope.ok) return scope
      const rps = await admin.rps.list(workspace)
      if (!rps.ok) return rps
      const { after, before, during, lacks } = scope.value
      const { text, steps } = recordScenario({
        ...{ workspace, after, rps: rps.value, texts: NOTES[language] },
        name: name ?? (msg_id === undefined ? `Recorded in the workspace ${workspace}` : verdictWords(during)),
        events: [...before, ...during],
        ...(msg_id === undefined ? {} : { proof: proofOf(during), resends: true }),
      })
      return ok({ scenario: text, steps, last_seq: during.at(-1)?.seq ?? after, more: lacks === 'end' })
    },
    'events.trace': async ({ workspace, query }) => {
      const bytes = await makeTrace(parts, workspace, query)
      return ok({ handset: Buffer.from(bytes).toString('base64') })
    },
    'events.signature': ({ workspace, params }) => explainExchange(parts, workspace, Number(params.seq)),
    'events.wait': ({ workspace, body, request, caller }) => {
      const { match, after = recorder.lastSeq(workspace), timeout_ms = DEFAULT_WAIT_MS } = body
      const never = findMatchProblem(match)
      if (never !== undefined) return Promise.resolve(err(never))
      const matches = (event: BenchEvent): boolean => eventMatches(event, match)
      const [known] = recorder.read(workspace, { after, limit: 1, matches, mentions: textsOf(match) }).events
      const withOpinion = async (event: BenchEvent): Answer<BenchEvent> => {
        const [complete = event] = await addOpinions(admin, workspace, [event])
        return ok(complete)
      }
      if (known !== undefined) return withOpinion(known)
      const ends = [request.gone, closing, caller.revoked]
      return new Promise((resolve) => {
        const listener = (event: BenchEvent): void => {
          if (event.seq > after && matches(event)) finish(withOpinion(event))
        }
        const stopListening = recorder.listen(workspace, listener, () => giveUp())
        const finish = (outcome: Parameters<typeof resolve>[0]): void => {
          stopListening()
          cancelTimer()
          for (const end of ends) end?.removeEventListener('abort', giveUp)
          resolve(outcome)
        }
        const giveUp = (): void => finish(err(nothingCame(recorder, { workspace, after, match, timeout_ms })))
        const cancelTimer = real.at(real.now() + timeout_ms, giveUp)
        for (const end of ends) end?.addEventListener('abort', giveUp)
      })
    },
  }
}

type Waited = Required<Pick<Body<'events.wait'>, 'match' | 'after' | 'timeout_ms'>> & { readonly workspace: string }

const nothingCame = (recorder: ControlParts['recorder'], { workspace, after, match, timeout_ms }: Waited) => {
  const { events } = recorder.read(workspace, { after, limit: MAX_EVENTS_SHOWN, latest: true })
  const came = events.map((event) => ({ seq: event.seq, kind: event.kind, text: eventSummary(event) }))
  const count = Math.max(0, recorder.lastSeq(workspace) - after)
  const params = { timeout_ms, match: JSON.stringify(match), count, came }
  return refuse('wait_ended', { code: 'waited', params }, { data: { after, count, came } })
}

type Filters = Query<'events.stream'>

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

/** A repeated refusal is one finding, so only its last event is explained. */
const explainFindings = (parts: ControlParts, workspace: string, all: readonly BenchEvent[]) => {
  const findings = new Set(findingsOf(all, en).map(({ seq }) => seq))
  const events = all.filter(({ seq }) => findings.has(seq))
  return explainExchanges(parts, workspace, { events, most: REPORT_SIGNATURES })
}

/** Why no scenario repeats the events. */
type Lack = ReportScope['lacks'] | 'steps'

const WHY_NOT: Readonly<Record<NonNullable<Lack>, string>> = {
  beginning: 'No scenario repeats it: how it began is no longer kept.',
  end: `No scenario repeats it: more than ${RECORDED_EVENTS} events belong to it.`,
  steps: 'No scenario repeats it: no step of one does what was done here.',
}

const agentReportOf = async (
  parts: ControlParts,
  { workspace, query, caller }: Call<'events.agent-report'>,
): Answer<Data<'events.agent-report'>> => {
  const { recorder, admin, real, seedOf, info } = parts
  const { title, failure } = query
  const scope = reportScope(recorder, workspace, query)
  if (!scope.ok) return scope
  const rps = await admin.rps.list(workspace)
  if (!rps.ok) return rps
  const { after, before, during, lacks } = scope.value
  const events = await addOpinions(admin, workspace, during)
  const signatures = await explainFindings(parts, workspace, events)
  const name = title ?? verdictWords(events)
  const { text, steps, profile } = recordScenario({
    ...{ workspace, name, after, rps: rps.value, texts: en.recordingNotes, proof: proofOf(events), resends: true },
    events: [...before, ...events],
  })
  const lack: Lack = lacks ?? (steps === 0 ? 'steps' : undefined)
  const seed = canRevealSecrets(caller) ? seedOf(workspace) : undefined
  const repeat = lack === undefined ? { text, seed: seed ?? REPORT_SEED } : WHY_NOT[lack]
  const about = { workspace, version: info.version, seed, profile, now: real.now() }
  const markdown = agentReport({ title, failure, ...about, events, signatures, repeat }, en)
  return ok({ markdown, file: reportFile(name), repeats: lack === undefined })
}

/** Compares objects by the members that the pattern names, lists entry by entry, other values exactly. */
export const eventMatches = (value: unknown, pattern: unknown): boolean => {
  if (typeof pattern !== 'object' || pattern === null) return value === pattern
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(pattern)) {
    return (
      Array.isArray(value) && pattern.length === value.length && pattern.every((one, i) => eventMatches(value[i], one))
    )
  }
  return Object.entries(pattern).every(
    ([key, wanted]) => Object.hasOwn(value, key) && eventMatches((value as Record<string, unknown>)[key], wanted),
  )
}

/** Every text in a pattern: an event that matches contains all of them. */
const textsOf = (pattern: unknown): readonly string[] =>
  typeof pattern === 'string'
    ? [pattern]
    : typeof pattern === 'object' && pattern !== null
      ? Object.values(pattern).flatMap(textsOf)
      : []

const patternOf = ({ anyOf, properties, items, ...schema }: t.JsonSchema): t.Schema => {
  if (anyOf !== undefined) return t.either(...anyOf.map(patternOf))
  if (items !== undefined) return { ...schema, items: patternOf(items) }
  return properties === undefined ? schema : t.object(mapValues(properties, patternOf), { required: [] })
}

const matching = (match: t.Schema) => t.object({ match })

/** Last expectation of a scenario: the judge refuses at the same step, or the request expires. */
const proofOf = (events: readonly BenchEvent[]): Readonly<Record<string, unknown>> | undefined => {
  const judged = events.findLast((event) => event.kind === 'verdict' && !event.accepted)
  if (judged?.kind === 'verdict' && judged.failure !== undefined) {
    return { kind: 'verdict', accepted: false, failure: judged.failure }
  }
  const ended = events.findLast((event) => event.kind === 'message')
  return ended?.kind === 'message' && ended.to === 'timeout' ? { kind: 'message', to: 'timeout' } : undefined
}

/** The schemas are made at the first match, so the start does not wait for them. */
const matchesOf = rememberByObject((events: Readonly<Record<string, t.JsonSchema>>) => {
  const schemas = Object.values(events)
  const patterns = schemas.map(patternOf)
  const fields = schemas.map(({ properties = {} }) => mapValues(properties, () => t.anything()))
  return {
    ofKind: new Map<unknown, t.Schema>(patterns.map((pattern, i) => [Object.keys(events)[i], matching(pattern)])),
    ofAnyKind: matching({ anyOf: patterns, ...t.expecting({ code: 'fields_of_one_kind' }) }),
    withKnownFields: matching(
      t.object({ ...Object.assign({}, ...fields), kind: t.choice(EVENT_KINDS) }, { required: [] }),
    ),
  }
})

/** Refuses a match that no event can have: a wait would never end, and a test that expects no event would pass. */
export const findMatchProblem = (match: Readonly<Record<string, unknown>>): Refusal | undefined => {
  const { ofKind, ofAnyKind, withKnownFields } = matchesOf(matchableEvents())
  const known = ofKind.get(match.kind)
  const problem = findProblem({ match }, known ?? withKnownFields) ?? findProblem({ match }, known ?? ofAnyKind)
  if (problem !== undefined) return refuseField(problem)
  const move = impossibleMove(match)
  return move && refuseField(withinField('match', move))
}
