import { LAST_EVENT } from '../core/contract/control/route.ts'
import {
  type Body,
  CONTROL_PREFIX,
  type Data,
  type Params,
  type Query,
  type RouteId,
  routeOf,
} from '../core/contract/control/routes.ts'
import type { ControlPhone } from '../core/contract/control/states.ts'
import { type BenchEvent, OPINION_EVENT, type OpinionNotice } from '../core/contract/events.ts'
import { streamedEvents } from '../core/protocol/event-stream.ts'
import { isObject } from '../core/protocol/json.ts'
import { HandsetError, parseEnvelope, sdkError } from './errors.ts'

export type { Body, ControlPhone, Data, Params, Query }

/** The parts of an answer that the client needs. */
export type ControlAnswer = Pick<Response, 'ok' | 'status' | 'body' | 'text'> & {
  readonly headers: Pick<Headers, 'get'>
}

export type ControlClientOptions = {
  /** `http://localhost:7420/control/v1`, or `http://localhost:7420/w/<id>/control/v1`; relative in a page. */
  readonly controlUrl: string
  readonly token: string
  readonly fetch?: (url: string, init: RequestInit) => Promise<ControlAnswer>
  /** Fetch that does not keep the process from ending, used to hold a lease; `fetch` when absent. */
  readonly fetchAside?: (url: string, init: RequestInit) => Promise<ControlAnswer>
  /** Aborted when the client closes: its leases then end. */
  readonly closed?: AbortSignal
  /** Timeout of an answer, in addition to a call's own waiting time; no limit when absent. */
  readonly timeoutMs?: number
}

/** A refusal in the envelope. */
export class ControlError extends HandsetError<number> {
  override readonly name = 'ControlError'
}

type Inputs<Id extends RouteId> = Input<'params', Params<Id>> & Input<'query', Query<Id>> & Input<'body', Body<Id>>

/** An input is absent when its route has none, and optional when none of its fields is required. */
type Input<K extends string, V> = [V] extends [undefined]
  ? { readonly [P in K]?: never }
  : Record<never, never> extends V
    ? { readonly [P in K]?: V }
    : { readonly [P in K]: V }

type CallOptions = { readonly signal?: AbortSignal }

export type CallArguments<Id extends RouteId> =
  Record<never, never> extends Inputs<Id> ? [inputs?: Inputs<Id> & CallOptions] : [inputs: Inputs<Id> & CallOptions]

export type ControlClient = {
  readonly controlUrl: string
  /** Aborted when the client closes: its leases then end. */
  readonly closed?: AbortSignal
  /** `client.call('phones.scan', {params: {id}, body: {url}})`; a refusal throws ControlError. */
  call<Id extends RouteId>(id: Id, ...inputs: CallArguments<Id>): Promise<Data<Id>>
  /** The recorded events after `after`, then new ones, until the signal ends it. Resumes after a broken connection. */
  events(options?: EventsOptions): AsyncGenerator<BenchEvent>
  /** Keeps a lease until the connection ends, for any reason; refused if the lease does not exist. */
  hold(lease: string, signal: AbortSignal): Promise<void>
  /** Number of answers so far, and the workspace's latest event at the time of the last answer, if any. */
  progress(): Progress
  /** A client of another workspace. */
  workspace(id: string): ControlClient
}

export type Progress = { readonly answers: number; readonly last_seq: number | undefined }

export type EventsOptions = {
  readonly after?: number
  /** Kinds joined by commas. */
  readonly kind?: string
  readonly msg_id?: string
  readonly signal?: AbortSignal
  /** Called for second opinions, which are not events and may come after the verdict. */
  readonly onOpinion?: (notice: OpinionNotice) => void
  /** Called before a broken connection is retried; false gives up. */
  readonly retry?: (attempt: number, error: unknown) => Promise<boolean>
}

type LooseInputs = CallOptions & {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

export const createControlClient = (options: ControlClientOptions): ControlClient => {
  const request = options.fetch ?? ((url, init) => fetch(url, init))
  const authorization = `Bearer ${options.token}`
  let progress: Progress = { answers: 0, last_seq: undefined }

  const send = async (id: RouteId, inputs: LooseInputs, signal: AbortSignal | undefined): Promise<unknown> => {
    const route = routeOf(id)
    const url = options.controlUrl + fill(route.path, inputs.params ?? {}) + queryText(inputs.query ?? {})
    const response = await request(url, {
      method: route.method,
      headers: { authorization, ...(route.body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(route.body === undefined ? {} : { body: JSON.stringify(inputs.body ?? {}) }),
      ...(signal === undefined ? {} : { signal }),
    })
    const last = response.headers.get(LAST_EVENT)
    progress = { answers: progress.answers + 1, last_seq: last === null ? undefined : Number(last) }
    return openEnvelope(response)
  }

  const call = async (id: RouteId, inputs: LooseInputs = {}): Promise<unknown> => {
    const { timeoutMs } = options
    if (timeoutMs === undefined) return send(id, inputs, inputs.signal)
    const waits = isObject(inputs.body) && typeof inputs.body.timeout_ms === 'number' ? inputs.body.timeout_ms : 0
    const limit = AbortSignal.timeout(timeoutMs + waits)
    try {
      return await send(id, inputs, inputs.signal === undefined ? limit : AbortSignal.any([inputs.signal, limit]))
    } catch (error) {
      if (!limit.aborted || error !== limit.reason) throw error
      const what = `${options.controlUrl} did not answer within ${timeoutMs + waits} ms`
      throw sdkError('no_answer', `${what}: it may be busy, stopped, or something else.`)
    }
  }

  async function* events({ after, kind, msg_id, signal, onOpinion, retry = waitBeforeRetry }: EventsOptions = {}) {
    const ended = (): boolean => signal?.aborted === true
    let last = after
    let attempt = 0
    while (!ended()) {
      let failure: unknown
      try {
        const query = queryText({ after: last, kind, msg_id })
        const response = await request(`${options.controlUrl}/events/stream${query}`, {
          headers: { authorization, accept: 'text/event-stream' },
          ...(signal === undefined ? {} : { signal }),
        })
        if (!response.ok || response.body === null) await openEnvelope(response)
        else {
          for await (const { event: name, data } of streamedEvents(response.body)) {
            if (name === OPINION_EVENT) {
              onOpinion?.(JSON.parse(data) as OpinionNotice)
              continue
            }
            const event = JSON.parse(data) as BenchEvent
            last = event.seq
            attempt = 0
            yield event
          }
        }
      } catch (error) {
        failure = error
      }
      if (ended()) return
      if (failure instanceof ControlError) throw failure
      if (!(await retry(attempt++, failure))) return
    }
  }

  const hold = async (lease: string, signal: AbortSignal): Promise<void> => {
    const path = fill(routeOf('leases.hold').path, { id: lease })
    const response = await (options.fetchAside ?? request)(options.controlUrl + path, {
      headers: { authorization },
      signal,
    })
    if (!response.ok || response.body === null) await openEnvelope(response)
    else for await (const _ of streamedEvents(response.body));
  }

  return {
    controlUrl: options.controlUrl,
    ...(options.closed === undefined ? {} : { closed: options.closed }),
    call: call as ControlClient['call'],
    events,
    hold,
    progress: () => progress,
    workspace: (id) => createControlClient({ ...options, controlUrl: workspaceUrl(options.controlUrl, id) }),
  }
}

/** Exchanges the page's one-time code for a token for all other calls. */
export const openSession = async (
  options: Omit<ControlClientOptions, 'token'> & { readonly code: string },
): Promise<string> => {
  const { token } = await createControlClient({ ...options, token: '' }).call('session.open', {
    body: { code: options.code },
  })
  return token
}

export const workspaceUrl = (controlUrl: string, workspace: string): string => {
  const root = controlUrl.replace(/(\/w\/[^/]+)?\/control\/v1$/, '')
  return `${root}${workspace === 'main' ? '' : `/w/${workspace}`}${CONTROL_PREFIX}`
}

const fill = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

const queryText = (query: Readonly<Record<string, unknown>>): string => {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  return pairs.length === 0
    ? ''
    : `?${pairs.map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`).join('&')}`
}

const openEnvelope = async (response: ControlAnswer): Promise<unknown> => {
  const text = await response.text()
  const envelope = parseEnvelope(text)
  if (envelope === undefined) {
    throw new ControlError({ code: 0, error: `HTTP ${response.status}: the answer is not an envelope.`, data: text })
  }
  if (envelope.code === 0) return envelope.data
  throw new ControlError(envelope)
}

/** Saved at load time: a test may replace the global function. */
const later = setTimeout

const waitBeforeRetry = async (attempt: number): Promise<boolean> => {
  await new Promise((resolve) => later(resolve, Math.min(5000, 200 * 2 ** Math.min(attempt, 5))))
  return true
}
