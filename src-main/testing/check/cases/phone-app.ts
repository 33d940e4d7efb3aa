import { Buffer } from 'node:buffer'
import type { HeaderPair } from '../../../core/protocol/canonical-request.ts'
import { isObject, type JsonObject, parseJsonOrNothing } from '../../../core/protocol/json.ts'
import { pause } from '../../../sdk/real-time.ts'
import { type Case, checkRefusal, createCaseMaker, isRefusal, ownPhoneCase, refusedCase } from '../case.ts'
import type { CheckPhone } from '../check-phone.ts'
import { type Exchange, findHeader, isSuccess, readEnvelope, responseLine, successData } from '../exchange.ts'
import { type Finding, failed, passed, passIf, vacuous, warning } from '../finding.ts'
import { beginRegistration, beginSignIn, registerOwnPhone, registerUser, scannedCase, userCase } from '../steps.ts'
import type { World } from '../world.ts'

const readInbox = (phone: CheckPhone, msgId: string, headers: readonly HeaderPair[] = []): Promise<Exchange> =>
  phone.call('GET', '/inbox', undefined, { headers: [['Accept', 'text/event-stream'], ...headers], until: msgId })

const holds = (exchange: Exchange, msgId: string): boolean => exchange.response?.text.includes(msgId) === true

/** Passes if the inbox has the second push and not the first. */
const checkResumed = (inbox: Exchange, { first, second }: { readonly first: string; readonly second: string }) =>
  passIf(holds(inbox, second) && !holds(inbox, first), inbox.response?.text ?? responseLine(inbox))

/** Passes if this is true for all exchanges. */
const checkAll = (exchanges: readonly Exchange[], isRight: (exchange: Exchange) => boolean): Finding =>
  passIf(exchanges.every(isRight), exchanges.map(responseLine).join('; '))

const provenAccount = (world: World) => ({
  ...world.account(),
  proof: Buffer.from(world.fresh('proof')).toString('base64url'),
})

type SignIn = { readonly device_name?: string; readonly headers?: readonly HeaderPair[] }

/** Signs a phone in to this account or to a new one, without keeping its token. */
const signIn = (
  world: World,
  account: JsonObject = world.account(),
  { device_name = 'check', headers = [] }: SignIn = {},
) => world.app('POST', '/devices', { account, device_name }, { headers })

const deviceCases = [
  ...[
    ['a call without a device token', ''],
    ['a wrong device token', 'nobody-has-this-token'],
  ].map(([what, token = '']) =>
    ownPhoneCase(`${what} is 40110`, async (world) => {
      const { msgId } = await beginRegistration(world)
      const exchange = await world.app('POST', `/messages/${msgId}/bind`, {}, { token })
      const twin = await (await world.ownPhone()).bind(msgId)
      return isSuccess(twin) ? checkRefusal(exchange, 40110, world) : vacuous(responseLine(twin))
    }),
  ),
  scannedCase('a phone that signed out is 40110', async ({ phone, msgId, scan }, world) => {
    if (!isSuccess(scan)) return vacuous('it cannot scan before either')
    const out = await phone.call('DELETE', '/devices/self')
    if (!isSuccess(out)) return failed(`signing out: ${responseLine(out)}`)
    return checkRefusal(await phone.bind(msgId), 40110, world)
  }),
  scannedCase('a message that does not exist is 40402', async ({ phone, scan }, world) => {
    if (!isSuccess(scan)) return vacuous('none can be scanned')
    return checkRefusal(await phone.bind('AAAAAAAAAAAAAAAAAAAAAA'), 40402, world)
  }),
  ownPhoneCase('an account without its proof is 40110, and with it another phone signs in', async (world) => {
    const account = provenAccount(world)
    await world.ownPhone(account)
    const again = await signIn(world, account, { device_name: 'second' })
    if (!isSuccess(again)) return failed(`the second phone: ${responseLine(again)}`)
    const { proof: _proof, ...open } = account
    const wrong = { ...account, proof: Buffer.from('another').toString('base64url') }
    const steal = async (whose: JsonObject) =>
      checkRefusal(await signIn(world, whose, { device_name: 'thief' }), 40110, world)
    const without = await steal(open)
    return without.verdict === 'passed' ? steal(wrong) : without
  }),
  ownPhoneCase('a body that is not application/json is 41501', async (world) => {
    const account = world.account()
    const exchange = await signIn(world, account, { headers: [['Content-Type', 'text/plain']] })
    const twin = await signIn(world, account)
    return isSuccess(twin) ? checkRefusal(exchange, 41501, world) : vacuous(responseLine(twin))
  }),
]

const originCases = [
  ownPhoneCase('a phone that signs in gets a device_id and a device_token, and no cookie', async (world) => {
    const exchange = await signIn(world)
    const { device_id, device_token } = readEnvelope(exchange).data
    const cookie = findHeader(exchange.response, 'set-cookie')
    if (cookie !== undefined) return failed(`Set-Cookie: ${cookie}`)
    return passIf(typeof device_id === 'string' && typeof device_token === 'string', responseLine(exchange))
  }),
  ...(
    [
      ['a Host that is not the service is 40302', 40302, 'Host', 'service.example'],
      ['an Origin that is neither the service’s nor an RP’s is 40303', 40303, 'Origin', 'https://thief.example'],
    ] as const
  ).map(([name, code, header, value]) =>
    refusedCase(name, {
      code,
      needs: ['own-phone'],
      valid: (world) => signIn(world),
      changed: (world) => signIn(world, undefined, { headers: [[header, value]] }),
    }),
  ),
  scannedCase('an RP’s Origin alone gets CORS headers', async ({ phone }, world) => {
    const origin = phone.bound()?.rp.origins[0] ?? ''
    const own = await signIn(world, undefined, { headers: [['Origin', origin]] })
    const other = await signIn(world, undefined, { headers: [['Origin', 'https://thief.example']] })
    const allowed = [own, other].map((each) => findHeader(each.response, 'access-control-allow-origin') ?? 'none')
    return passIf(isSuccess(own) && `${allowed}` === `${origin},none`, allowed.join(', then '))
  }),
  ownPhoneCase('an account’s phone with spaces between its digits is the same number', async (world) => {
    const account = provenAccount(world)
    await world.ownPhone(account)
    const spaced = { name: account.name, phone: account.phone.replaceAll(/(\d\d)(\d)(?=\d)/g, '$1 ($2) -.') }
    const twin = await signIn(world, { ...account, ...spaced }, { device_name: 'second' })
    const open = await signIn(world, spaced, { device_name: 'thief' })
    return isSuccess(twin) ? checkRefusal(open, 40110, world) : failed(`${spaced.phone}: ${responseLine(twin)}`)
  }),
  ...[
    ['2 digits', '12'],
    ['21 digits', '123456789012345678901'],
    ['letters', '+4912x456'],
  ].map(([what, number]) =>
    refusedCase(`an account’s phone with ${what} is 40002`, {
      code: 40002,
      needs: ['own-phone'],
      valid: (world) => signIn(world, { ...world.account(), phone: '+12345678901234567890' }),
      changed: (world) => signIn(world, { ...world.account(), phone: number }),
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
    ownPhoneCase(`a bind ${what}`, async (world) => {
      const phone = await world.ownPhone()
      const { msgId } = await beginRegistration(world)
      const exchange = await phone.call('POST', `/messages/${msgId}/bind`, undefined, { headers })
      const twin = await phone.bind(msgId)
      return isSuccess(twin) ? checkRefusal(exchange, code, world) : vacuous(responseLine(twin))
    }),
  ),
  scannedCase('bind says what is asked, by whom and of whom', async ({ data, scan }) => {
    const bound = readEnvelope(scan).data
    const rp = (bound.rp ?? {}) as JsonObject
    const key = (bound.public_key ?? {}) as JsonObject
    const isWhole =
      bound.kind === 'registration' &&
      typeof rp.id === 'string' &&
      Array.isArray(rp.origins) &&
      bound.expires_at === data.expires_at &&
      (key.rp as JsonObject | undefined)?.id === rp.id
    return passIf(isWhole, JSON.stringify({ ...bound, public_key: undefined }))
  }),
  userCase('bind brings a sign-in as authentication', async ({ phone, user }, world) => {
    const { msgId } = await beginSignIn(world, user)
    const { kind } = readEnvelope(await phone.bind(msgId)).data
    return passIf(kind === 'authentication', `kind ${JSON.stringify(kind)}`)
  }),
  scannedCase('the options ask for what the profile says', async ({ scan }, world) => {
    const key = (readEnvelope(scan).data.public_key ?? {}) as JsonObject
    const selection = (key.authenticatorSelection ?? {}) as JsonObject
    const { attestation_conveyance, user_verification, resident_key } = world.profile
    const got = [key.attestation, selection.userVerification, selection.residentKey]
    const wanted = [attestation_conveyance, user_verification, resident_key]
    return `${got}` === `${wanted}` ? passed : warning(`expected ${wanted.join(', ')}; got ${got.join(', ')}`)
  }),
  ...[
    { name: 'a list', body: [], least: 40000, most: 40099 },
    { name: 'a text', body: 'x', least: 40000, most: 40099 },
    { name: 'without a response', body: {}, least: 40003, most: 40003 },
  ].map(({ name, body, least, most }) =>
    scannedCase(`an answer that is ${name} is refused, and the message stays`, async ({ phone, msgId, ...message }) => {
      if (!isSuccess(message.scan)) return vacuous('it cannot be scanned')
      const answer = await phone.send(msgId, body as unknown as JsonObject)
      const code = Number(readEnvelope(answer).code)
      if (!(code >= least && code <= most)) return failed(responseLine(answer))
      await phone.answer(msgId)
      return message.checkStatus('success', 'then an honest answer got')
    }),
  ),
  userCase('an answer and a rejection are told the status of the message', async ({ phone, user }, world) => {
    const seen: unknown[] = []
    for (const how of ['answer', 'reject'] as const) {
      const { msgId } = await beginSignIn(world, user)
      await phone.bind(msgId)
      const { status, error } = readEnvelope(await phone[how](msgId)).data
      seen.push(status, ...(how === 'answer' ? [error] : []))
    }
    return passIf(JSON.stringify(seen) === '["success","","fail"]', JSON.stringify(seen))
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
    scannedCase(name, async ({ phone, msgId, resultData }) => {
      await phone.reject(msgId, reason)
      const { status, error } = await resultData()
      return passIf(status === 'fail' && wanted.test(String(error)), JSON.stringify({ status, error }))
    }),
  ),
]

/** Two phones of one account, and a push for a credential that the first one made. */
const pushedTo = async (world: World, how: { readonly storage?: 'cloud' } = {}) => {
  const account = world.account()
  const [phone, other] = [await world.ownPhone(account), await world.ownPhone(account)]
  const { msgId, user } = await beginRegistration(world)
  await phone.bind(msgId)
  successData(await phone.answer(msgId, undefined, how))
  return { phone, other, user, msgId: (await beginSignIn(world, user, 'push')).msgId }
}

const inboxCases = [
  ownPhoneCase('a push for a cloud credential reaches every phone of the account', async (world) => {
    const { phone, other, msgId } = await pushedTo(world, { storage: 'cloud' })
    const inboxes = [await readInbox(phone, msgId), await readInbox(other, msgId)]
    return checkAll(inboxes, (each) => holds(each, msgId))
  }),
  ownPhoneCase('a push for a device-bound credential reaches no other phone of the account', async (world) => {
    const { phone, other, msgId } = await pushedTo(world)
    if (!holds(await readInbox(phone, msgId), msgId)) return vacuous('it reaches its own phone neither')
    const { msgId: own } = await beginSignIn(world, (await registerUser(world, other)).user, 'push')
    const inbox = await readInbox(other, own)
    if (!holds(inbox, own)) return vacuous(`the other phone gets no push: ${responseLine(inbox)}`)
    return passIf(!holds(inbox, msgId), 'the other phone got it as well')
  }),
  ownPhoneCase('Last-Event-ID resumes the inbox behind that push', async (world) => {
    const { phone, user, msgId: first } = await pushedTo(world)
    const before = await readInbox(phone, first)
    const id = /^id:\s*(.+)$/m.exec(before.response?.text ?? '')?.[1]
    if (id === undefined) return failed(`a push without an id: ${responseLine(before)}`)
    const { msgId: second } = await beginSignIn(world, user, 'push')
    const all = await readInbox(phone, second)
    if (!holds(all, first) || !holds(all, second)) return vacuous('without it both do not come')
    return checkResumed(await readInbox(phone, second, [['Last-Event-ID', id]]), { first, second })
  }),
  createCaseMaker('expiry', 'own-phone')('a push that has expired is no longer in the inbox', async (world) => {
    const { phone, user, msgId: first } = await pushedTo(world)
    if (!holds(await readInbox(phone, first), first)) return vacuous('it was not there before')
    await pause((world.profile.message_ttl_s + 1) * 1000)
    const { msgId: second } = await beginSignIn(world, user, 'push')
    return checkResumed(await readInbox(phone, second), { first, second })
  }),
  userCase('a push reaches the phone that holds the credential', async ({ phone, user }, world) => {
    const { msgId, checkStatus } = await beginSignIn(world, user, 'push')
    const inbox = await readInbox(phone, msgId)
    if (!holds(inbox, msgId)) return failed(`the inbox: ${inbox.problem ?? responseLine(inbox)}`)
    await phone.bind(msgId)
    await phone.answer(msgId)
    return checkStatus('success', 'then it got')
  }),
  ownPhoneCase('a push is a message event with msg_id, url, rp and expires_at', async (world) => {
    const { phone, msgId } = await pushedTo(world)
    const { response } = await readInbox(phone, msgId)
    const event = response?.text.split(/\r?\n\r?\n/).find((each) => each.includes(msgId)) ?? ''
    const push = parseJsonOrNothing(/^data:(.*)$/m.exec(event)?.[1] ?? '')
    if (!isObject(push) || !/^event: ?message\r?$/m.test(event)) return failed(event || 'no event')
    const isWhole = push.msg_id === msgId && String(push.url).endsWith(`#a${msgId}`) && isObject(push.rp)
    return passIf(isWhole && typeof push.expires_at === 'number', event)
  }),
  ownPhoneCase('a push reaches no phone of another account', async (world) => {
    const [alice, bob] = [await registerOwnPhone(world), await registerOwnPhone(world)]
    const first = await beginSignIn(world, alice.user, 'push')
    const second = await beginSignIn(world, bob.user, 'push')
    const inbox = await readInbox(bob.phone, second.msgId)
    if (!holds(inbox, second.msgId))
      return vacuous(`its own push does not come: ${inbox.problem ?? responseLine(inbox)}`)
    return passIf(!holds(inbox, first.msgId), 'it got the other push as well')
  }),
]

const withVault = async (world: World) => {
  const account = provenAccount(world)
  const phone = await world.ownPhone(account)
  const path = `/vault/${Buffer.from(world.fresh('c')).toString('base64url')}`
  const put = (sealed: string, headers: readonly HeaderPair[], at = path) =>
    phone.call('PUT', at, { sealed }, { headers })
  return { phone, path, put, other: () => world.ownPhone(account) }
}

const NEW = [['If-None-Match', '*']] as const

type Vault = Awaited<ReturnType<typeof withVault>>

/** A service may have no vault: then these cases give no verdict on it. */
const inVault = (name: string, run: (vault: Vault, world: World) => Promise<Finding>) =>
  ownPhoneCase(name, async (world) => {
    const vault = await withVault(world)
    const finding = await run(vault, world)
    if (finding.verdict === 'passed') return finding
    const calls = [await vault.phone.call('GET', '/vault'), await vault.put('c2VhbGVk', NEW)]
    if (!calls.every((each) => isRefusal(each, 40401, world))) return finding
    return { verdict: 'skipped', text: 'the service has no vault', absent: 'vault' }
  })

const vaultCases = [
  inVault('the vault keeps what was put into it, for every phone of the account', async ({ put, path, other }) => {
    const kept = await put('c2VhbGVk', NEW)
    if (!isSuccess(kept)) return failed(responseLine(kept))
    const { sealed, etag } = readEnvelope(await (await other()).call('GET', path)).data
    return passIf(sealed === 'c2VhbGVk' && etag === readEnvelope(kept).data.etag, JSON.stringify({ sealed, etag }))
  }),
  inVault('a put without a condition is 42801', async ({ put }, world) => {
    const without = await put('c2VhbGVk', [])
    const twin = await put('c2VhbGVk', NEW)
    return isSuccess(twin) ? checkRefusal(without, 42801, world) : vacuous(responseLine(twin))
  }),
  inVault('a put of what another phone was first with is 41201', async ({ put }, world) => {
    const first = await put('Zmlyc3Q', NEW)
    if (!isSuccess(first)) return vacuous(responseLine(first))
    const etag = String(readEnvelope(first).data.etag)
    const taken = checkRefusal(await put('c2Vjb25k', NEW), 41201, world)
    if (taken.verdict !== 'passed') return taken
    const next = await put('c2Vjb25k', [['If-Match', etag]])
    if (!isSuccess(next)) return failed(`If-Match with its etag: ${responseLine(next)}`)
    return checkRefusal(await put('dGhpcmQ', [['If-Match', etag]]), 41201, world)
  }),
  inVault('the vault lists what it keeps, oldest first', async ({ phone, put, path }) => {
    const paths = [`${path}AAAA`, path]
    for (const each of paths) {
      const kept = await put('c2VhbGVk', NEW, each)
      if (!isSuccess(kept)) return vacuous(responseLine(kept))
    }
    const { total, list } = readEnvelope(await phone.call('GET', '/vault')).data
    const rows = Array.isArray(list) ? (list as readonly JsonObject[]) : []
    const ids = rows.map(({ credential_id, etag, sealed }) => (etag && sealed ? `/vault/${credential_id}` : ''))
    return passIf(total === 2 && `${ids}` === `${paths}`, JSON.stringify({ total, list }))
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
      if (!isSuccess(kept)) return failed(responseLine(kept))
      const more = await put(wrong, NEW, at(wrongLength))
      return passIf(Math.floor(Number(readEnvelope(more).code) / 10_000) === 4, responseLine(more))
    }),
  ),
  inVault('a deletion with If-Match deletes only that version', async ({ put, phone, path }, world) => {
    const first = readEnvelope(await put('Zmlyc3Q', NEW)).data.etag
    const second = readEnvelope(await put('c2Vjb25k', [['If-Match', String(first)]])).data.etag
    if (second === undefined) return vacuous('nothing can be replaced in it')
    const remove = (etag: unknown) => phone.call('DELETE', path, undefined, { headers: [['If-Match', String(etag)]] })
    const old = checkRefusal(await remove(first), 41201, world)
    if (old.verdict !== 'passed') return old
    const now = await remove(second)
    return passIf(isSuccess(now), responseLine(now))
  }),
  inVault('a put with an If-Match without quotes is 40002', async ({ put }, world) => {
    const first = await put('Zmlyc3Q', NEW)
    if (!isSuccess(first)) return vacuous(responseLine(first))
    const bare = String(readEnvelope(first).data.etag).replaceAll('"', '')
    return checkRefusal(await put('c2Vjb25k', [['If-Match', bare]]), 40002, world)
  }),
  inVault('an account without a proof has no vault', async ({ put }, world) => {
    if (!isSuccess(await put('c2VhbGVk', NEW))) return vacuous('one with a proof has none either')
    const open = await world.ownPhone()
    const calls = [
      await open.call('GET', '/vault'),
      await open.call('PUT', '/vault/AAAA', { sealed: 'c2VhbGVk' }, { headers: NEW }),
    ]
    return checkAll(calls, (each) => isRefusal(each, 40404, world))
  }),
  inVault('what is deleted from the vault is gone', async ({ put, phone, path }) => {
    if (!isSuccess(await put('c2VhbGVk', NEW))) return vacuous('nothing can be put into it')
    const deleted = await phone.call('DELETE', path)
    if (!isSuccess(deleted)) return failed(responseLine(deleted))
    const { total } = readEnvelope(await phone.call('GET', '/vault')).data
    return passIf(total === 0, `the vault has ${JSON.stringify(total)}`)
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
