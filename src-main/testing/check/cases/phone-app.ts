import { Buffer } from 'node:buffer'
import type { HeaderPair } from '../../../core/protocol/canonical-request.ts'
import { isObject, type JsonObject, parseJsonOrNothing } from '../../../core/protocol/json.ts'
import { pause } from '../../../sdk/real-time.ts'
import { type Case, isRefusal, needing, refused, refusedWith, withOwnPhone } from '../case.ts'
import type { CheckPhone } from '../check-phone.ts'
import { dataOf, type Exchange, envelopeOf, headerOf, lineOf, succeeded } from '../exchange.ts'
import { type Finding, failed, vacuous, verdictOf } from '../finding.ts'
import { beginRegistration, beginSignIn, register, registered, resultOf, scanned, statusOf } from '../steps.ts'
import type { World } from '../world.ts'

const readInbox = (phone: CheckPhone, msgId: string, headers: readonly HeaderPair[] = []): Promise<Exchange> =>
  phone.call('GET', '/inbox', undefined, { headers: [['Accept', 'text/event-stream'], ...headers], until: msgId })

const holds = (exchange: Exchange, msgId: string): boolean => exchange.response?.text.includes(msgId) === true

const provenAccount = (world: World) => ({
  ...world.account(),
  proof: Buffer.from(world.fresh('proof')).toString('base64url'),
})

const deviceCases = [
  ...[
    ['a call without a device token', ''],
    ['a wrong device token', 'nobody-has-this-token'],
  ].map(([what, token = '']) =>
    withOwnPhone(`${what} is 40110`, async (world) => {
      const { msgId } = await beginRegistration(world)
      const exchange = await world.app('POST', `/messages/${msgId}/bind`, token, {})
      const twin = await (await world.ownPhone()).bind(msgId)
      return succeeded(twin) ? refusedWith(exchange, 40110, world) : vacuous(lineOf(twin))
    }),
  ),
  withOwnPhone('a phone that signed out is 40110', async (world) => {
    const { phone, msgId, scan } = await scanned(world)
    if (!succeeded(scan)) return vacuous('it cannot scan before either')
    const out = await phone.call('DELETE', '/devices/self')
    if (!succeeded(out)) return failed(`signing out: ${lineOf(out)}`)
    return refusedWith(await phone.bind(msgId), 40110, world)
  }),
  withOwnPhone('a message that does not exist is 40402', async (world) => {
    const { phone, scan } = await scanned(world)
    if (!succeeded(scan)) return vacuous('none can be scanned')
    return refusedWith(await phone.bind('AAAAAAAAAAAAAAAAAAAAAA'), 40402, world)
  }),
  withOwnPhone('an account without its proof is 40110, and with it another phone signs in', async (world) => {
    const account = provenAccount(world)
    await world.ownPhone(account)
    const again = await world.app('POST', '/devices', '', { account, device_name: 'second' })
    if (!succeeded(again)) return failed(`the second phone: ${lineOf(again)}`)
    const { proof: _proof, ...open } = account
    const wrong = { ...account, proof: Buffer.from('another').toString('base64url') }
    const steal = async (whose: object) =>
      refusedWith(await world.app('POST', '/devices', '', { account: whose, device_name: 'thief' }), 40110, world)
    const without = await steal(open)
    return without.verdict === 'passed' ? steal(wrong) : without
  }),
  withOwnPhone('a body that is not application/json is 41501', async (world) => {
    const body = { account: world.account(), device_name: 'check' }
    const typed: readonly [string, string] = ['Content-Type', 'text/plain']
    const exchange = await world.app('POST', '/devices', '', body, { headers: [typed] })
    const twin = await world.app('POST', '/devices', '', body)
    return succeeded(twin) ? refusedWith(exchange, 41501, world) : vacuous(lineOf(twin))
  }),
]

const signIn = (world: World, phone?: string, headers: readonly HeaderPair[] = []): Promise<Exchange> => {
  const account = { ...world.account(), ...(phone === undefined ? {} : { phone }) }
  return world.app('POST', '/devices', '', { account, device_name: 'check' }, { headers })
}

const originCases = [
  withOwnPhone('a phone that signs in gets a device_id and a device_token, and no cookie', async (world) => {
    const exchange = await signIn(world)
    const { device_id, device_token } = envelopeOf(exchange)?.data ?? {}
    const cookie = headerOf(exchange, 'set-cookie')
    if (cookie !== undefined) return failed(`Set-Cookie: ${cookie}`)
    return verdictOf(typeof device_id === 'string' && typeof device_token === 'string', lineOf(exchange))
  }),
  ...(
    [
      ['a Host that is not the service is 40302', 40302, 'Host', 'service.example'],
      ['an Origin that is neither the service’s nor an RP’s is 40303', 40303, 'Origin', 'https://thief.example'],
    ] as const
  ).map(([name, code, header, value]) =>
    refused(name, {
      code,
      needs: ['own-phone'],
      valid: (world) => signIn(world),
      changed: (world) => signIn(world, undefined, [[header, value]]),
    }),
  ),
  withOwnPhone('an RP’s Origin alone gets CORS headers', async (world) => {
    const phone = await world.ownPhone()
    await phone.bind((await beginRegistration(world)).msgId)
    const origin = phone.bound()?.rp.origins[0] ?? ''
    const own = await signIn(world, undefined, [['Origin', origin]])
    const allowed = [own, await signIn(world, undefined, [['Origin', 'https://thief.example']])].map(
      (each) => headerOf(each, 'access-control-allow-origin') ?? 'none',
    )
    return verdictOf(succeeded(own) && `${allowed}` === `${origin},none`, allowed.join(', then '))
  }),
  withOwnPhone('an account’s phone with spaces between its digits is the same number', async (world) => {
    const account = provenAccount(world)
    await world.ownPhone(account)
    const spaced = { name: account.name, phone: account.phone.replaceAll(/(\d\d)(\d)(?=\d)/g, '$1 ($2) -.') }
    const [twin, open] = [
      await world.app('POST', '/devices', '', { account: { ...account, ...spaced }, device_name: 'second' }),
      await world.app('POST', '/devices', '', { account: spaced, device_name: 'thief' }),
    ]
    return succeeded(twin) ? refusedWith(open, 40110, world) : failed(`${spaced.phone}: ${lineOf(twin)}`)
  }),
  ...[
    ['2 digits', '12'],
    ['21 digits', '123456789012345678901'],
    ['letters', '+4912x456'],
  ].map(([what, number]) =>
    refused(`an account’s phone with ${what} is 40002`, {
      code: 40002,
      needs: ['own-phone'],
      valid: (world) => signIn(world, '+12345678901234567890'),
      changed: (world) => signIn(world, number),
    }),
  ),
]

const bindCases = [
  ...(
    [
      ['without a body is 41501', 41501, []],
      ['with an empty body is 40001', 40001, [['Content-Type', 'application/json']]],
    ] as const
  ).map(([what, code, headers]) =>
    withOwnPhone(`a bind ${what}`, async (world) => {
      const phone = await world.ownPhone()
      const { msgId } = await beginRegistration(world)
      const exchange = await phone.call('POST', `/messages/${msgId}/bind`, undefined, { headers })
      const twin = await phone.bind(msgId)
      return succeeded(twin) ? refusedWith(exchange, code, world) : vacuous(lineOf(twin))
    }),
  ),
  withOwnPhone('bind says what is asked, by whom and of whom', async (world) => {
    const { data, scan } = await scanned(world)
    const bound = envelopeOf(scan)?.data ?? {}
    const rp = (bound.rp ?? {}) as JsonObject
    const key = (bound.public_key ?? {}) as JsonObject
    const isWhole =
      bound.kind === 'registration' &&
      typeof rp.id === 'string' &&
      Array.isArray(rp.origins) &&
      bound.expires_at === data.expires_at &&
      (key.rp as JsonObject | undefined)?.id === rp.id
    return verdictOf(isWhole, JSON.stringify({ ...bound, public_key: undefined }))
  }),
  withOwnPhone('bind brings a sign-in as authentication', async (world) => {
    const { phone, user } = await registered(world)
    const { msgId } = await beginSignIn(world, user)
    const { kind } = envelopeOf(await phone.bind(msgId))?.data ?? {}
    return verdictOf(kind === 'authentication', `kind ${JSON.stringify(kind)}`)
  }),
  withOwnPhone('the options ask for what the profile says', async (world) => {
    const bound = envelopeOf((await scanned(world)).scan)?.data ?? {}
    const key = (bound.public_key ?? {}) as JsonObject
    const selection = (key.authenticatorSelection ?? {}) as JsonObject
    const { attestation_conveyance, user_verification, resident_key } = world.profile
    const got = [key.attestation, selection.userVerification, selection.residentKey]
    const wanted = [attestation_conveyance, user_verification, resident_key]
    if (`${got}` === `${wanted}`) return { verdict: 'passed' }
    return { verdict: 'warning', text: `expected ${wanted.join(', ')}; got ${got.join(', ')}` }
  }),
  ...[
    { name: 'a list', body: [], least: 40000, most: 40099 },
    { name: 'a text', body: 'x', least: 40000, most: 40099 },
    { name: 'without a response', body: {}, least: 40003, most: 40003 },
  ].map(({ name, body, least, most }) =>
    withOwnPhone(`an answer that is ${name} is refused, and the message stays`, async (world) => {
      const { phone, msgId, scan } = await scanned(world)
      if (!succeeded(scan)) return vacuous('it cannot be scanned')
      const answer = await phone.send(msgId, 'attestation', body as unknown as JsonObject)
      const code = Number(envelopeOf(answer)?.code)
      if (!(code >= least && code <= most)) return failed(lineOf(answer))
      await phone.answer(msgId)
      const status = statusOf(await resultOf(world, 'attestation', msgId))
      return verdictOf(status === 'success', `then an honest answer got ${JSON.stringify(status)}`)
    }),
  ),
  withOwnPhone('an answer and a rejection are told the status of the message', async (world) => {
    const { phone, user } = await registered(world)
    const seen: unknown[] = []
    for (const how of ['answer', 'reject'] as const) {
      const { msgId } = await beginSignIn(world, user)
      await phone.bind(msgId)
      const { status, error } = envelopeOf(await phone[how](msgId))?.data ?? {}
      seen.push(status, ...(how === 'answer' ? [error] : []))
    }
    return verdictOf(JSON.stringify(seen) === '["success","","fail"]', JSON.stringify(seen))
  }),
  ...(
    [
      [
        'another text as the reason of a rejection stands behind user_rejected',
        'Not my request',
        /^user_rejected:.*Not my request/,
      ],
      ['a word as the reason of a rejection becomes the error', 'no_matching_credential', /^no_matching_credential: ./],
    ] as const
  ).map(([name, reason, wanted]) =>
    withOwnPhone(name, async (world) => {
      const { phone, msgId } = await scanned(world)
      await phone.reject(msgId, reason)
      const { status, error } = envelopeOf(await resultOf(world, 'attestation', msgId))?.data ?? {}
      return verdictOf(status === 'fail' && wanted.test(String(error)), JSON.stringify({ status, error }))
    }),
  ),
]

/** Two phones of one account, and a push for a credential that the first one made. */
const pushedTo = async (world: World, how: { readonly storage?: 'cloud' } = {}) => {
  const account = world.account()
  const [phone, other] = [await world.ownPhone(account), await world.ownPhone(account)]
  const { msgId, user } = await beginRegistration(world)
  await phone.bind(msgId)
  dataOf(await phone.answer(msgId, undefined, how))
  return { phone, other, user, msgId: (await beginSignIn(world, user, 'push')).msgId }
}

const inboxCases = [
  withOwnPhone('a push for a cloud credential reaches every phone of the account', async (world) => {
    const { phone, other, msgId } = await pushedTo(world, { storage: 'cloud' })
    const inboxes = [await readInbox(phone, msgId), await readInbox(other, msgId)]
    return verdictOf(
      inboxes.every((each) => holds(each, msgId)),
      inboxes.map(lineOf).join('; '),
    )
  }),
  withOwnPhone('a push for a device-bound credential reaches no other phone of the account', async (world) => {
    const { phone, other, msgId } = await pushedTo(world)
    if (!holds(await readInbox(phone, msgId), msgId)) return vacuous('it reaches its own phone neither')
    const { msgId: own } = await beginSignIn(world, (await register(world, other)).user, 'push')
    const inbox = await readInbox(other, own)
    if (!holds(inbox, own)) return vacuous(`the other phone gets no push: ${lineOf(inbox)}`)
    return verdictOf(!holds(inbox, msgId), 'the other phone got it as well')
  }),
  withOwnPhone('Last-Event-ID resumes the inbox behind that push', async (world) => {
    const { phone, user, msgId: first } = await pushedTo(world)
    const before = await readInbox(phone, first)
    const id = /^id:\s*(.+)$/m.exec(before.response?.text ?? '')?.[1]
    if (id === undefined) return failed(`a push without an id: ${lineOf(before)}`)
    const { msgId: second } = await beginSignIn(world, user, 'push')
    const all = await readInbox(phone, second)
    if (!holds(all, first) || !holds(all, second)) return vacuous('without it both do not come')
    const inbox = await readInbox(phone, second, [['Last-Event-ID', id]])
    return verdictOf(holds(inbox, second) && !holds(inbox, first), inbox.response?.text ?? lineOf(inbox))
  }),
  needing('expiry', 'own-phone')('a push that has expired is no longer in the inbox', async (world) => {
    const { phone, user, msgId: first } = await pushedTo(world)
    if (!holds(await readInbox(phone, first), first)) return vacuous('it was not there before')
    await pause((world.profile.message_ttl_s + 1) * 1000)
    const { msgId: second } = await beginSignIn(world, user, 'push')
    const inbox = await readInbox(phone, second)
    return verdictOf(holds(inbox, second) && !holds(inbox, first), inbox.response?.text ?? lineOf(inbox))
  }),
  withOwnPhone('a push reaches the phone that holds the credential', async (world) => {
    const { phone, user } = await registered(world)
    const { msgId } = await beginSignIn(world, user, 'push')
    const inbox = await readInbox(phone, msgId)
    if (!holds(inbox, msgId)) return failed(`the inbox: ${inbox.problem ?? lineOf(inbox)}`)
    await phone.bind(msgId)
    await phone.answer(msgId)
    const status = statusOf(await resultOf(world, 'assertion', msgId))
    return verdictOf(status === 'success', `then it got ${JSON.stringify(status)}`)
  }),
  withOwnPhone('a push is a message event with msg_id, url, rp and expires_at', async (world) => {
    const { phone, msgId } = await pushedTo(world)
    const { response } = await readInbox(phone, msgId)
    const event = response?.text.split(/\r?\n\r?\n/).find((each) => each.includes(msgId)) ?? ''
    const push = parseJsonOrNothing(/^data:(.*)$/m.exec(event)?.[1] ?? '')
    if (!isObject(push) || !/^event: ?message\r?$/m.test(event)) return failed(event || 'no event')
    const isWhole = push.msg_id === msgId && String(push.url).endsWith(`#a${msgId}`) && isObject(push.rp)
    return verdictOf(isWhole && typeof push.expires_at === 'number', event)
  }),
  withOwnPhone('a push reaches no phone of another account', async (world) => {
    const [alice, bob] = [await registered(world), await registered(world)]
    const first = await beginSignIn(world, alice.user, 'push')
    const second = await beginSignIn(world, bob.user, 'push')
    const inbox = await readInbox(bob.phone, second.msgId)
    if (!holds(inbox, second.msgId)) return vacuous(`its own push does not come: ${inbox.problem ?? lineOf(inbox)}`)
    return verdictOf(!holds(inbox, first.msgId), 'it got the other push as well')
  }),
]

const withVault = async (world: World) => {
  const account = provenAccount(world)
  const phone = await world.ownPhone(account)
  const path = `/vault/${Buffer.from(world.fresh('c')).toString('base64url')}`
  const put = (sealed: string, headers: readonly HeaderPair[], at = path) =>
    phone.call('PUT', at, { sealed }, { headers })
  return { phone, path, put, account }
}

const NEW = [['If-None-Match', '*']] as const

type Vault = Awaited<ReturnType<typeof withVault>>

/** A service may have no vault: then these cases give no verdict on it. */
const inVault = (name: string, run: (vault: Vault, world: World) => Promise<Finding>) =>
  withOwnPhone(name, async (world) => {
    const vault = await withVault(world)
    const finding = await run(vault, world)
    if (finding.verdict === 'passed') return finding
    const calls = [await vault.phone.call('GET', '/vault'), await vault.put('c2VhbGVk', NEW)]
    if (!calls.every((each) => isRefusal(each, 40401, world))) return finding
    return { verdict: 'skipped', text: 'the service has no vault', absent: 'vault' }
  })

const vaultCases = [
  inVault(
    'the vault keeps what was put into it, for every phone of the account',
    async ({ put, path, account }, world) => {
      const kept = await put('c2VhbGVk', NEW)
      if (!succeeded(kept)) return failed(lineOf(kept))
      const other = await world.ownPhone(account)
      const { sealed, etag } = envelopeOf(await other.call('GET', path))?.data ?? {}
      return verdictOf(sealed === 'c2VhbGVk' && etag === envelopeOf(kept)?.data.etag, JSON.stringify({ sealed, etag }))
    },
  ),
  inVault('a put without a condition is 42801', async ({ put }, world) => {
    const without = await put('c2VhbGVk', [])
    const twin = await put('c2VhbGVk', NEW)
    return succeeded(twin) ? refusedWith(without, 42801, world) : vacuous(lineOf(twin))
  }),
  inVault('a put of what another phone was first with is 41201', async ({ put }, world) => {
    const first = await put('Zmlyc3Q', NEW)
    if (!succeeded(first)) return vacuous(lineOf(first))
    const etag = String(envelopeOf(first)?.data.etag)
    const taken = refusedWith(await put('c2Vjb25k', NEW), 41201, world)
    if (taken.verdict !== 'passed') return taken
    const next = await put('c2Vjb25k', [['If-Match', etag]])
    if (!succeeded(next)) return failed(`If-Match with its etag: ${lineOf(next)}`)
    return refusedWith(await put('dGhpcmQ', [['If-Match', etag]]), 41201, world)
  }),
  inVault('the vault lists what it keeps, oldest first', async ({ phone, put, path }) => {
    const paths = [`${path}AAAA`, path]
    for (const each of paths) {
      const kept = await put('c2VhbGVk', NEW, each)
      if (!succeeded(kept)) return vacuous(lineOf(kept))
    }
    const { total, list } = envelopeOf(await phone.call('GET', '/vault'))?.data ?? {}
    const rows = Array.isArray(list) ? (list as readonly JsonObject[]) : []
    const ids = rows.map(({ credential_id, etag, sealed }) => (etag && sealed ? `/vault/${credential_id}` : ''))
    return verdictOf(total === 2 && `${ids}` === `${paths}`, JSON.stringify({ total, list }))
  }),
  ...(
    [
      ['an id of 1,023 bytes, and none of more', 'c2VhbGVk', 1023, 'c2VhbGVk', 1024],
      ['72 KiB, and no more', 'A'.repeat(72 * 1024), 16, 'A'.repeat(72 * 1024 + 4), 17],
      ['base64url without padding alone', 'c2VhbA', 16, 'c2VhbA==', 17],
    ] as const
  ).map(([what, sealed, length, wrong, wrongLength]) =>
    inVault(`the vault takes ${what}`, async ({ put }) => {
      const at = (bytes: number): string => `/vault/${Buffer.alloc(bytes, 7).toString('base64url')}`
      const kept = await put(sealed, NEW, at(length))
      if (!succeeded(kept)) return failed(lineOf(kept))
      const more = await put(wrong, NEW, at(wrongLength))
      return verdictOf(Math.floor(Number(envelopeOf(more)?.code) / 10_000) === 4, lineOf(more))
    }),
  ),
  inVault('a deletion with If-Match deletes only that version', async ({ put, phone, path }, world) => {
    const first = envelopeOf(await put('Zmlyc3Q', NEW))?.data.etag
    const second = envelopeOf(await put('c2Vjb25k', [['If-Match', String(first)]]))?.data.etag
    if (second === undefined) return vacuous('nothing can be replaced in it')
    const remove = (etag: unknown) => phone.call('DELETE', path, undefined, { headers: [['If-Match', String(etag)]] })
    const old = refusedWith(await remove(first), 41201, world)
    if (old.verdict !== 'passed') return old
    const now = await remove(second)
    return verdictOf(succeeded(now), lineOf(now))
  }),
  inVault('a put with an If-Match without quotes is 40002', async ({ put }, world) => {
    const first = await put('Zmlyc3Q', NEW)
    if (!succeeded(first)) return vacuous(lineOf(first))
    const bare = String(envelopeOf(first)?.data.etag).replaceAll('"', '')
    return refusedWith(await put('c2Vjb25k', [['If-Match', bare]]), 40002, world)
  }),
  inVault('an account without a proof has no vault', async ({ put }, world) => {
    if (!succeeded(await put('c2VhbGVk', NEW))) return vacuous('one with a proof has none either')
    const open = await world.ownPhone()
    const calls = [
      await open.call('GET', '/vault'),
      await open.call('PUT', '/vault/AAAA', { sealed: 'c2VhbGVk' }, { headers: NEW }),
    ]
    return verdictOf(
      calls.every((each) => isRefusal(each, 40404, world)),
      calls.map(lineOf).join('; '),
    )
  }),
  inVault('what is deleted from the vault is gone', async ({ put, phone, path }) => {
    if (!succeeded(await put('c2VhbGVk', NEW))) return vacuous('nothing can be put into it')
    const deleted = await phone.call('DELETE', path)
    if (!succeeded(deleted)) return failed(lineOf(deleted))
    const { total } = envelopeOf(await phone.call('GET', '/vault'))?.data ?? {}
    return verdictOf(total === 0, `the vault has ${JSON.stringify(total)}`)
  }),
]

/** docs/interface/phone-app.md */
export const phoneAppCases: readonly Case[] = [
  ...deviceCases,
  ...inboxCases,
  ...vaultCases,
  ...bindCases,
  ...originCases,
]
