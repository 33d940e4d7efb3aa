import { Buffer } from 'node:buffer'
import type { HttpCall, ValueSource } from '../../../../core/contract/http-call.ts'
import type { WebauthnServer } from '../../../../core/contract/webauthn-server.ts'
import { isObject, parseJsonOrNothing } from '../../../../core/protocol/json.ts'
import { err, ok, type Result } from '../../../../core/protocol/result.ts'
import { decodeEntities } from '../../../calls/session.ts'
import {
  type CallContext,
  decodeForm,
  describeCall,
  escapeRegex,
  type FieldPath,
  findLeaves,
  type KeptValue,
  MAX_CHANCE_LENGTH,
  memberPath,
  membersOf,
  type ObservedAnswer,
  type ObservedCall,
  patternBefore,
  type Visit,
} from './describe-call.ts'

/** The same ceremony twice: with an honest answer of the authenticator, then with a wrong one. */
export type VisitPair = { readonly honest: Visit; readonly wrong?: Visit | undefined }

/** A comment in the configuration, for the person who reads it. */
export type ConfigNote = { readonly path: FieldPath; readonly text: string }

export type RecognisedServer = {
  readonly config: WebauthnServer
  readonly notes: readonly ConfigNote[]
  /** Calls that may be unnecessary, since no later call uses their answers. The last call of a step is always needed. */
  readonly doubtful: readonly string[]
  /** The same server without this call. */
  without(doubtful: string): RecognisedServer
}

type Pairs = { readonly page: string; readonly registration: VisitPair; readonly signIn: VisitPair }

type Call = HttpCall & {
  readonly options?: ValueSource
  readonly accepted?: { readonly read: ValueSource; readonly is?: unknown }
  readonly refused?: string
}

/** Finds and describes the calls of both ceremonies in the browser's requests. Missing parts become notes. */
export const recogniseServer = (pairs: Pairs, leftOut: readonly string[] = []): RecognisedServer => {
  const [notes, doubtful]: [ConfigNote[], string[]] = [[], []]
  const page = new URL(pairs.page).origin
  const asked = optionsOf(pairs.registration.honest)
  const server = asked === undefined ? page : new URL(pairs.registration.honest.seen[asked.at]?.url ?? page).origin
  const writing = { server, notes, doubtful, leftOut }
  const { before, ...registering } = ceremonyCalls(pairs.registration, { ceremony: 'registration', ...writing })
  const signingIn = ceremonyCalls(pairs.signIn, { ceremony: 'sign_in', ...writing })
  const config = {
    ...{ url: server, ...(server === page ? {} : { origin: page }) },
    ...(before.length === 0 ? {} : { before: before.map((http) => ({ http })) }),
    calls: {
      ...{ registration_options: registering.options, registration: registering.answer },
      ...{ sign_in_options: signingIn.options, sign_in: signingIn.answer },
    },
  }
  const without = (call: string): RecognisedServer => recogniseServer(pairs, [...leftOut, call])
  return { config: config as WebauthnServer, notes, doubtful, without }
}

// --- Finding the two calls of a ceremony ---

type Found = { readonly at: number; readonly reading?: ValueSource | undefined; readonly problem?: string }

/** The latest answer before the ceremony that has its challenge. */
const optionsOf = ({ seen, ceremony }: Visit): Found | undefined => {
  for (let at = Math.min(ceremony.at, seen.length) - 1; at >= 0; at--) {
    const text = seen[at]?.answer.text ?? ''
    const json = parseJsonOrNothing(text)
    if (json !== undefined) {
      const path = findLeaves(json).find(({ value }) => isSameOctets(value, ceremony.challenge))?.path
      if (path === undefined) continue
      const parent = path.slice(0, -1)
      const isUsual = parent.length === 0 || (parent.length === 1 && parent[0] === 'publicKey')
      if (isUsual) return { at }
      const reading = memberPath(parent)
      return reading === undefined ? { at, problem: 'the options stand in a list' } : { at, reading }
    }
    const found = jsonAround(text, ceremony.challenge)
    if (found !== undefined) return { at, ...found }
  }
  return undefined
}

/** The first request after the ceremony that has the authenticator's answer; -1 if there is none. */
const answerOf = ({ seen, ceremony }: Visit): number => {
  const spellings = spellingsOf(ceremony.response.response.clientDataJSON)
  return seen.findIndex(({ body = '', url }, i) => {
    if (i < ceremony.at) return false
    const texts = [body, decodeForm(body), url]
    return spellings.some((spelling) => texts.some((text) => text.includes(spelling)))
  })
}

const octetsOf = (base64url: string): Buffer => Buffer.from(base64url, 'base64url')

/** The encodings in which a page may send these octets. */
const spellingsOf = (base64url: string): readonly string[] => [
  base64url,
  octetsOf(base64url).toString('base64').replace(/=+$/, ''),
  octetsOf(base64url).toString('hex'),
  [...octetsOf(base64url)].join(','),
]

const isSameOctets = (value: unknown, base64url: string): boolean =>
  typeof value === 'string' && (value === base64url || value.replace(/=+$/, '') === spellingsOf(base64url)[1])

/** Options that an HTML page has in an attribute or a script. */
const jsonAround = (text: string, challenge: string): Omit<Found, 'at'> | undefined => {
  const spelling = spellingsOf(challenge).find((each) => text.includes(each))
  if (spelling === undefined) return undefined
  const at = text.indexOf(spelling)
  for (let from = text.indexOf('{'); from >= 0 && from < at; from = text.indexOf('{', from + 1)) {
    const before = patternBefore(text, from)
    for (const pattern of [`${before}([^"]+)"`, `${before}([^']+)'`, `${before}([^<]+)<`, `${before}(\\{.*\\})`]) {
      const found = new RegExp(pattern, 'u').exec(text)?.[1]
      const json = found === undefined ? undefined : parseJsonOrNothing(decodeEntities(found))
      if (isObject(json) && findLeaves(json).some(({ value }) => isSameOctets(value, challenge)))
        return { reading: { text: pattern } }
    }
  }
  return { problem: 'its options are in the page, but not as JSON in an attribute or a script' }
}

// --- Describing these calls and the ones before them ---

type Writing = {
  readonly ceremony: 'registration' | 'sign_in'
  readonly server: string
  readonly notes: ConfigNote[]
  readonly doubtful: string[]
  readonly leftOut: readonly string[]
}

type Draft = {
  readonly call: Call
  readonly keep: Record<string, ValueSource>
  readonly remarks: readonly ConfigNote[]
}

const ceremonyCalls = (pair: VisitPair, { ceremony, server, notes, doubtful, leftOut }: Writing) => {
  const { honest, wrong } = pair
  const asking = optionsOf(honest)
  const asked = asking?.at ?? -1
  const answering = answerOf(honest)
  const partners = partnersOf(pair, { asked, answering })
  const drafts = new Map<number, Draft>()
  const kept: KeptValue[] = []

  const need: CallContext['need'] = (at) => {
    const seen = honest.seen[at]
    const keep: Draft['keep'] = drafts.get(at)?.keep ?? {}
    if (drafts.has(at) || seen === undefined) return keep
    drafts.set(at, { call: { path: '/' }, keep, remarks: [] })
    const remarks: ConfigNote[] = []
    const remark: CallContext['remark'] = (path, text) => void remarks.push({ path, text })
    const filling = { at, honest, wrong, partners, kept, need, remark, isAnswer: at === answering }
    drafts.set(at, { call: describeCall(seen, server, filling), keep, remarks })
    return keep
  }

  const last = answering < 0 ? asked : answering
  for (const [at, seen] of honest.seen.entries()) {
    if (at > last) break
    const isOwn = at === asked || at === answering
    // Later calls may need the changes that this one makes on the server.
    const isChange = !/^(GET|HEAD|OPTIONS)$/.test(seen.method) && siteOf(seen.url) === siteOf(server)
    if (isOwn || (isChange && seen.answer.status < 400)) need(at)
  }
  for (const at of cookieSources(honest, drafts)) need(at)

  const ordered = [...drafts].toSorted(([a], [b]) => a - b)
  const idOf = (at: number): string => `${ceremony} ${at}`
  const between = (from: number, to: number, isLastNeeded = true): typeof ordered => {
    const all = ordered.filter(([at]) => at > from && at <= to)
    const optional = isLastNeeded ? all.slice(0, -1) : all
    doubtful.push(...optional.flatMap(([at, { keep }]) => (Object.keys(keep).length === 0 ? idOf(at) : [])))
    return all.filter(([at]) => !leftOut.includes(idOf(at)))
  }
  const write = (among: typeof ordered, base: (i: number) => FieldPath): readonly Call[] =>
    among.map(([, { call, keep, remarks }], i) => {
      for (const { path, text } of remarks) notes.push({ path: [...base(i), ...path], text })
      return { ...call, ...(Object.keys(keep).length === 0 ? {} : { keep }) }
    })
  /** Describes the calls of one step; the last one gets `more`. Values without a source become notes. */
  const step = (name: string, among: typeof ordered, more: Partial<Call>): unknown => {
    if (among.length === 0) {
      notes.push({ path: ['calls', name], text: `Not recognised. ${seenOf(honest, name)}` })
      return { path: '/' }
    }
    const calls = write(among, (i) => ['calls', name, ...(among.length === 1 ? [] : [i])])
    const all = calls.map((call, i) => (i === calls.length - 1 ? { ...call, ...more } : call))
    return all.length === 1 ? all[0] : all
  }

  // Changes before the options make the account. They go to `before`, which only a new user needs.
  const changes = ordered.filter(([at]) => at < asked && honest.seen[at]?.method !== 'GET')
  const made = ceremony === 'registration' ? (changes.at(-1)?.[0] ?? -1) : -1
  const before = write(between(-1, made, false), (i) => ['before', i, 'http'])
  const reading = asking?.reading === undefined ? {} : { options: asking.reading }
  const options = step(`${ceremony}_options`, between(made, asked), reading)
  if (asking?.problem !== undefined)
    notes.push({ path: ['calls', `${ceremony}_options`], text: `Not usable: ${asking.problem}.` })
  const telling = tellingOf(honest, partners.get(answering)?.answer)
  const answer = step(ceremony, between(asked, answering), telling.ok ? telling.value : {})
  if (!telling.ok) notes.push({ path: ['calls', ceremony], text: telling.error })
  return { before, options, answer }
}

/** The site of a URL, which shares cookies between its hosts: roughly the last two labels. */
const siteOf = (url: string): string => new URL(url).hostname.split('.').slice(-2).join('.')

const seenOf = ({ seen, ceremony }: Visit, name: string): string => {
  const isOptions = name.endsWith('options')
  const around = isOptions ? seen.slice(0, ceremony.at) : seen.slice(ceremony.at)
  const list = around.map(({ method, url, answer }) => `${method} ${new URL(url).pathname} (HTTP ${answer.status})`)
  const sought = isOptions
    ? `No answer has the challenge ${ceremony.challenge}`
    : 'No request has the clientDataJSON of the authenticator’s answer'
  return `${sought}; ${isOptions ? 'before' : 'after'} it the page called ${list.join(', ') || 'nothing'}.`
}

/** Requests whose answers set a cookie that a described call sends, if no described call sets it. */
const cookieSources = ({ seen }: Visit, drafts: ReadonlyMap<number, Draft>): readonly number[] =>
  [...drafts.keys()].flatMap((at) => {
    const sent = (seen[at]?.headers.cookie ?? '').split('; ').map((pair) => pair.replace(/=.*/s, ''))
    return sent.flatMap((name) => {
      if (name in (seen[at]?.answer.cookies ?? {})) return []
      const setters = seen.flatMap(({ answer }, i) => (i < at && name in answer.cookies ? [i] : []))
      const [first] = setters
      return first === undefined || setters.some((i) => drafts.has(i)) ? [] : [first]
    })
  })

/** The requests of the second visit that correspond to those of the first. */
const partnersOf = (
  { honest, wrong }: VisitPair,
  { asked, answering }: { readonly asked: number; readonly answering: number },
): CallContext['partners'] => {
  const partners = new Map<number, ObservedCall>()
  if (wrong === undefined) return partners
  const pair = (at: number, partner: ObservedCall | undefined): void => {
    if (at >= 0 && partner !== undefined) partners.set(at, partner)
  }
  pair(asked, wrong.seen[optionsOf(wrong)?.at ?? -1])
  pair(answering, wrong.seen[answerOf(wrong)])
  const keyOf = ({ method, url }: ObservedCall, { user }: Visit): string =>
    `${method} ${new URL(url).origin}${new URL(url).pathname.replaceAll(user.name, '{user_id}')}`
  for (const [at, seen] of honest.seen.entries()) {
    if (partners.has(at)) continue
    const taken = new Set(partners.values())
    pair(
      at,
      wrong.seen.find((each) => !taken.has(each) && keyOf(each, wrong) === keyOf(seen, honest)),
    )
  }
  return partners
}

// --- Distinguishing acceptance from refusal ---

const isGood = (status: number): boolean => status >= 200 && status < 300

/** Finds what distinguishes the accepted answer from the refused one. */
const tellingOf = (honest: Visit, bad: ObservedAnswer | undefined): Result<Partial<Call>, string> => {
  const good = honest.seen[answerOf(honest)]?.answer
  if (good === undefined) return ok({})
  const refusal = findHonestRefusal(honest)
  if (refusal !== undefined) return err(`The honest answer was refused, too: ${refusal}`)
  if (bad === undefined) return err('How a refusal looks was not seen: whatever has HTTP 2xx counts as accepted.')
  // A refusal for another reason may have the status of an acceptance.
  if (!isGood(bad.status)) return ok(flagOf(good, bad) ?? {})
  const said = wordsOf(good, bad) ?? addressOf(good, bad) ?? refusalOf(good, bad)
  if (said !== undefined) return ok(said)
  return err(
    `A wrong answer was answered like an honest one, with HTTP ${bad.status} ${excerpt(bad)}: it was accepted, or "accepted" or "refused" must say how to tell.`,
  )
}

/** The server's refusal of this visit's answer, if the status or a member shows one. */
export const findHonestRefusal = (visit: Visit): string | undefined => {
  const answer = visit.seen[answerOf(visit)]?.answer
  if (answer === undefined || (isGood(answer.status) && !findLeaves(parseJsonOrNothing(answer.text)).some(isRefusing)))
    return undefined
  return `HTTP ${answer.status} ${excerpt(answer)}`
}

const isRefusing = ({ path, value }: { readonly path: readonly string[]; readonly value: unknown }): boolean =>
  /^(status|success|ok|verified|result)$/i.test(path.at(-1) ?? '') && /^(false|fail|error|refused)/i.test(String(value))

const excerpt = ({ text }: ObservedAnswer): string => JSON.stringify(text.replaceAll(/\s+/g, ' ').slice(0, 100))

const SAYS_SO = /status|success|ok$|verified|result|state|valid|authenticated|error|code/i

/** A member that is named like an acceptance and is never true in a refusal. */
const flagOf = (good: ObservedAnswer, bad: ObservedAnswer): Partial<Call> | undefined => {
  const others = membersOf(bad)
  const isFlag = (member: string): boolean => SAYS_SO.test(member.split('.').at(-1) ?? '')
  const [read] =
    [...membersOf(good)].find(([member, value]) => value === true && isFlag(member) && others.get(member) !== true) ??
    []
  return read === undefined ? undefined : { accepted: { read, is: true } }
}

const wordsOf = (good: ObservedAnswer, bad: ObservedAnswer): Partial<Call> | undefined => {
  if (!isObject(parseJsonOrNothing(good.text))) return undefined
  const others = membersOf(bad)
  const differing = [...membersOf(good)].flatMap(([read, value]) => {
    const other = others.get(read)
    return other === value ? [] : [{ read, value, other }]
  })
  const flag = differing.find(({ value }) => typeof value === 'boolean')
  if (flag !== undefined) return { accepted: { read: flag.read, is: flag.value } }
  const word = differing.find(({ read, value }) => SAYS_SO.test(read) && String(value).length <= MAX_CHANCE_LENGTH)
  if (word !== undefined) return { accepted: { read: word.read, is: word.value } }
  const there = differing.find(({ value, other }) => Boolean(value) && !other)
  return there === undefined ? undefined : { accepted: { read: there.read } }
}

const addressOf = (good: ObservedAnswer, bad: ObservedAnswer): Partial<Call> | undefined => {
  const path = escapeRegex(new URL(good.address).pathname)
  const isPlain = path.length > 2 && !/\d/.test(path)
  return isPlain && !new RegExp(path, 'u').test(bad.address) ? { accepted: { read: { address: path } } } : undefined
}

const refusalOf = (good: ObservedAnswer, bad: ObservedAnswer): Partial<Call> | undefined => {
  const lines = bad.text
    .replaceAll(/<[^>]*>/g, '\n')
    .split('\n')
    .map((line) => line.trim())
  const refusal = lines.find((line) => /\p{L}{3}/u.test(line) && !good.text.includes(line))
  return refusal === undefined ? undefined : { refused: escapeRegex(refusal.slice(0, 60)) }
}
