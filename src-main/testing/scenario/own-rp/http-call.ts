import type { StepInput } from '../../../core/contract/scenario.ts'
import { parseJsonOrNothing } from '../../../core/protocol/json.ts'
import { errorMessage } from '../../../core/protocol/message-of.ts'
import { readBounded } from '../../../core/protocol/read-bounded.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { Cookies } from '../../calls/cookies.ts'
import { failure, type StepFailure } from '../step-outcome.ts'
import { limitInMs } from '../time-limit.ts'

/** An answer of an RP, as `answer` and `save` see it. */
export type HttpAnswer = {
  readonly status: number
  readonly url: string
  /** Names are in lower case; values of the same name are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Present if the body is JSON. */
  readonly json?: unknown
  /** The body's bytes, for a picture. */
  readonly base64: string
}

type Context = { readonly cookies: Cookies; readonly stop: AbortSignal; readonly patience: number }

/** More than a page or an API sends: the limit stops an RP that never ends its answer. */
const MAX_BYTES = 8 * 1024 * 1024
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Calls an RP. If it does not answer, for whatever reason, the step fails. */
export const httpCall = async (
  input: StepInput<'http'>,
  { cookies, stop, patience }: Context,
): Promise<Result<HttpAnswer, StepFailure>> => {
  const within_ms = Math.max(1, Math.min(limitInMs(input.timeout), patience))
  const signal = AbortSignal.any([stop, AbortSignal.timeout(within_ms)])
  const most = input.redirects ?? 0
  let request = requestOf(input)
  for (let followed = 0; ; followed++) {
    const url = addressOf(request.url)
    if (url === undefined)
      return err({ ...failure({ code: 'not_an_address', params: { url: request.url } }), final: true })
    const answer = await once(url, request, { cookies, signal, stop, within_ms })
    if (!answer.ok) return answer
    const { status, headers } = answer.value
    if (most === 0 || !REDIRECTS.has(status) || headers.location === undefined) return answer
    const next = URL.parse(headers.location, url)?.href
    if (next === undefined) return err(failure({ code: 'not_an_address', params: { url: headers.location } }))
    if (followed === most) return err(failure({ code: 'too_many_redirects', params: { url: next, most } }))
    request = redirected(request, status, next)
  }
}

type Request = {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

const requestOf = ({ url, method, headers = {}, json, form, body }: StepInput<'http'>): Request => {
  const own = texts(headers)
  const sent =
    json !== undefined
      ? { body: JSON.stringify(json), type: 'application/json' }
      : form !== undefined
        ? { body: new URLSearchParams(texts(form)).toString(), type: 'application/x-www-form-urlencoded' }
        : { body, type: undefined }
  const typed = Object.keys(own).some((name) => name.toLowerCase() === 'content-type')
  return {
    url,
    method: method ?? (sent.body === undefined ? 'GET' : 'POST'),
    headers: typed || sent.type === undefined ? own : { ...own, 'content-type': sent.type },
    body: sent.body,
  }
}

const texts = (values: Readonly<Record<string, string | number | boolean>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]))

/** RFC 9110 §15.4: 307 and 308 keep the method and the body. */
const redirected = (request: Request, status: number, url: string): Request =>
  status === 307 || status === 308
    ? { ...request, url }
    : {
        url,
        method: request.method === 'HEAD' ? 'HEAD' : 'GET',
        headers: withoutContent(request.headers),
        body: undefined,
      }

const withoutContent = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.toLowerCase().startsWith('content-')))

const addressOf = (url: string): URL | undefined => {
  const parsed = URL.parse(url)
  return parsed !== null && (parsed.protocol === 'http:' || parsed.protocol === 'https:') ? parsed : undefined
}

type Once = Omit<Context, 'patience'> & { readonly signal: AbortSignal; readonly within_ms: number }

const once = async (
  url: URL,
  { method, headers, body }: Request,
  { cookies, signal, stop, within_ms }: Once,
): Promise<Result<HttpAnswer, StepFailure>> => {
  // A step with a `cookie` header acts for another browser.
  const named = Object.keys(headers).some((name) => name.toLowerCase() === 'cookie')
  const cookie = named ? undefined : cookies.headerFor(url)
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      signal,
      headers: { ...headers, ...(cookie === undefined ? {} : { cookie }) },
      ...(body === undefined ? {} : { body }),
    })
    if (!named) cookies.keep(url, response.headers.getSetCookie())
    const bytes = await readBounded(response.body, MAX_BYTES)
    if (bytes === undefined)
      return err(failure({ code: 'too_large', params: { url: url.href, most_bytes: MAX_BYTES } }))
    return ok(answerOf(url, response, Buffer.from(bytes)))
  } catch (error) {
    stop.throwIfAborted()
    if (signal.aborted) return err(failure({ code: 'too_slow', params: { url: url.href, within_ms } }))
    return err(failure({ code: 'unreachable', params: { url: url.href, error: causeOf(error) } }))
  }
}

const answerOf = (url: URL, { status, headers }: Response, bytes: Buffer): HttpAnswer => {
  const text = bytes.toString('utf8')
  const json = parseJsonOrNothing(text)
  return {
    status,
    url: url.href,
    headers: Object.fromEntries(headers),
    text,
    ...(json === undefined ? {} : { json }),
    base64: bytes.toString('base64'),
  }
}

/** fetch says only that it failed; its cause says why. */
const causeOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof AggregateError)
    return cause.errors.map((each: unknown) => String((each as Error).message)).join('; ')
  if (cause instanceof Error) return cause.message
  return errorMessage(error)
}
