import { Buffer } from 'node:buffer'
import type { HttpCall, Reading } from '../../../../core/contract/http-call.ts'
import type { WebauthnServer } from '../../../../core/contract/webauthn-server.ts'
import { isObject, type JsonObject, jsonIn } from '../../../../core/protocol/json.ts'
import type { AuthenticationResponseJson, RegistrationResponseJson } from '../../../../core/protocol/webauthn-json.ts'
import { unescaped } from '../../../calls/session.ts'
import { credentialNames, type ENCODINGS } from '../credential-names.ts'

/** A request of the page with the answer to it, after all redirects. Header names are in lower case. */
export type Seen = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly answer: {
    readonly status: number
    readonly address: string
    readonly headers: readonly (readonly [name: string, value: string])[]
    /** Those that it set, also on the way. */
    readonly cookies: Readonly<Record<string, string>>
    readonly text: string
  }
}

/** A ceremony as the page asked for it. `at`: how many requests had begun before. */
export type Ceremony = {
  readonly at: number
  readonly challenge: string
  readonly response: RegistrationResponseJson | AuthenticationResponseJson
}

/** What one new browser saw of one ceremony. */
export type Visit = {
  readonly user: { readonly name: string; readonly displayName: string }
  readonly seen: readonly Seen[]
  readonly ceremony: Ceremony
}

/** The same ceremony twice; in the second one, the authenticator's answer was wrong. */
export type Pair = { readonly honest: Visit; readonly wrong?: Visit | undefined }

/** A remark for the person who reads the file, at a place of the configuration. */
export type Note = { readonly path: readonly (string | number)[]; readonly text: string }

export type Recognised = { readonly config: WebauthnServer; readonly notes: readonly Note[] }

type Call = HttpCall & {
  readonly options?: Reading
  readonly accepted?: { readonly read: Reading; readonly is?: unknown }
  readonly refused?: string
}

/** Finds the calls of both ceremonies in what the browser saw, and describes them. What is not found is noted. */
export const recognise = (pairs: {
  readonly page: string
  readonly registration: Pair
  readonly signIn: Pair
}): Recognised => {
  const notes: Note[] = []
  const page = new URL(pairs.page).origin
  const asked = optionsOf(pairs.registration.honest)
  const server = asked === undefined ? page : new URL(pairs.registration.honest.seen[asked.at]?.url ?? page).origin
  const { before, ...registering } = ceremonyCalls(pairs.registration, { ceremony: 'registration', server, notes })
  const signingIn = ceremonyCalls(pairs.signIn, { ceremony: 'sign_in', server, notes })
  const config = {
    ...{ url: server, ...(server === page ? {} : { origin: page }) },
    ...(before.length === 0 ? {} : { before: before.map((http) => ({ http })) }),
    calls: {
      ...{ registration_options: registering.options, registration: registering.answer },
      ...{ sign_in_options: signingIn.options, sign_in: signingIn.answer },
    },
  }
  return { config: config as WebauthnServer, notes }
}

type Place = readonly [...list: string[], index: number]

/** Calls that only may be needed: no later one uses what they answer. The last call of a list always is. */
export const doubtfulCalls = ({ config: { before = [], calls } }: Recognised): readonly Place[] => [
  ...before.flatMap(({ http }, i): Place[] => (http.keep === undefined ? [['before', i]] : [])),
  ...Object.entries(calls).flatMap(([name, call]) =>
    [call]
      .flat()
      .flatMap((each, i, all): Place[] => (i < all.length - 1 && each.keep === undefined ? [['calls', name, i]] : [])),
  ),
]

/** The same without one call; the notes on other calls keep their places. */
export const withoutCall = ({ config, notes }: Recognised, place: Place): Recognised => {
  const index = place.at(-1)
  const list = place.slice(0, -1)
  const left = <T>(all: readonly T[]): readonly T[] => all.filter((_, i) => i !== index)
  const [top, name = ''] = list
  const [before, calls] = [config.before ?? [], Object.entries(config.calls)]
  const others = top === 'before' ? left(before) : before
  const shorter = calls.map(([each, call]) => {
    const rest = top === 'calls' && each === name && Array.isArray(call) ? left(call) : call
    return [each, Array.isArray(rest) && rest.length === 1 ? rest[0] : rest]
  })
  const isAlone = top === 'calls' && [Object.fromEntries(calls)[String(name)]].flat().length === 2
  const { before: _, calls: __, ...rest } = config
  return {
    config: {
      ...rest,
      ...(others.length === 0 ? {} : { before: others }),
      calls: Object.fromEntries(shorter) as WebauthnServer['calls'],
    },
    notes: notes.flatMap(({ path, text }) => {
      const at = path[list.length]
      if (typeof at !== 'number' || list.some((part, i) => path[i] !== part)) return [{ path, text }]
      if (at === index) return []
      const moved = isAlone ? [] : [at > Number(index) ? at - 1 : at]
      return [{ path: [...list, ...moved, ...path.slice(list.length + 1)], text }]
    }),
  }
}

// --- Where the two calls of a ceremony are ---

type Found = { readonly at: number; readonly reading?: Reading | undefined; readonly problem?: string }

/** The latest answer before the ceremony that has its challenge. */
const optionsOf = ({ seen, ceremony }: Visit): Found | undefined => {
  for (let at = Math.min(ceremony.at, seen.length) - 1; at >= 0; at--) {
    const text = seen[at]?.answer.text ?? ''
    const json = jsonIn(text)
    if (json !== undefined) {
      const path = leavesOf(json).find(({ value }) => isSameOctets(value, ceremony.challenge))?.path
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

/** The first request after the ceremony that has the authenticator's answer. */
const answerOf = ({ seen, ceremony }: Visit): number | undefined => {
  const spellings = spellingsOf(ceremony.response.response.clientDataJSON)
  const at = seen.findIndex(({ body = '', url }, i) => {
    if (i < ceremony.at) return false
    const texts = [body, decoded(body), url]
    return spellings.some((spelling) => texts.some((text) => text.includes(spelling)))
  })
  return at < 0 ? undefined : at
}

const octetsOf = (base64url: string): Buffer => Buffer.from(base64url, 'base64url')

/** The octets as a page may send them. */
const spellingsOf = (base64url: string): readonly string[] => [
  base64url,
  octetsOf(base64url).toString('base64').replace(/=+$/, ''),
  octetsOf(base64url).toString('hex'),
  [...octetsOf(base64url)].join(','),
]

const isSameOctets = (value: unknown, base64url: string): boolean =>
  typeof value === 'string' && (value === base64url || value.replace(/=+$/, '') === spellingsOf(base64url)[1])

const decoded = (form: string): string => {
  try {
    return decodeURIComponent(form.replaceAll('+', ' '))
  } catch {
    return form
  }
}

type Leaf = { readonly path: readonly string[]; readonly value: unknown }

const leavesOf = (value: unknown, path: readonly string[] = []): readonly Leaf[] => {
  if (Array.isArray(value)) return value.flatMap((each, i) => leavesOf(each, [...path, `[${i}]`]))
  if (!isObject(value)) return [{ path, value }]
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, [...path, key]))
}

/** The path in the words of the configuration, which has none for one entry of a list. */
const memberPath = (path: readonly string[]): string | undefined =>
  path.every((part) => /^[^.[\]]+$/.test(part)) ? path.join('.') : undefined

/** The options that a page of HTML has in an attribute or a script. */
const jsonAround = (text: string, challenge: string): Omit<Found, 'at'> | undefined => {
  const spelling = spellingsOf(challenge).find((each) => text.includes(each))
  if (spelling === undefined) return undefined
  const at = text.indexOf(spelling)
  for (let from = text.indexOf('{'); from >= 0 && from < at; from = text.indexOf('{', from + 1)) {
    const before = beforeValue(text, from)
    for (const pattern of [`${before}([^"]+)"`, `${before}([^']+)'`, `${before}([^<]+)<`, `${before}(\\{.*\\})`]) {
      const found = new RegExp(pattern, 'u').exec(text)?.[1]
      const json = found === undefined ? undefined : jsonIn(unescaped(found))
      if (isObject(json) && leavesOf(json).some(({ value }) => isSameOctets(value, challenge)))
        return { reading: { text: pattern } }
    }
  }
  return { problem: 'its options are in the page, but not as JSON in an attribute or a script' }
}

// --- What both calls, and those before them, send ---

type Writing = { readonly ceremony: 'registration' | 'sign_in'; readonly server: string; readonly notes: Note[] }

type Draft = { readonly call: Call; readonly keep: Record<string, Reading>; readonly remarks: readonly Remark[] }
type Remark = { readonly path: readonly (string | number)[]; readonly text: string }

type Written = Omit<Call, 'keep'> & { readonly keep?: Readonly<Record<string, Reading>> }
type Calls = { readonly before: readonly Written[]; readonly options: unknown; readonly answer: unknown }

const ceremonyCalls = (pair: Pair, { ceremony, server, notes }: Writing): Calls => {
  const { honest, wrong } = pair
  const asking = optionsOf(honest)
  const answering = answerOf(honest)
  const partners = partnersOf(pair, { asking: asking?.at, answering })
  const drafts = new Map<number, Draft>()
  const kept: Kept[] = []

  const need = (at: number): void => {
    const seen = honest.seen[at]
    if (drafts.has(at) || seen === undefined) return
    const keep: Record<string, Reading> = {}
    drafts.set(at, { call: { path: '/' }, keep, remarks: [] })
    const remarks: Remark[] = []
    const filling: Filling = {
      ...{ at, honest, wrong, partners, kept, need },
      keepAt: (source, name, reading) => {
        const draft = drafts.get(source)
        if (draft !== undefined) draft.keep[name] = reading
      },
      remark: (path, text) => void remarks.push({ path, text }),
      isAnswer: at === answering,
    }
    drafts.set(at, { call: callOf(seen, server, filling), keep, remarks })
  }

  const last = answering ?? asking?.at ?? -1
  for (const [at, seen] of honest.seen.entries()) {
    if (at > last) break
    const isOwn = at === asking?.at || at === answering
    // What changes something on the server may be needed by what comes after it.
    const isChange = !/^(GET|HEAD|OPTIONS)$/.test(seen.method) && siteOf(seen.url) === siteOf(server)
    if (isOwn || (isChange && seen.answer.status < 400)) need(at)
  }
  for (const at of cookieSources(honest, drafts)) need(at)

  const ordered = [...drafts].toSorted(([a], [b]) => a - b)
  const write = (among: typeof ordered, base: (i: number) => Note['path']): readonly Written[] =>
    among.map(([, { call, keep, remarks }], i) => {
      for (const { path, text } of remarks) notes.push({ path: [...base(i), ...path], text })
      return { ...call, ...(Object.keys(keep).length === 0 ? {} : { keep }) }
    })
  /** The last call has `more`; what is not there is noted. */
  const step = (name: string, among: typeof ordered, more: Partial<Call>): unknown => {
    if (among.length === 0) {
      notes.push({ path: ['calls', name], text: `Not recognised. ${seenOf(honest, name)}` })
      return { path: '/' }
    }
    const calls = write(among, (i) => ['calls', name, ...(among.length === 1 ? [] : [i])])
    const all = calls.map((call, i) => (i === calls.length - 1 ? { ...call, ...more } : call))
    return all.length === 1 ? all[0] : all
  }

  // An account is made once, and its user may try a passkey twice.
  const changes = ordered.filter(([at]) => at < (asking?.at ?? -1) && honest.seen[at]?.method !== 'GET')
  const made = ceremony === 'registration' ? (changes.at(-1)?.[0] ?? -1) : -1
  const before = write(
    ordered.filter(([at]) => at <= made),
    (i) => ['before', i, 'http'],
  )
  const from = asking?.at ?? -1
  const options = step(
    `${ceremony}_options`,
    ordered.filter(([at]) => at > made && at <= from),
    asking?.reading === undefined ? {} : { options: asking.reading },
  )
  if (asking?.problem !== undefined)
    notes.push({ path: ['calls', `${ceremony}_options`], text: `Not usable: ${asking.problem}.` })
  const telling = tellingOf(pair, answering, partners)
  const answer = step(
    ceremony,
    ordered.filter(([at]) => at > from && at <= (answering ?? -1)),
    telling.more,
  )
  if (telling.problem !== undefined) notes.push({ path: ['calls', ceremony], text: telling.problem })
  return { before, options, answer }
}

/** The site of a URL, whose other hosts share its cookies: roughly its last two labels. */
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

/** Requests whose answers set a cookie that a call sends, where no call that is described sets it. */
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
  { honest, wrong }: Pair,
  { asking, answering }: { readonly asking: number | undefined; readonly answering: number | undefined },
): ReadonlyMap<number, number> => {
  const partners = new Map<number, number>()
  if (wrong === undefined) return partners
  const own = [
    [asking, optionsOf(wrong)?.at],
    [answering, answerOf(wrong)],
  ] as const
  for (const [one, other] of own) if (one !== undefined && other !== undefined) partners.set(one, other)
  const keyOf = ({ method, url }: Seen, { user }: Visit): string =>
    `${method} ${new URL(url).origin}${new URL(url).pathname.replaceAll(user.name, '{user_id}')}`
  for (const [at, seen] of honest.seen.entries()) {
    if (partners.has(at)) continue
    const taken = new Set(partners.values())
    const other = wrong.seen.findIndex((each, i) => !taken.has(i) && keyOf(each, wrong) === keyOf(seen, honest))
    if (other >= 0) partners.set(at, other)
  }
  return partners
}

// --- One call ---

type Kept = {
  readonly at: number
  readonly name: string
  readonly reading: string
  /** In the first visit, and the whole text that had it in the second one. */
  readonly value: string
  readonly other: string | undefined
}

type Filling = {
  readonly at: number
  readonly honest: Visit
  readonly wrong: Visit | undefined
  readonly partners: ReadonlyMap<number, number>
  readonly kept: Kept[]
  readonly need: (at: number) => void
  readonly keepAt: (source: number, name: string, reading: Reading) => void
  readonly remark: (path: readonly (string | number)[], text: string) => void
  readonly isAnswer: boolean
}

type Body = { readonly kind: 'json' | 'form' | 'none' | 'other'; readonly value?: unknown; readonly remark?: string }

const bodyIn = ({ body, headers }: Seen): Body => {
  if (body === undefined || body === '') return { kind: 'none' }
  const type = headers['content-type'] ?? ''
  const json = jsonIn(body)
  if (json !== undefined && typeof json === 'object') return { kind: 'json', value: json }
  if (type.startsWith('application/x-www-form-urlencoded'))
    return { kind: 'form', value: Object.fromEntries(new URLSearchParams(body)) }
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/.exec(type)?.[1]
  if (boundary === undefined) return { kind: 'other' }
  const parts = body.split(`--${boundary}`).flatMap((part) => {
    const [, name, value] = /name="([^"]*)"\r\n(?:[^\r]+\r\n)*\r\n(.*)\r\n$/s.exec(part) ?? []
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
  return { kind: 'form', value: Object.fromEntries(parts), remark: 'The page sends multipart/form-data.' }
}

const callOf = (seen: Seen, server: string, filling: Filling): Call => {
  const { wrong, partners, at, remark } = filling
  const partner = wrong?.seen[partners.get(at) ?? -1]
  const url = new URL(seen.url)
  const other = partner === undefined ? undefined : new URL(partner.url)
  const own = bodyIn(seen)
  const theirs = partner === undefined ? undefined : bodyIn(partner)
  if (own.kind === 'other') remark([], `The page sends ${seen.headers['content-type'] ?? 'a body without a type'}.`)
  if (own.remark !== undefined) remark(['form'], own.remark)
  const style = styleOf(filling, [own.value, theirs?.value])
  const fillEach = (value: unknown, beside: unknown, path: readonly (string | number)[]): unknown =>
    filled(value, beside, path, { ...filling, style })
  const elsewhere = other?.pathname.split('/')
  const path = url.pathname
    .split('/')
    .map((part, i) =>
      fillEach(decoded(part), elsewhere?.[i] === undefined ? undefined : decoded(elsewhere[i]), ['path']),
    )
    .join('/')
  const query = [...url.searchParams].map(([key, value]) => {
    const beside = other?.searchParams.get(key) ?? undefined
    const text = String(fillEach(value, beside, ['path']))
    return `${key}=${text.includes('{') ? text : encodeURIComponent(text)}`
  })
  const whole = `${path}${query.length === 0 ? '' : `?${query.join('&')}`}`
  const usual = own.kind === 'none' || own.kind === 'other' ? 'GET' : 'POST'
  const headers = Object.fromEntries(
    Object.entries(seen.headers)
      .filter(([name, value]) => isTelling(name, value, own.kind))
      .map(([name, value]) => [name, fillEach(value, partner?.headers[name], ['headers', name])]),
  )
  return {
    path: url.origin === server ? whole : `${url.origin}${whole}`,
    ...(seen.method === usual ? {} : { method: seen.method as NonNullable<Call['method']> }),
    ...(own.kind === 'json' ? { json: fillEach(own.value, theirs?.value, ['json']) } : {}),
    ...(own.kind === 'form' ? { form: fillEach(own.value, theirs?.value, ['form']) as NonNullable<Call['form']> } : {}),
    ...(Object.keys(headers).length === 0 ? {} : { headers: headers as NonNullable<Call['headers']> }),
  }
}

/** Headers that every browser sends on its own. */
const OF_BROWSERS =
  /^(:|accept-|content-length|user-agent|sec-|origin|referer|cookie|host|connection|cache-control|pragma|upgrade-insecure|priority|dnt|if-|te$|keep-alive|proxy-)/

const isTelling = (name: string, value: string, kind: Body['kind']): boolean => {
  if (OF_BROWSERS.test(name)) return false
  if (name === 'accept') return value.includes('json') && !value.includes('html')
  if (name !== 'content-type') return true
  return kind === 'json' && !value.startsWith('application/json')
}

type Styled = Filling & { readonly style: (typeof ENCODINGS)[number] | undefined }

/** Octets in standard base64 may look like base64url: one that does not tells how all are written. */
const styleOf = ({ isAnswer, honest, wrong }: Filling, bodies: readonly unknown[]): Styled['style'] => {
  if (!isAnswer) return undefined
  const texts = new Set(bodies.flatMap((body) => leavesOf(body).map(({ value }) => value)))
  return [honest, wrong].some(
    (visit) =>
      visit !== undefined &&
      Object.entries(credentialNames(visit.ceremony.response)).some(
        ([name, value]) =>
          name.endsWith(':base64') && texts.has(value) && !texts.has(String(value).replace(/[+/=]/g, '')),
      ),
  )
    ? 'base64'
    : undefined
}

/** The value with names in braces where the next user, ceremony or session has another one. */
const filled = (value: unknown, beside: unknown, path: readonly (string | number)[], filling: Styled): unknown => {
  if (filling.isAnswer) {
    const name = credentialName(value, path, filling)
    if (name !== undefined) return `{${name}}`
  }
  if (Array.isArray(value))
    return value.map((each, i) => filled(each, Array.isArray(beside) ? beside[i] : undefined, [...path, i], filling))
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        key,
        filled(each, isObject(beside) ? beside[key] : undefined, [...path, key], filling),
      ]),
    )
  if (typeof value !== 'string' && typeof value !== 'number') return value
  return filledText(value, beside, path, filling)
}

/** The name of what the credential has here: all of it, or a member in one of its spellings. */
const credentialName = (value: unknown, path: Remark['path'], { honest, style }: Styled): string | undefined => {
  const key = String(path.at(-1))
  const { response } = honest.ceremony
  if (isObject(value)) return isWhole(value, response) ? 'credential' : undefined
  if (typeof value === 'string' && value.startsWith('{')) {
    const parsed = jsonIn(value)
    // In a form, a value that is JSON is sent as its text.
    if (isObject(parsed) && isWhole(parsed, response)) return path[0] === 'form' ? 'credential' : 'credential:text'
  }
  const same = JSON.stringify(value)
  const names = Object.entries(credentialNames(response))
    .filter(([name, each]) => name !== 'credential' && JSON.stringify(each) === same)
    .map(([name]) => name)
  const isOctets = typeof value === 'string' ? value.length >= MOST_CHANCE : Array.isArray(value) && value.length > 8
  const lastOf = (name: string): string => (name.split('.').at(-1) ?? '').replace(/:.*/, '')
  const fit = names.filter((name) => isOctets || lastOf(name).toLowerCase() === key.toLowerCase())
  const inStyle = fit.filter((name) => name.endsWith(`:${style}`))
  const best = inStyle.length > 0 ? inStyle : fit
  return best.find((name) => lastOf(name).toLowerCase() === key.toLowerCase()) ?? best[0]
}

/** Shorter texts may be the same by chance. */
const MOST_CHANCE = 12

/** True for the JSON form of the credential, also where the page leaves out what a server need not have. */
const isWhole = (value: JsonObject, credential: unknown): boolean => {
  const response = isObject(value.response) ? value.response : {}
  const isPart = (part: unknown, of: unknown): boolean => {
    if (!isObject(part)) return JSON.stringify(part) === JSON.stringify(of) || (part === null && of === undefined)
    return isObject(of) && Object.entries(part).every(([key, each]) => isPart(each, of[key]))
  }
  return 'id' in value && 'clientDataJSON' in response && isPart(value, credential)
}

const filledText = (
  value: string | number,
  beside: unknown,
  path: readonly (string | number)[],
  filling: Styled,
): unknown => {
  const { honest, wrong } = filling
  const text = withUser(String(value), honest)
  const other =
    typeof beside === 'string' || typeof beside === 'number' ? withUser(String(beside), wrong ?? honest) : undefined
  const isSame = text === other
  if (isSame && !looksDrawn(text)) return typeof value === 'number' ? value : text
  if (text !== value && other === undefined) return text
  const source = sourceOf(text, isSame ? undefined : other, String(path.at(-1)), filling)
  if (source !== undefined) return source
  if (!isSame && other !== undefined)
    filling.remark(path, 'It is another one each time, and was in no earlier answer: the page makes it.')
  return typeof value === 'number' ? value : text
}

/** A text with long random letters may be of this session alone, also where two sessions have the same. */
const looksDrawn = (text: string): boolean => /^(?=.*\d)(?=.*[a-z])[\w+/=.-]{20,}$/i.test(text)

const withUser = (text: string, { user }: Visit): string =>
  text.replaceAll(user.displayName, '{display_name}').replaceAll(user.name, '{user_id}')

// --- Where a value comes from ---

/** Makes an earlier answer keep the value; the text with its name in braces. */
const sourceOf = (text: string, other: string | undefined, used: string, filling: Styled): string | undefined => {
  const { at, honest, wrong, partners, kept, need, keepAt } = filling
  const known = kept.find((each) => each.at < at && each.value === text && each.other === other)
  if (known !== undefined) return `{${known.name}}`
  for (const isExact of [true, false]) {
    for (let source = at - 1; source >= 0; source--) {
      const answer = honest.seen[source]?.answer
      if (answer === undefined) continue
      const partner = wrong?.seen[partners.get(source) ?? -1]?.answer
      const found = readingOf(text, other, { answer, partner, isExact })
      if (found === undefined) continue
      const reading = JSON.stringify(found.reading)
      let name = kept.find((each) => each.at === source && each.reading === reading)?.name
      if (name === undefined) {
        name = freeName(found.name ?? used, kept)
        kept.push({ at: source, name, reading, value: found.value, other })
      }
      need(source)
      keepAt(source, name, found.reading)
      return text.replace(found.value, () => `{${name}}`)
    }
  }
  return undefined
}

const TAKEN: ReadonlySet<string> = new Set([
  ...['user_id', 'display_name', 'credential', 'attestation', 'user_verification', 'authenticator_selection'],
])

const freeName = (wish: string, kept: readonly Kept[]): string => {
  const plain = wish.replaceAll(/\W+/g, '_').replace(/^[\d_]+|_+$/g, '') || 'kept'
  const isFree = (name: string): boolean => !TAKEN.has(name) && !kept.some((each) => each.name === name)
  let name = plain
  for (let i = 2; !isFree(name); i++) name = `${plain}_${i}`
  return name
}

type Answer = Seen['answer']
type Looking = { readonly answer: Answer; readonly partner: Answer | undefined; readonly isExact: boolean }
type Source = { readonly reading: Reading; readonly value: string; readonly name?: string | undefined }

/** Where the answer has the text, or a long part of it; the other visit must have its own at the same place. */
const readingOf = (
  text: string,
  other: string | undefined,
  { answer, partner, isExact }: Looking,
): Source | undefined => {
  const isIt = (value: string): boolean =>
    isExact ? value === text : value.length >= MOST_CHANCE && text.includes(value) && value !== text
  const isTheirs = (value: unknown): boolean =>
    other === undefined || partner === undefined || (isExact ? String(value) === other : other.includes(String(value)))
  const json = jsonIn(answer.text)
  const theirs = partner === undefined ? undefined : jsonIn(partner.text)
  for (const { path, value } of leavesOf(json)) {
    const member = memberPath(path)
    if ((typeof value !== 'string' && typeof value !== 'number') || member === undefined || !isIt(String(value)))
      continue
    if (isTheirs(leavesOf(theirs).find((leaf) => leaf.path.join('.') === path.join('.'))?.value))
      return { reading: member, value: String(value), name: path.at(-1) }
  }
  for (const [name, value] of Object.entries(answer.cookies))
    if (isIt(value) && isTheirs(partner?.cookies[name])) return { reading: { cookie: name }, value, name }
  for (const [name, value] of answer.headers) {
    const theirValue = partner?.headers.find(([each]) => each === name)?.[1]
    if (name !== 'set-cookie' && value.length >= MOST_CHANCE && isIt(value) && isTheirs(theirValue))
      return { reading: { header: name }, value, name }
  }
  const sought = isExact ? text : (/[\w+/=.-]{12,}/.exec(text)?.[0] ?? '')
  return sought.length < 6 ? undefined : textReading(sought, other, answer, partner)
}

/** The shortest beginning of its line or element by which the text is found again. */
const textReading = (
  value: string,
  other: string | undefined,
  answer: Answer,
  partner: Answer | undefined,
): Source | undefined => {
  const escapes = [
    value,
    value.replaceAll('&', '&amp;'),
    value.replaceAll('+', '&#43;'),
    value.replaceAll('+', '&#x2B;'),
  ]
  const written = escapes.find((each) => answer.text.includes(each))
  if (written === undefined) return undefined
  const at = answer.text.indexOf(written)
  const end = answer.text.charAt(at + written.length)
  const until = end === '' ? '(.+)' : `([^${escaped(end)}]+)${escaped(end)}`
  const pattern = `${beforeValue(answer.text, at)}${until}`
  const read = (text: string): string | undefined => {
    const found = new RegExp(pattern, 'u').exec(text)?.[1]
    return found === undefined ? undefined : unescaped(found)
  }
  if (read(answer.text) !== value) return undefined
  if (partner !== undefined && other !== undefined && !other.includes(read(partner.text) ?? '\0')) return undefined
  const name = /(?:name|id)=["']([\w.-]+)["'][^<]*$/.exec(answer.text.slice(Math.max(0, at - MOST_BEFORE), at))?.[1]
  return { reading: { text: pattern }, value, name }
}

const MOST_BEFORE = 120

/** A pattern for what stands before this place: back to the element or the member that it belongs to. */
const beforeValue = (text: string, at: number): string => {
  const before = text.slice(Math.max(0, at - MOST_BEFORE), at)
  const from = Math.max(before.lastIndexOf('<'), before.lastIndexOf('\n') + 1, before.lastIndexOf(',') + 1)
  const own = before.slice(from).trimStart()
  return escaped(own === '' ? before.slice(-40) : own)
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

// --- What an acceptance looks like ---

type Telling = { readonly more: Partial<Call>; readonly problem?: string }

const isGood = (status: number): boolean => status >= 200 && status < 300

/** What the accepted answer says and the refused one does not. */
const tellingOf = (
  { honest, wrong }: Pair,
  answering: number | undefined,
  partners: ReadonlyMap<number, number>,
): Telling => {
  const good = honest.seen[answering ?? -1]?.answer
  if (good === undefined) return { more: {} }
  const bad = wrong?.seen[partners.get(answering ?? -1) ?? -1]?.answer
  if (!isGood(good.status))
    return { more: {}, problem: `The honest answer was refused, too: HTTP ${good.status} ${excerpt(good)}` }
  if (bad === undefined)
    return { more: {}, problem: 'How a refusal looks was not seen: whatever has HTTP 2xx counts as accepted.' }
  if (!isGood(bad.status)) return { more: {} }
  const said = wordsOf(good, bad) ?? addressOf(good, bad) ?? refusalOf(good, bad)
  if (said !== undefined) return { more: said }
  return {
    more: {},
    problem: `A wrong answer was answered like an honest one, with HTTP ${bad.status} ${excerpt(bad)}: it was accepted, or "accepted" or "refused" must say how to tell.`,
  }
}

const excerpt = ({ text }: Answer): string => JSON.stringify(text.replaceAll(/\s+/g, ' ').slice(0, 100))

const SAYS_SO = /status|success|ok$|verified|result|state|valid|authenticated|error|code/i

const wordsOf = (good: Answer, bad: Answer): Partial<Call> | undefined => {
  const [own, theirs] = [jsonIn(good.text), jsonIn(bad.text)]
  if (!isObject(own)) return undefined
  const others = new Map(leavesOf(theirs).map(({ path, value }) => [path.join('.'), value]))
  const differing = leavesOf(own).flatMap(({ path, value }) => {
    const read = memberPath(path)
    return read === undefined || others.get(path.join('.')) === value ? [] : [{ read, value, other: others.get(read) }]
  })
  const flag = differing.find(({ value }) => typeof value === 'boolean')
  if (flag !== undefined) return { accepted: { read: flag.read, is: flag.value } }
  const word = differing.find(({ read, value }) => SAYS_SO.test(read) && String(value).length <= MOST_CHANCE)
  if (word !== undefined) return { accepted: { read: word.read, is: word.value } }
  const there = differing.find(({ value, other }) => Boolean(value) && !other)
  return there === undefined ? undefined : { accepted: { read: there.read } }
}

const addressOf = (good: Answer, bad: Answer): Partial<Call> | undefined => {
  const path = escaped(new URL(good.address).pathname)
  const isPlain = path.length > 2 && !/\d/.test(path)
  return isPlain && !new RegExp(path, 'u').test(bad.address) ? { accepted: { read: { address: path } } } : undefined
}

const refusalOf = (good: Answer, bad: Answer): Partial<Call> | undefined => {
  const lines = bad.text
    .replaceAll(/<[^>]*>/g, '\n')
    .split('\n')
    .map((line) => line.trim())
  const said = lines.find((line) => /\p{L}{3}/u.test(line) && !good.text.includes(line))
  return said === undefined ? undefined : { refused: escaped(said.slice(0, 60)) }
}
