import { Buffer } from 'node:buffer'
import type { JsonObject } from '../../../core/protocol/json.ts'
import { type Case, type Finding, failed, isRefusal, look, refusedWith, vacuous, verdictOf } from '../case.ts'
import type { CheckPhone } from '../check-phone.ts'
import { type Exchange, envelopeOf, succeeded, told } from '../exchange.ts'
import { beginRegistration, beginSignIn, registered, resultOf, statusOf } from '../steps.ts'
import type { World } from '../world.ts'

const OURS = ['own-phone'] as const

/** Reads the inbox until something is in it. */
const inboxOf = (phone: CheckPhone, msgId: string): Promise<Exchange> =>
  phone.call('GET', '/inbox', undefined, { headers: [['Accept', 'text/event-stream']], until: msgId })

const holds = (exchange: Exchange, msgId: string): boolean => exchange.response?.text.includes(msgId) === true

const deviceCases = [
  look(
    'a call without a device token is 40110',
    async (world) => {
      const { msgId } = await beginRegistration(world)
      const exchange = await world.app('POST', `/messages/${msgId}/bind`, '', {})
      const twin = await (await world.ownPhone()).bind(msgId)
      return succeeded(twin) ? refusedWith(exchange, 40110, world) : vacuous(told(twin))
    },
    OURS,
  ),
  look(
    'a wrong device token is 40110',
    async (world) => {
      const { msgId } = await beginRegistration(world)
      const exchange = await world.app('POST', `/messages/${msgId}/bind`, 'nobody-has-this-token', {})
      const twin = await (await world.ownPhone()).bind(msgId)
      return succeeded(twin) ? refusedWith(exchange, 40110, world) : vacuous(told(twin))
    },
    OURS,
  ),
  look(
    'a phone that signed out is 40110',
    async (world) => {
      const phone = await world.ownPhone()
      const { msgId } = await beginRegistration(world)
      if (!succeeded(await phone.bind(msgId))) return vacuous('it cannot scan before either')
      const out = await phone.call('DELETE', '/devices/self')
      if (!succeeded(out)) return failed(`signing out: ${told(out)}`)
      return refusedWith(await phone.bind(msgId), 40110, world)
    },
    OURS,
  ),
  look(
    'a message that does not exist is 40402',
    async (world) => {
      const phone = await world.ownPhone()
      const { msgId } = await beginRegistration(world)
      if (!succeeded(await phone.bind(msgId))) return vacuous('none can be scanned')
      return refusedWith(await phone.bind('AAAAAAAAAAAAAAAAAAAAAA'), 40402, world)
    },
    OURS,
  ),
  look(
    'an account without its proof is 40110, and with it another phone signs in',
    async (world) => {
      const account = { ...world.account(), proof: Buffer.from(world.fresh('proof')).toString('base64url') }
      await world.ownPhone(account)
      const again = await world.app('POST', '/devices', '', { account, device_name: 'second' })
      if (!succeeded(again)) return failed(`the second phone: ${told(again)}`)
      const { proof: _proof, ...open } = account
      const wrong = { ...account, proof: Buffer.from('another').toString('base64url') }
      const without = refusedWith(
        await world.app('POST', '/devices', '', { account: open, device_name: 'thief' }),
        40110,
        world,
      )
      if (without.verdict !== 'passed') return without
      return refusedWith(
        await world.app('POST', '/devices', '', { account: wrong, device_name: 'thief' }),
        40110,
        world,
      )
    },
    OURS,
  ),
  look(
    'a body that is not application/json is 41501',
    async (world) => {
      const body = { account: world.account(), device_name: 'check' }
      const typed: readonly [string, string] = ['Content-Type', 'text/plain']
      const exchange = await world.app('POST', '/devices', '', body, { headers: [typed] })
      const twin = await world.app('POST', '/devices', '', body)
      return succeeded(twin) ? refusedWith(exchange, 41501, world) : vacuous(told(twin))
    },
    OURS,
  ),
]

const bindCases = [
  look(
    'bind says what is asked, by whom and of whom',
    async (world) => {
      const phone = await world.ownPhone()
      const { msgId, data } = await beginRegistration(world)
      const bound = envelopeOf(await phone.bind(msgId))?.data ?? {}
      const rp = (bound.rp ?? {}) as JsonObject
      const key = (bound.public_key ?? {}) as JsonObject
      const isWhole =
        bound.kind === 'registration' &&
        typeof rp.id === 'string' &&
        Array.isArray(rp.origins) &&
        bound.expires_at === data.expires_at &&
        (key.rp as JsonObject | undefined)?.id === rp.id
      return verdictOf(isWhole, JSON.stringify({ ...bound, public_key: undefined }))
    },
    OURS,
  ),
  look(
    'bind brings a sign-in as authentication',
    async (world) => {
      const { phone, user } = await registered(world)
      const { msgId } = await beginSignIn(world, user)
      const { kind } = envelopeOf(await phone.bind(msgId))?.data ?? {}
      return verdictOf(kind === 'authentication', `kind ${JSON.stringify(kind)}`)
    },
    OURS,
  ),
  look(
    'the options ask for what the profile says',
    async (world) => {
      const phone = await world.ownPhone()
      const { msgId } = await beginRegistration(world)
      const bound = envelopeOf(await phone.bind(msgId))?.data ?? {}
      const key = (bound.public_key ?? {}) as JsonObject
      const selection = (key.authenticatorSelection ?? {}) as JsonObject
      const { attestation_conveyance, user_verification, resident_key } = world.profile
      const got = [key.attestation, selection.userVerification, selection.residentKey]
      const wanted = [attestation_conveyance, user_verification, resident_key]
      if (`${got}` === `${wanted}`) return { verdict: 'passed' }
      return { verdict: 'warning', text: `expected ${wanted.join(', ')}; got ${got.join(', ')}` }
    },
    OURS,
  ),
  ...[
    ['a list', []],
    ['a text', 'x'],
  ].map(([name, body]) =>
    look(
      `an answer that is ${name} is refused, and the message stays`,
      async (world) => {
        const phone = await world.ownPhone()
        const { msgId } = await beginRegistration(world)
        if (!succeeded(await phone.bind(msgId))) return vacuous('it cannot be scanned')
        const answer = await phone.send(msgId, 'attestation', body as unknown as JsonObject)
        if (Math.floor(Number(envelopeOf(answer)?.code) / 100) !== 400) return failed(told(answer))
        await phone.answer(msgId)
        const status = statusOf(await resultOf(world, 'attestation', msgId))
        return verdictOf(status === 'success', `then an honest answer got ${JSON.stringify(status)}`)
      },
      OURS,
    ),
  ),
  look(
    'a word as the reason of a rejection becomes the error',
    async (world) => {
      const phone = await world.ownPhone()
      const { msgId } = await beginRegistration(world)
      await phone.bind(msgId)
      await phone.reject(msgId, 'no_matching_credential')
      const { status, error } = envelopeOf(await resultOf(world, 'attestation', msgId))?.data ?? {}
      const isTold = status === 'fail' && /^no_matching_credential(:|$)/.test(String(error))
      return verdictOf(isTold, JSON.stringify({ status, error }))
    },
    OURS,
  ),
]

const inboxCases = [
  look(
    'a push reaches the phone that holds the credential',
    async (world) => {
      const { phone, user } = await registered(world)
      const { msgId } = await beginSignIn(world, user, 'push')
      const inbox = await inboxOf(phone, msgId)
      if (!holds(inbox, msgId)) return failed(`the inbox: ${inbox.problem ?? told(inbox)}`)
      await phone.bind(msgId)
      await phone.answer(msgId)
      const status = statusOf(await resultOf(world, 'assertion', msgId))
      return verdictOf(status === 'success', `then it got ${JSON.stringify(status)}`)
    },
    OURS,
  ),
  look(
    'a push reaches no phone of another account',
    async (world) => {
      const [alice, bob] = [await registered(world), await registered(world)]
      const first = await beginSignIn(world, alice.user, 'push')
      const second = await beginSignIn(world, bob.user, 'push')
      const inbox = await inboxOf(bob.phone, second.msgId)
      if (!holds(inbox, second.msgId)) return vacuous(`its own push does not come: ${inbox.problem ?? told(inbox)}`)
      return verdictOf(!holds(inbox, first.msgId), 'it got the other push as well')
    },
    OURS,
  ),
]

const withVault = async (world: World) => {
  const account = { ...world.account(), proof: Buffer.from(world.fresh('proof')).toString('base64url') }
  const phone = await world.ownPhone(account)
  const path = `/vault/${Buffer.from(world.fresh('c')).toString('base64url')}`
  const put = (sealed: string, headers: readonly (readonly [string, string])[]) =>
    phone.call('PUT', path, { sealed }, { headers })
  return { phone, path, put, account }
}

const NEW = [['If-None-Match', '*']] as const

type Vault = Awaited<ReturnType<typeof withVault>>

/** A service may have no vault: then none of these says anything about it. */
const inVault = (name: string, run: (vault: Vault, world: World) => Promise<Finding>) =>
  look(
    name,
    async (world) => {
      const vault = await withVault(world)
      const finding = await run(vault, world)
      if (finding.verdict === 'passed') return finding
      const calls = [await vault.phone.call('GET', '/vault'), await vault.put('c2VhbGVk', NEW)]
      if (!calls.every((each) => isRefusal(each, 40401, world))) return finding
      return { verdict: 'skipped', text: 'the service has no vault', absent: 'vault' }
    },
    OURS,
  )

const vaultCases = [
  inVault(
    'the vault keeps what was put into it, for every phone of the account',
    async ({ put, path, account }, world) => {
      const kept = await put('c2VhbGVk', NEW)
      if (!succeeded(kept)) return failed(told(kept))
      const other = await world.ownPhone(account)
      const { sealed, etag } = envelopeOf(await other.call('GET', path))?.data ?? {}
      return verdictOf(sealed === 'c2VhbGVk' && etag === envelopeOf(kept)?.data.etag, JSON.stringify({ sealed, etag }))
    },
  ),
  inVault('a put without a condition is 42801', async ({ put }, world) => {
    const without = await put('c2VhbGVk', [])
    const twin = await put('c2VhbGVk', NEW)
    return succeeded(twin) ? refusedWith(without, 42801, world) : vacuous(told(twin))
  }),
  inVault('a put of what another phone was first with is 41201', async ({ put }, world) => {
    const first = await put('Zmlyc3Q', NEW)
    if (!succeeded(first)) return vacuous(told(first))
    const etag = String(envelopeOf(first)?.data.etag)
    const taken = refusedWith(await put('c2Vjb25k', NEW), 41201, world)
    if (taken.verdict !== 'passed') return taken
    const next = await put('c2Vjb25k', [['If-Match', etag]])
    if (!succeeded(next)) return failed(`If-Match with its etag: ${told(next)}`)
    return refusedWith(await put('dGhpcmQ', [['If-Match', etag]]), 41201, world)
  }),
  inVault('what is deleted from the vault is gone', async ({ put, phone, path }) => {
    if (!succeeded(await put('c2VhbGVk', NEW))) return vacuous('nothing can be put into it')
    const deleted = await phone.call('DELETE', path)
    if (!succeeded(deleted)) return failed(told(deleted))
    const { total } = envelopeOf(await phone.call('GET', '/vault'))?.data ?? {}
    return verdictOf(total === 0, `the vault has ${JSON.stringify(total)}`)
  }),
]

/** docs/interface/phone-app.md */
export const phoneAppCases: readonly Case[] = [...deviceCases, ...inboxCases, ...vaultCases, ...bindCases]
