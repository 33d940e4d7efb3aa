import type { ControlRoute } from '../../src-main/core/contract/control/route.ts'
import { type RouteId, routes } from '../../src-main/core/contract/control/routes.ts'
import type { JsonSchema } from '../../src-main/core/contract/schema.ts'
import { signRequest } from '../../src-main/sdk/sign-request.ts'
import { taken } from '../support/taken.ts'
import { hostOf } from './callers.ts'
import type { Dice } from './dice.ts'
import type { Known } from './fuzz-storm.ts'
import type { Waiting, World } from './fuzz-world.ts'
import { mutateBytes, mutateJson, mutateText, mutateValue, oddCbor, oddText, oddValue } from './mutate.ts'
import { requestBytes, type WireRequest } from './wire.ts'

export type Case = {
  readonly label: string
  readonly octets: Buffer
  readonly method: string
  /**
   * answer: it is a whole request and gets an answer · end: it may lack something, so the connection is half closed
   * after it · stream: whatever comes, the connection is cut after the first octets · hang-up: it is cut at once.
   */
  readonly mode: 'answer' | 'end' | 'stream' | 'hang-up'
}

export type Source = {
  readonly world: World
  readonly dice: Dice
  waiting: Waiting | undefined
  /** Of the workspace that the control interface is tried on. */
  known: Known
}

type Maker = (source: Source) => Promise<Case> | Case

/** How often each comes, of a hundred. */
export const makers: readonly (readonly [weight: number, maker: Maker])[] = [
  [22, (source) => fromRp(source, 'signed')],
  [10, (source) => fromRp(source, 'badly signed')],
  [22, (source) => fromAnswer(source)],
  [16, (source) => fromPhone(source)],
  [15, (source) => fromControl(source)],
  [15, (source) => fromWire(source)],
]

export const nextCase = (source: Source): Promise<Case> | Case => {
  let roll = source.dice.below(makers.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, maker] of makers) {
    roll -= weight
    if (roll < 0) return maker(source)
  }
  throw new Error('unreachable')
}

type Template = readonly [method: string, target: string, body?: unknown]

const fromRp = ({ world, dice }: Source, how: 'signed' | 'badly signed'): Case => {
  const { site, messages, credential } = world
  const message = dice.pick(messages)
  const templates: readonly Template[] = [
    ['POST', '/rp/attestation/options', { user_id: 'u2', username: 'u', display_name: 'U', credential_name: 'c' }],
    ['POST', '/rp/assertion/options', { user_id: 'u1', username: 'u', method: dice.pick(['qrcode', 'push']) }],
    ['GET', `/rp/attestation/result?msg_id=${message}`],
    ['GET', `/rp/assertion/result?id=${message}`],
    ['GET', '/rp/credentials?user_id=u1'],
    ['DELETE', '/rp/credentials', { user_id: 'u2', credential_ids: [credential, 'AAAA'] }],
    ['GET', '/m'],
  ]
  const [method, path, body] = dice.pick(templates)
  const changed = body === undefined && dice.chance(0.8) ? mutateText(path, dice) : path
  const target = `/w/${site.workspace}/fido${onLine(changed)}`
  const bytes = body === undefined ? Buffer.alloc(0) : mutateJson(body, dice)
  const form = dice.pick(['general', 'short'] as const)
  const content = body === undefined ? [] : [['Content-Type', 'application/json'] as const]
  const signed = signedHeaders({ method, target, body: bytes }, { ...site.key, form }, site.port)
  const request = { method, target, headers: [...signed, ...content], body: bytes }
  return how === 'signed'
    ? wellFormed(`rp ${method} ${path.split('?')[0]}`, request)
    : sent(`rp headers ${method}`, { ...request, headers: mutateHeaders(request.headers, dice) })
}

const signedHeaders = (
  { method, target, body }: { readonly method: string; readonly target: string; readonly body: Buffer },
  key: Parameters<typeof signRequest>[1],
  port: number,
): WireRequest['headers'] => {
  const signed = signRequest({ method, host: hostOf(port), target, body }, key, Date.now())
  // A query with a broken escape has no canonical form: the signature of another will be refused, or the query.
  const { headers } = signed.ok
    ? signed.value
    : taken(signRequest({ method: 'GET', host: hostOf(port), target: '/', body }, key, Date.now()))
  return headers
}

const fromAnswer = async (source: Source): Promise<Case> => {
  const { world, dice } = source
  source.waiting ??= await world.waiting(dice.chance(0.5) ? 'registration' : 'authentication', dice)
  const { id, path, response } = source.waiting
  const changed = dice.chance(0.85) ? mutateResponse(response as Response, dice) : mutateValue(response, dice)
  const { headers } = world.callers.app(world.device, 'POST', '', {})
  const body = JSON.stringify({ response: changed, ...(dice.chance(0.3) ? { storage: 'cloud' } : {}) })
  return wellFormed(`answer ${path}`, {
    method: 'POST',
    target: `/w/${world.site.workspace}/app/messages/${id}/${path}`,
    headers,
    body,
  })
}

type Response = { readonly response: Readonly<Record<string, unknown>> }

/** What is inside of the base64url: client data as JSON, the rest as octets and CBOR. */
const mutateResponse = (value: Response, dice: Dice): unknown => {
  const { response } = value
  const names = Object.keys(response).filter((name) => typeof response[name] === 'string')
  const name = dice.pick(names)
  const bytes = Buffer.from(String(response[name]), 'base64url')
  const changed = name === 'clientDataJSON' ? mutateClientData(bytes, dice) : mutateBinary(bytes, dice)
  return { ...value, response: { ...response, [name]: changed.toString('base64url') } }
}

const mutateClientData = (bytes: Buffer, dice: Dice): Buffer =>
  dice.chance(0.7) ? mutateJson(JSON.parse(bytes.toString()), dice) : mutateBytes(bytes, dice)

const mutateBinary = (bytes: Buffer, dice: Dice): Buffer => {
  if (dice.chance(0.7)) return mutateBytes(bytes, dice)
  const at = dice.below(bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, at), oddCbor(dice), dice.chance(0.5) ? bytes.subarray(at) : Buffer.alloc(0)])
}

const fromPhone = ({ world, dice }: Source): Case => {
  const { callers, device, messages, credential, etag } = world
  const message = dice.pick(messages)
  const account = { name: 'Li Wei', phone: `1380000${dice.below(50) + 1000}`, proof: 'a proof' }
  const templates: readonly Template[] = [
    ['POST', '/devices', { account, device_name: 'Phone' }],
    ['POST', `/messages/${message}/bind`, {}],
    ['POST', `/messages/${message}/reject`, { reason: 'user_rejected' }],
    ['POST', `/messages/${message}/attestation`, { response: {}, storage: 'chip' }],
    ['GET', '/inbox'],
    ['GET', '/vault'],
    ['GET', `/vault/${credential}`],
    ['PUT', '/vault/AAAA', { sealed: 'AAAA' }],
    ['DELETE', `/vault/${credential}`],
    ['DELETE', '/devices/self'],
    ['OPTIONS', '/devices'],
  ]
  const [method, path, body] = dice.pick(templates)
  // Signing out would take the phone from all that follow.
  const token = path === '/devices/self' || dice.chance(0.05) ? oddText(dice).replace(/[^\w-]/g, '') : device
  const changed = dice.chance(0.3) ? mutateText(path, dice) : path
  const { target, headers } = callers.app(token, method, onLine(changed), body)
  const condition: readonly [string, string] = [dice.pick(['If-Match', 'If-None-Match']), dice.pick([etag, '*', '"x"'])]
  const more = path.startsWith('/vault/') ? [condition] : path === '/inbox' ? [['Last-Event-ID', '1'] as const] : []
  const bytes = body === undefined ? Buffer.alloc(0) : mutateJson(body, dice)
  const all = [...headers, ...more]
  const request = { method, target, headers: dice.chance(0.2) ? mutateHeaders(all, dice) : all, body: bytes }
  const label = `app ${method} ${path.replace(/\/[\w-]{22,}/, '/…')}`
  return path === '/inbox' ? { ...sent(label, request), mode: 'stream' } : sent(label, request)
}

const fromControl = ({ world, dice, known }: Source): Case => {
  const id = dice.pick(dice.chance(0.1) ? ROUTE_IDS : MILD_ROUTE_IDS)
  const route: ControlRoute = routes[id]
  const storm = `storm-${world.site.workspace}`
  const { token, port } = world.site
  const path = route.path.replace(/([\w-]+)\/\{\w+\}/g, (_, group: string) => {
    const ids = known.get(group) ?? []
    const odd = ids.length === 0 || dice.chance(0.05)
    return `${group}/${encodeSafely(odd ? oddText(dice).slice(0, 100) : dice.pick(ids))}`
  })
  const query = route.query === undefined ? {} : (sampleOf(route.query, { dice, known }) as object)
  const text = Object.entries(dice.chance(0.3) ? ((mutateValue(query, dice) as object) ?? {}) : query)
    .map(([name, value]) => `${encodeSafely(name)}=${encodeSafely(String(value))}`)
    .join('&')
  const under = route.scope === 'bench' ? '' : `/w/${storm}`
  const target = onLine(`${under}/control/v1${path}${text === '' ? '' : `?${text}`}`)
  const value = route.body === undefined ? undefined : normalConditions(id, sampleOf(route.body, { dice, known }))
  const bytes =
    value === undefined
      ? Buffer.alloc(0)
      : dice.chance(0.5)
        ? mutateJson(value, dice)
        : Buffer.from(JSON.stringify(value))
  const headers: WireRequest['headers'] = [
    ['Host', hostOf(port)],
    ['Authorization', `Bearer ${dice.chance(0.02) ? 'x' : token}`],
    ...(value === undefined ? [] : [['Content-Type', 'application/json'] as const]),
  ]
  const made = wellFormed(`control ${id}`, { method: route.method, target, headers, body: bytes })
  return route.stream === true || id === 'events.wait' ? { ...made, mode: 'stream' } : made
}

const ROUTE_IDS = Object.keys(routes) as RouteId[]

/** What takes away that with which other routes could still do something comes less often. */
const MILD_ROUTE_IDS = ROUTE_IDS.filter(
  (id) => !/close|reset|import|restore|delete|wipe|lose|sign-out|offline/.test(id),
)

/** What would only make the test slow. */
const normalConditions = (id: RouteId, value: unknown): unknown => {
  if (id === 'simulator.register' || id === 'simulator.sign-in') return { ...(value as object), poll: false }
  if (id === 'events.wait') return { ...(value as object), timeout_ms: 50 }
  return id === 'conditions.put' || id === 'conditions.patch' ? {} : value
}

const encodeSafely = (text: string): string => encodeURIComponent(text.slice(0, 500).toWellFormed())

const fromWire = async (source: Source): Promise<Case> => {
  const { dice, world } = source
  const { octets, method, mode: honest } = await dice.pick([fromRp, fromPhone, fromControl] as const)(source, 'signed')
  const host = `Host: ${hostOf(world.site.port)}\r\n`
  const path = `/w/${world.site.workspace}/fido/rp/credentials`
  const get = (target: string, more = '') => text(`GET ${target} HTTP/1.1\r\n${host}${more}\r\n`)
  const kinds: readonly (() => readonly [string, Buffer, Case['mode']])[] = [
    () => ['cut', octets.subarray(0, dice.below(octets.length)), 'end'],
    () => ['hang-up', octets.subarray(0, dice.below(octets.length)), 'hang-up'],
    () => ['impatient', octets, 'hang-up'],
    () => ['damaged', mutateBytes(octets, dice), 'end'],
    () => ['damaged head', mutateBytes(octets.subarray(0, 120), dice), 'end'],
    () => ['pipelined', Buffer.concat([octets, octets, octets]), honest === 'stream' ? honest : 'end'],
    () => ['noise', dice.bytes(dice.below(2000)), 'end'],
    () => ['long target', get(`${path}?${'x'.repeat(dice.pick([8_000, 9_000, 40_000]))}`), 'end'],
    () => ['many headers', get(path, 'A: b\r\n'.repeat(dice.pick([100, 1999, 4000]))), 'end'],
    () => ['long header', get(path, `A: ${'b'.repeat(dice.pick([8_000, 33_000]))}\r\n`), 'end'],
    () => ['odd method', text(`${dice.pick(METHODS)} ${path} HTTP/1.1\r\n${host}\r\n`), 'end'],
    () => ['odd version', text(`GET ${path} HTTP/${dice.pick(VERSIONS)}\r\n${host}\r\n`), 'end'],
    () => ['odd target', get(dice.pick(TARGETS)), 'end'],
    () => ['odd body', text(`POST ${path} HTTP/1.1\r\n${host}${dice.pick(BODIES)}`), 'end'],
  ]
  const [what, damaged, mode] = dice.pick(kinds)()
  return { label: `wire ${what}`, octets: damaged, method, mode }
}

const text = (octets: string): Buffer => Buffer.from(octets, 'latin1')

const METHODS = ['PATCH', 'TRACE', 'CONNECT', 'PROPFIND', 'get', 'G ET', '', 'HEAD', 'OPTIONS', 'PRI', 'QUERY'] as const
const VERSIONS = ['1.0', '0.9', '2.0', '1.2', 'x'] as const
const TARGETS = [
  ...['*', '//', '/%zz', '/fido/%zz', '/w/', '/w/../main', '/fido/../app', 'http://x/fido', 'x:1', '/\xff'],
  ...['/fido?%zz', '/app/vault/%2e%2e'],
] as const
const BODIES = [
  'Content-Length: 5\r\n\r\n12',
  'Content-Length: -1\r\n\r\n',
  'Content-Length: 99999999999999999999\r\n\r\nx',
  'Content-Length: 70000\r\n\r\nx',
  'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  'Transfer-Encoding: chunked\r\n\r\nfffffffff\r\nx',
  'Transfer-Encoding: chunked\r\n\r\nzz\r\n',
  'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n',
  'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
  'Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}',
  'Expect: wonders\r\n\r\n',
  'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}',
  'Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}',
] as const

const mutateHeaders = (headers: WireRequest['headers'], dice: Dice): WireRequest['headers'] => {
  const at = dice.below(headers.length)
  const [name, value] = headers[at] ?? ['X', '']
  const kind = dice.below(6)
  if (kind === 0) return headers.filter((_, i) => i !== at)
  if (kind === 1) return [...headers, [name, mutateText(value, dice)]]
  if (kind === 2)
    return [
      ...headers,
      [
        oddText(dice)
          .replace(/[^\w-]/g, '')
          .slice(0, 50) || 'x',
        oddText(dice),
      ],
    ]
  if (kind === 3) return headers.map((pair, i) => (i === at ? [name.toUpperCase(), `  ${value}  `] : pair))
  return headers.map((pair, i) => (i === at ? [name, mutateText(value, dice)] : pair))
}

/** A request line can hold no blank and no control character; everything else is let through. */
const onLine = (target: string): string => {
  const octets = Buffer.from(target.toWellFormed(), 'utf8')
    .toString('latin1')
    .replace(/[^!-~\x80-\xff]/g, '~')
  return octets.startsWith('/') || octets === '' ? octets : `/${octets}`
}

/** Whatever stands in the headers, the service must see them as they are. */
const wellFormed = (label: string, request: WireRequest): Case => ({
  label,
  octets: requestBytes(request),
  method: request.method,
  mode: 'answer',
})

const sent = (label: string, request: WireRequest): Case => ({ ...wellFormed(label, request), mode: 'end' })

type Making = { readonly dice: Dice; readonly known: Known }

/** A value that mostly fits the schema: what is optional comes half of the time, and names that are known have values. */
const sampleOf = (schema: object, making: Making, name = ''): unknown => {
  const { dice, known } = making
  const { type, properties, required = [], items, anyOf, ...rest } = schema as JsonSchema
  if ('const' in rest) return rest.const
  if (rest.enum !== undefined) return dice.pick(rest.enum)
  if (anyOf !== undefined) return sampleOf(dice.pick(anyOf), making, name)
  if (type === 'object') {
    const named = Object.entries(properties ?? {}).filter(([key]) => required.includes(key) || dice.chance(0.5))
    return Object.fromEntries(named.map(([key, part]) => [key, sampleOf(part, making, key)]))
  }
  if (type === 'array') return Array.from({ length: dice.below(3) }, () => sampleOf(items ?? {}, making, name))
  if (type === 'integer' || type === 'number') {
    const { minimum = 0, maximum = 1000 } = rest
    return minimum + dice.below(Math.min(maximum - minimum, 1000) + 1)
  }
  if (type === 'boolean') return dice.chance(0.5)
  if (type === 'null') return null
  if (type !== 'string') return oddValue(dice)
  const values = known.get(name) ?? []
  if (values.length > 0) return dice.pick(values)
  return rest.pattern === undefined ? someText(dice).slice(0, rest.maxLength ?? 500) : 'abc'
}

const someText = (dice: Dice): string =>
  dice.chance(0.8) ? dice.pick(['shop.example', 'https://shop.example', '13812345678', 'Alice', 'u1']) : oddText(dice)
