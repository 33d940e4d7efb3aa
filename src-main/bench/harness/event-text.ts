import { type BenchEvent, EVENT_VERSION, type EventDraft, type ExchangeFact } from '../../core/contract/events.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import { rememberByObject } from '../../core/protocol/remember.ts'

export type EventHead = Pick<BenchEvent, 'v' | 'seq' | 'workspace' | 'wall' | 'bench'>

/** Of an event that several hear: its text is made for the first of them. */
export const eventJson = rememberByObject((event: BenchEvent) => JSON.stringify(event))

/**
 * An event as the texts it is kept as: one, its JSON. Exchanges, of which there are most, are kept as their parts, so
 * that what was the same in the last one need not be kept again. What is often the same as its neighbour stands there.
 * The few in which a fault or the conditions had a hand, or that were sent again, hold more.
 */
export const encodeEvent = (head: EventHead, draft: EventDraft): readonly string[] =>
  draft.kind === 'exchange' &&
  draft.faults === undefined &&
  draft.conditions === undefined &&
  draft.resent === undefined
    ? encodeExchange(head, draft)
    : [`${headText(head)},${JSON.stringify(draft).slice(1)}`]

const headText = ({ v, seq, workspace, wall, bench }: EventHead): string =>
  `{"v":${v},"seq":${seq},"workspace":${JSON.stringify(workspace)},"wall":${wall},"bench":${bench}`

export const decodeEvent = (texts: readonly string[]): BenchEvent =>
  texts.length === 1 ? (JSON.parse(texts[0] ?? '') as BenchEvent) : decodeExchange(texts)

/** False: no value of the event is this text. True: perhaps one is. */
export const mayHold = (texts: readonly string[], value: string): boolean =>
  texts.length === 1 ? (texts[0] ?? '').includes(JSON.stringify(value)) : texts.includes(value)

/** How a value that is a text may stand in what is kept. */
export const formsOf = (value: string): readonly string[] => [...new Set([value, JSON.stringify(value).slice(1, -1)])]

type Exchange = Extract<EventDraft, { readonly kind: 'exchange' }>

const encodeExchange = (head: EventHead, fact: Exchange): readonly string[] => {
  const { actor, request, response } = fact
  const texts = [
    fact.kind,
    `${head.seq}`,
    head.workspace,
    `${head.wall}`,
    `${head.bench}`,
    fact.interface,
    `${fact.took_us}`,
    request.id,
    fact.cause ?? '',
    actor.kind,
    actor.id ?? '',
    fact.rp_id ?? '',
    fact.device_id ?? '',
    fact.access_key_id ?? '',
    fact.scope ?? '',
    fact.msg_id ?? '',
    fact.asked_by ?? '',
    fact.answered_by ?? '',
    fact.traceparent ?? '',
    request.method,
    request.target,
    request.route ?? '',
    request.body,
    `${request.body_bytes}`,
    `${response.status}`,
    `${response.code}`,
    response.body,
    `${request.headers.length}`,
  ]
  for (const [name, value] of request.headers) texts.push(name, value)
  for (const [name, value] of response.headers) texts.push(name, value)
  return texts
}

const decodeExchange = (texts: readonly string[]): BenchEvent => {
  let at = 1
  const text = (): string => texts[at++] ?? ''
  const number = (): number => Number(text())
  const pairs = (count: number): readonly HeaderPair[] => Array.from({ length: count }, () => [text(), text()] as const)

  const seq = number()
  const workspace = text()
  const [wall, bench] = [number(), number()]
  const side = text() as ExchangeFact['interface']
  const took_us = number()
  const id = text()
  const cause = given({ cause: text() })
  const actor = { kind: text() as BenchEvent['actor']['kind'], ...given({ id: text() }) }
  const known = given({
    rp_id: text(),
    device_id: text(),
    access_key_id: text(),
    scope: text(),
    msg_id: text(),
    asked_by: text(),
    answered_by: text() as ExchangeFact['answered_by'] & string,
    traceparent: text(),
  })
  const [method, target] = [text(), text()]
  const route = given({ route: text() })
  const [body, body_bytes] = [text(), number()]
  const [status, code, answer] = [number(), number(), text()]
  const headers = pairs(number())
  const answered = pairs((texts.length - at) / 2)
  return {
    ...{ v: EVENT_VERSION, seq, workspace, wall, bench, kind: 'exchange', interface: side },
    request: { id, method, target, ...route, headers, body, body_bytes },
    response: { status, code, headers: answered, body: answer },
    ...{ took_us, ...known, actor, ...cause },
  }
}

/** An empty text stands for what is not there. */
const given = <T extends Readonly<Record<string, string>>>(parts: T): Partial<T> =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== '')) as Partial<T>
