import type { HeaderPair } from '../protocol/canonical-request.ts'
import { EVENT_VERSION, type EventDraft, type ExchangeEvent, type ExchangeFact } from '../protocol/exchange-event.ts'

export type EventHead = Pick<ExchangeEvent, 'v' | 'seq' | 'workspace' | 'wall' | 'bench'>

/**
 * An event as the text it is kept as: JSON. Exchanges, of which there are most, are kept as their parts, one on a line,
 * which takes a third of the time and half of the room; the two bodies come last, since they alone may have lines.
 */
export const encodeEvent = (head: EventHead, draft: EventDraft): string =>
  draft.kind === 'exchange' && isPlain(draft) ? encodeExchange(head, draft) : JSON.stringify({ ...head, ...draft })

export const decodeEvent = (text: string): ExchangeEvent =>
  text.startsWith('{') ? (JSON.parse(text) as ExchangeEvent) : decodeExchange(text)

/** False: no value of the event is this text. True: perhaps one is. */
export const mayHold = (text: string, value: string): boolean =>
  text.includes(text.startsWith('{') ? JSON.stringify(value) : value)

type Exchange = Extract<EventDraft, { readonly kind: 'exchange' }>

/** What came over a wire has no line breaks in its head (RFC 9112 section 5); ids are ours, or stood in such a head. */
const isPlain = ({ request, weather = '' }: Exchange): boolean =>
  !request.target.includes('\n') && !weather.includes('\n')

const encodeExchange = (head: EventHead, fact: Exchange): string => {
  const { actor, cause, request, response } = fact
  let text = `exchange\n${head.seq}\n${head.workspace}\n${head.wall}\n${head.bench}\n${fact.interface}\n${fact.took_us}\n`
  text += `${actor.kind}\n${actor.id ?? ''}\n${cause ?? ''}\n`
  text += `${fact.rp_id ?? ''}\n${fact.access_key_id ?? ''}\n${fact.device_id ?? ''}\n${fact.msg_id ?? ''}\n${fact.weather ?? ''}\n`
  text += `${request.id}\n${request.method}\n${request.target}\n${request.route ?? ''}\n${request.body_bytes}\n`
  text += `${response.status}\n${response.code}\n${request.body.length}\n${request.headers.length}\n`
  for (const [name, value] of request.headers) text += `${name}\n${value}\n`
  text += `${response.headers.length}\n`
  for (const [name, value] of response.headers) text += `${name}\n${value}\n`
  return text + request.body + response.body
}

const decodeExchange = (text: string): ExchangeEvent => {
  let at = text.indexOf('\n') + 1
  const line = (): string => {
    const end = text.indexOf('\n', at)
    const found = text.slice(at, end)
    at = end + 1
    return found
  }
  const pairs = (): readonly HeaderPair[] => Array.from({ length: Number(line()) }, () => [line(), line()] as const)

  const [seq, workspace, wall, bench] = [Number(line()), line(), Number(line()), Number(line())]
  const [side, took_us] = [line() as ExchangeFact['interface'], Number(line())]
  const actor = { kind: line() as ExchangeEvent['actor']['kind'], ...given({ id: line() }) }
  const cause = line()
  const known = given({
    rp_id: line(),
    access_key_id: line(),
    device_id: line(),
    msg_id: line(),
    weather: line(),
  })
  const asked = { id: line(), method: line(), target: line() }
  const route = given({ route: line() })
  const [body_bytes, status, code, length] = [Number(line()), Number(line()), Number(line()), Number(line())]
  const [headers, answered] = [pairs(), pairs()]
  const body = text.slice(at, at + length)
  return {
    ...{ v: EVENT_VERSION, seq, workspace, wall, bench, kind: 'exchange', interface: side },
    request: { ...asked, ...route, headers, body, body_bytes },
    response: { status, code, headers: answered, body: text.slice(at + length) },
    ...{ took_us, ...known, actor, ...given({ cause }) },
  }
}

/** An empty line stands for what is not there. */
const given = <T extends Readonly<Record<string, string>>>(parts: T): Partial<T> =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== '')) as Partial<T>
