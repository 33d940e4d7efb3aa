import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, type RouteId, routeOf, routes } from '../../../src-main/core/contract/control/routes.ts'
import type { Route } from '../../../src-main/core/contract/schema.ts'
import { findProblem } from '../../../src-main/core/contract/validate.ts'
import { type ControlClient, createControlClient, openSession } from '../../../src-main/sdk/client.ts'
import { createRpClient } from '../../../src-main/sdk/rp-client.ts'
import { ALICE, cast, codeOf, register, startTestBench, type TestBench } from '../../support/bench.ts'

/**
 * Every route there is, with every kind of token there is, on a running bench: what a token may works and is as the
 * contract says, and what it may not is refused with one code and tells nothing of a workspace that it does not see.
 */

/** What a route needs: `open` nothing, `token` any token, `bench` the bench's own, else a token with this right. */
type Access = 'open' | 'token' | 'sees' | 'reads secrets' | 'owns' | 'opens' | 'bench'

type OfLimitedTokens = { [K in RouteId]: (typeof routes)[K] extends { readonly limited: true } ? K : never }[RouteId]

/** Of the routes of the bench that limited tokens may call; what any other route needs is in the contract itself. */
const OF_BENCH: Readonly<Record<OfLimitedTokens, Access>> = {
  'bench.info': 'token',
  'session.invite': 'sees',
  'workspaces.list': 'token',
  'workspaces.create': 'opens',
  'workspaces.get': 'sees',
  'workspaces.patch': 'owns',
  'workspaces.close': 'owns',
}

const accessOf = (id: RouteId): Access => {
  const { open, scope, reveals } = routeOf(id)
  if (open === true) return 'open'
  if (scope === 'workspace') return reveals === true ? 'reads secrets' : 'sees'
  return Object.hasOwn(OF_BENCH, id) ? OF_BENCH[id as OfLimitedTokens] : 'bench'
}

/** What each kind of token may, in the workspace of this test. The first that may carries a route out. */
const KINDS = {
  none: ['open'],
  wrong: ['open'],
  revoked: ['open'],
  'of another workspace': ['open', 'token'],
  'of an earlier workspace of its name': ['open', 'token'],
  'of main, without the lease': ['open', 'token'],
  'of the workspace': ['open', 'token', 'sees'],
  'of a page that it invited': ['open', 'token', 'sees'],
  'of the workspace, with its secrets': ['open', 'token', 'sees', 'reads secrets'],
  'that opened it with a lease': ['open', 'token', 'sees', 'owns', 'opens'],
  'of the bench': ['open', 'token', 'sees', 'reads secrets', 'owns', 'opens', 'bench'],
} as const satisfies Readonly<Record<string, readonly Access[]>>

type Kind = keyof typeof KINDS

const mayUse = (kind: Kind, access: Access): boolean => (KINDS[kind] as readonly Access[]).includes(access)

/** The code of a kind that may not. */
const refusalOf = (kind: Kind, id: RouteId): number => {
  const access = accessOf(id)
  if (!mayUse(kind, 'token')) return 40111
  if (access === 'bench' || access === 'opens' || mayUse(kind, 'sees')) return 40304
  return routeOf(id).scope === 'workspace' ? 40401 : 40404
}

const ID = 'harbour'
const ABOUT = { owner: 'The harbour team', labels: ['cranes'] }
/** What the same call of a bench’s route answers the next one who may make it. */
const ONCE: { readonly [K in RouteId]?: number } = { 'workspaces.create': 40904, 'workspaces.close': 40404 }
const AT_THE_GATE = new Set([40111, 40304, 40401])
const seen = new Set<RouteId>()
let bench: TestBench
let call: ControlClient['call']
let lease: string
let secrets: Readonly<Record<Kind, string | undefined>>
/** What only those may read who see the workspace. */
let foreign: readonly string[]

type Inputs = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
}

const send = async (token: string | undefined, id: RouteId, inputs: Inputs, workspace = ID) => {
  const { method, path, scope } = routeOf(id)
  const { params = {}, query = {}, body } = inputs
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const { controlUrl } = bench.bench
  const base =
    scope === 'bench' || workspace === 'main' ? controlUrl : controlUrl.replace('/control/', `/w/${workspace}/control/`)
  const left = new AbortController()
  const answer = await fetch(`${base}${filled}?${new URLSearchParams(query as Record<string, string>)}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    signal: left.signal,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    left.abort()
    return { code: 0, text: '', data: undefined }
  }
  const text = await answer.text()
  const { code, data } = JSON.parse(text) as { readonly code: number; readonly data: { readonly handset?: string } }
  const trace = data?.handset === undefined ? '' : gunzipSync(Buffer.from(data.handset, 'base64')).toString()
  return { code, data, text: JSON.stringify([...answer.headers, text, trace]) }
}

const mentionsIn = (text: string, inputs: Inputs = {}): readonly string[] => {
  const sent = JSON.stringify(inputs)
  return foreign.filter((word) => text.includes(word) && !sent.includes(word))
}

const expectContract = (id: RouteId, data: unknown): void => {
  const wrong = routeOf(id).stream === true ? undefined : findProblem(data, routes[id].data)
  expect(wrong === undefined ? undefined : `${id}: ${JSON.stringify(wrong)}`).toBeUndefined()
}

/** Ids that nothing has, so that what is carried out once is not carried out by each that may. */
const ofNothing = (inputs: Inputs): Inputs =>
  inputs.params === undefined
    ? inputs
    : { ...inputs, params: Object.fromEntries(Object.keys(inputs.params).map((name) => [name, '999999'])) }

const kinds = Object.keys(KINDS) as readonly Kind[]

/** Cells of the table that are not as declared. */
const wrong: unknown[] = []

const tryAll = async (id: RouteId, inputsOf: () => Inputs | Promise<Inputs>): Promise<unknown> => {
  const access = accessOf(id)
  const ofBench = routeOf(id).scope === 'bench'
  const inputs = await inputsOf()
  const tryCell = async (kind: Kind, sent: Inputs, isRight: (code: number) => boolean): Promise<unknown> => {
    const { code, data, text } = await send(secrets[kind], id, sent)
    if (!isRight(code)) wrong.push({ id, kind, code })
    if (code === 0) expectContract(id, data)
    const mentions = mayUse(kind, 'sees') ? [] : mentionsIn(text, sent)
    if (mentions.length > 0) wrong.push({ id, kind, mentions })
    return data
  }
  const [least, ...others] = kinds.filter((kind) => mayUse(kind, access))
  if (least === undefined) throw new Error(`no token may call ${id}`)
  const refused = kinds.filter((kind) => !mayUse(kind, access))
  await Promise.all(refused.map((kind) => tryCell(kind, inputs, (code) => code === refusalOf(kind, id))))
  const data = await tryCell(least, inputs, (code) => code === 0)
  for (const kind of others) {
    const again = access === 'open' ? await inputsOf() : ofBench ? inputs : ofNothing(inputs)
    await tryCell(kind, again, (code) => (ofBench ? code === (ONCE[id] ?? 0) : !AT_THE_GATE.has(code)))
  }
  return data
}

beforeAll(async () => {
  bench = await startTestBench({ seed: 1 })
  const { client } = bench
  const { controlUrl } = bench.bench
  const make = async (body: Body<'tokens.create'>) => (await client.call('tokens.create', { body })).secret
  await client.call('workspaces.create', { body: { id: ID } })
  await client.call('workspaces.create', { body: { id: 'elsewhere' } })
  const ofEarlier = await make({ workspaces: [ID] })
  await client.call('workspaces.close', { params: { id: ID } })
  const opener = await client.call('tokens.create', { body: { name: 'harbour-ci', workspaces: ['main'], may_open: 3 } })
  const opening = createControlClient({ controlUrl, token: opener.secret })
  lease = (await opening.call('leases.create', { body: { ttl_ms: 86_400_000 } })).id
  await opening.call('workspaces.create', { body: { id: ID, ...ABOUT, lease } })
  await opening.call('workspaces.create', { body: { id: 'quay' } })
  await client.call('workspaces.create', { body: { id: 'harbour-gone', lease_ms: 1000 } })
  const revoked = await client.call('tokens.create', { body: { workspaces: [ID] } })
  await client.call('tokens.revoke', { params: { id: revoked.token.id } })
  const guest = await make({ workspaces: [ID, 'quay'] })
  const invited = await createControlClient({ controlUrl, token: guest }).call('session.invite', {
    body: { workspace: ID },
  })
  secrets = {
    none: undefined,
    wrong: opener.secret.slice(0, -1),
    revoked: revoked.secret,
    'of another workspace': await make({ workspaces: ['elsewhere'], reveal_secrets: true }),
    'of an earlier workspace of its name': ofEarlier,
    'of main, without the lease': await make({ workspaces: ['main'], reveal_secrets: true }),
    'of the workspace': guest,
    'of a page that it invited': await openSession({ controlUrl, code: invited.code }),
    'of the workspace, with its secrets': await make({ workspaces: [ID, 'quay'], reveal_secrets: true }),
    'that opened it with a lease': opener.secret,
    'of the bench': bench.bench.token,
  }
  const { rps } = await client.workspace(ID).call('rps.list')
  const { keys } = await client.workspace(ID).call('keys.list', { params: { rp: rps[0]?.id ?? '' } })
  foreign = [ID, ABOUT.owner, 'cranes', 'harbour-gone', opener.token.id, 'harbour-ci', keys[0]?.id ?? '']
  call = (async (id: RouteId, inputs: Inputs | (() => Promise<Inputs>) = {}) => {
    const inputsOf = typeof inputs === 'function' ? inputs : () => inputs
    if (!seen.has(id)) {
      seen.add(id)
      return tryAll(id, inputsOf)
    }
    const { data } = await send(bench.bench.token, id, await inputsOf())
    expectContract(id, data)
    return data
  }) as ControlClient['call']
})
afterAll(() => bench.close())

test('[control.limited] every route is open to each kind of token that may call it, and to no other', async () => {
  const full = bench.client.workspace(ID)
  const { rp, phone } = await cast(full, { model: 'granite-one' })
  await call('bench.info')
  await call('session.invite', { body: { workspace: ID } })
  await call('session.open', (async () => {
    const { code } = await bench.client.call('session.invite', { body: {} })
    return { body: { code } }
  }) as never)
  await call('workspaces.create', { body: { id: 'second', lease_ms: 60_000 } })
  await call('workspaces.get', { params: { id: ID } })
  await call('workspaces.list')
  await call('workspaces.patch', { params: { id: ID }, body: { lease_ms: 60_000 } })
  const limited = await call('tokens.create', { body: { workspaces: [ID], quota: { messages: 3 } } })
  await call('tokens.list')
  await call('tokens.revoke', { params: { id: limited.token.id } })

  await call('simulator.register', { params: { rp }, body: { ...ALICE, poll: false } })
  expect((await register(full, { rp, phone })).status).toBe('success')
  const signIn = (method: 'push' | 'qrcode') =>
    call('simulator.sign-in', { params: { rp }, body: { ...ALICE, method, poll: false } })
  const pushed = (phone: object) =>
    full.call('events.wait', { body: { match: { kind: 'phone', change: 'pushed', phone }, after: 0 } })
  const { msg_id } = await signIn('push')
  await pushed({})
  await call('simulator.patch', { params: { rp }, body: { care: 'careful' } })
  await call('simulator.get', { params: { rp } })
  await call('simulator.attempt', { params: { rp, msg_id } })
  await call('simulator.poll', { params: { rp, msg_id } })

  await call('phones.list')
  await call('phones.get', { params: { id: phone } })
  await call('phones.open', { params: { id: phone }, body: { msg_id } })
  await call('phones.fail-fingerprint', { params: { id: phone }, body: {} })
  await call('phones.approve', { params: { id: phone }, body: {} })
  await call('phones.home', { params: { id: phone }, body: {} })
  const second = await signIn('qrcode')
  await call('phones.scan', { params: { id: phone }, body: { url: second.url } })
  await call('phones.reject', { params: { id: phone }, body: {} })
  const third = await signIn('push')
  await pushed({ notifications: [{ msg_id: third.msg_id }] })
  await call('phones.dismiss', { params: { id: phone }, body: { msg_id: third.msg_id } })
  await call('phones.patch', { params: { id: phone }, body: { name: 'Alice’s old phone' } })
  await call('phones.sync', { params: { id: phone }, body: {} })
  const armed = await call('phones.arm', { params: { id: phone }, body: { fault: await aFault(full) } })
  await call('phones.disarm', { params: { id: phone, fault_id: armed.id } })
  await call('phones.disarm-all', { params: { id: phone } })
  const lie = await call('service.arm', { body: { fault: 'user-of-another', scope: { user_id: 'nobody' } } })
  await call('service.faults')
  await call('service.disarm', { params: { id: lie.id } })
  await call('service.disarm-all')
  await call('catalogue.service-faults')
  await call('catalogue.models')
  await call('catalogue.faults')

  await call('overview')
  await call('clock.get')
  await call('clock.advance', { body: { to: 'next-expiry' } })
  await call('clock.put', { body: { frozen: true, speed: 2 } })
  await call('profile.get')
  await call('profile.patch', { body: { message_ttl_s: 60 } })
  await call('profile.reset', { body: { keys: ['message_ttl_s'] } })
  await call('conditions.get')
  await call('conditions.put', { body: { rp: { latency_ms: 0 } } })
  await call('conditions.patch', { body: { app: { fail_next: 0 } } })
  await call('conditions.delete')
  await call('messages.list', { query: { limit: 5 } })
  await call('messages.get', { params: { id: msg_id } })
  const unanswered = await call('simulator.register', { params: { rp }, body: { ...ALICE, poll: false } })
  await call('messages.expire', { params: { id: unanswered.msg_id }, body: {} })
  await call('credentials.list', { query: { rp } })
  await call('accounts.list')
  const { devices } = await call('devices.list')
  const { roots } = await call('roots.list')
  const own = await call('roots.export')
  await call('roots.delete', { params: { id: roots[0]?.id ?? '' } })
  await call('roots.undelete', { params: { id: roots[0]?.id ?? '' }, body: {} })
  await call('roots.delete', { params: { id: roots[0]?.id ?? '' } })
  await call('roots.add', {
    body: { name: 'Again', certificate: own.pem.split(/(?<=-----END CERTIFICATE-----\n)/)[0] ?? '' },
  })

  await call('events.ceremonies', { query: { limit: 5, search: 'is:failed', language: 'zh' } })
  await call('events.list', { query: { after: 3, limit: 2, kind: 'exchange,message' } })
  await call('events.stream')
  await call('events.report')
  await call('events.agent-report')
  await call('events.trace')
  await call('events.scenario', { query: { after: 3, name: 'A recording' } })
  await call('events.wait', { body: { match: { kind: 'message' }, after: 0 } })

  const [stranger] = (await full.call('keys.list', { params: { rp } })).keys
  const client = createRpClient({
    baseUrl: (await full.call('overview')).addresses.base_url,
    accessKeyId: stranger?.id ?? '',
    secretKey: 'not this one',
    now: () => Date.now(),
  })
  await client.credentials('u-1')
  client.close()
  const { last_seq } = await full.call('events.list', { query: { kind: 'exchange', limit: 1, latest: true } })
  await call('events.signature', { params: { seq: String(last_seq) } })
  await call('events.resend', { params: { seq: String(last_seq) }, body: {} })
  const { events } = await full.call('events.list', { query: { kind: 'verdict' } })
  const answered = events.find(({ kind }) => kind === 'verdict')?.seq ?? 0
  const after = await full.call('events.wait', { body: { match: { kind: 'exchange' }, after: answered } })
  await call('events.answer', { params: { seq: String(after.seq) }, body: { edits: { flags: 0 } } })

  const snapshot = await call('snapshots.create', { body: { name: 'Here' } })
  await call('snapshots.list')
  await call('snapshots.restore', { params: { id: snapshot.id }, body: {} })
  await call('snapshots.delete', { params: { id: snapshot.id } })
  await call('snapshots.undelete', { params: { id: snapshot.id }, body: {} })
  const exported = await call('workspace.export')
  await call('workspace.import', { body: exported })

  const credentials = await call('credentials.list')
  const held = await full.call('phones.get', { params: { id: phone } })
  const credential_id = held.credentials[0]?.id ?? ''
  await call('phones.forget-credential', { params: { id: phone, credential_id } })
  const registered = { id: credentials.credentials[0]?.id ?? '' }
  await call('credentials.delete', { params: registered })
  await call('credentials.undelete', { params: registered, body: {} })
  const mine = { user_id: ALICE.user_id }
  expect((await call('simulator.credentials', { params: { rp }, query: mine })).total).toBe(1)
  expect(await call('simulator.delete-credential', { params: { rp, ...registered }, query: mine })).toEqual({
    total: 1,
  })
  await call('phones.sign-out', { params: { id: phone }, body: {} })
  await call('phones.sign-in', { params: { id: phone }, body: {} })
  await call('phones.wipe', { params: { id: phone }, body: {} })
  const lease = await call('leases.create', { body: { name: 'A test' } })
  await call('phones.create', { body: { name: 'Bob’s phone' } })
  await call('phones.create', { body: { name: 'Carl’s phone', lease: lease.id } })
  await call('leases.list')
  await call('leases.get', { params: { id: lease.id } })
  await call('leases.hold', { params: { id: lease.id } })
  await call('leases.delete', { params: { id: lease.id } })
  await call('phones.lose', { params: { id: phone }, body: {} })
  await call('phones.delete', { params: { id: phone } })
  await call('devices.sign-out', { params: { id: (await devicesNow(full))[0] ?? devices[0]?.id ?? '' } })

  const made = await call('rps.create', { body: { name: 'Shop', rp_id: 'shop.example' } })
  await call('rps.list')
  await call('rps.get', { params: { rp: made.id } })
  await call('rps.patch', { params: { rp: made.id }, body: { origins: ['https://shop.example'] } })
  const key = await call('keys.create', { params: { rp: made.id }, body: {} })
  const params = { rp: made.id, key: key.key.id }
  await call('keys.list', { params: { rp: made.id } })
  await call('keys.reveal', { params, body: {} })
  await call('keys.patch', { params, body: { state: 'disabled' } })
  await call('keys.delete', { params })
  await call('keys.undelete', { params, body: {} })
  await call('rps.delete', { params: { rp: made.id } })
  await call('workspace.reset', { body: { settings: true } })
  await call('workspaces.close', { params: { id: 'quay' } })
  expect(wrong).toEqual([])
  expect(Object.keys(routes).filter((id) => !seen.has(id as RouteId))).toEqual([])
  expect(bench.log.filter(({ level }) => level === 'error')).toEqual([])
})

test('[control.limited] what main tells a token names no workspace that the token does not see, and no other token', async () => {
  const { client } = bench
  const seesMain = secrets['of main, without the lease'] ?? ''
  const limited = createControlClient({ controlUrl: bench.bench.controlUrl, token: seesMain })
  await client.call('events.wait', {
    body: { match: { kind: 'setting', change: 'expired' }, after: 0, timeout_ms: 60_000 },
  })
  const telling = (Object.keys(routes) as RouteId[]).filter((id) => {
    const { method, path, scope } = routeOf(id)
    return scope === 'workspace' && method === 'GET' && !path.includes('{') && path !== '/events/stream'
  })
  for (const id of telling) {
    const { code, text } = await send(seesMain, id, {}, 'main')
    expect({ id, code, mentions: mentionsIn(text) }).toEqual({ id, code: 0, mentions: [] })
  }
  const never = { match: { kind: 'verdict' }, after: 0, timeout_ms: 1 }
  const waited = await send(seesMain, 'events.wait', { body: never }, 'main')
  expect({ code: waited.code, mentions: mentionsIn(waited.text) }).toEqual({ code: 40905, mentions: [] })
  const heard: unknown[] = []
  const stream = limited.events({ after: 0 })
  heard.push((await stream.next()).value)
  await client.call('tokens.create', { body: { name: 'harbour-ci' } })
  await client.call('profile.patch', { body: { message_ttl_s: 77 } })
  for await (const event of stream) {
    heard.push(event)
    if (JSON.stringify(event).includes('77')) break
  }
  expect(mentionsIn(JSON.stringify(heard))).toEqual([])
  expect(await limited.call('leases.get', { params: { id: lease } })).toMatchObject({ id: lease, workspaces: [] })
  expect(await codeOf(limited.call('leases.delete', { params: { id: lease } }))).toBe(40304)
  expect((await client.call('leases.get', { params: { id: lease } })).workspaces).toEqual([ID])
})

const aFault = async (client: ControlClient): Promise<string> =>
  (await client.call('catalogue.faults')).faults[0]?.name ?? ''

const devicesNow = async (client: ControlClient) => (await client.call('devices.list')).devices.map(({ id }) => id)

test('the OpenAPI document has every route and no other', async () => {
  const response = await fetch(`${bench.bench.controlUrl}/openapi.json`)
  const document = (await response.json()) as { paths: Record<string, Record<string, { operationId: string }>> }
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
  )
  const there = Object.entries<Route>(routes).map(([id, { method, path }]) => `${id} ${method} ${path}`)
  expect(documented.sort()).toEqual(there.sort())
})
