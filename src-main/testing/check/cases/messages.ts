import { pause } from '../../../sdk/real-time.ts'
import { type Case, look, needing, refusedWith, withOwnPhone } from '../case.ts'
import { envelopeOf, lineOf, succeeded } from '../exchange.ts'
import { failed, passed, vacuous, verdictOf } from '../finding.ts'
import { beginRegistration, beginSignIn, listOf, register, registered, resultOf, scanned, statusOf } from '../steps.ts'
import type { World } from '../world.ts'
import { ownPhoneMessageCases } from './own-phone-messages.ts'

const statesOf = async (world: World): Promise<readonly unknown[]> => {
  const phone = await world.phone()
  const { msgId } = await beginRegistration(world)
  const seen = [statusOf(await resultOf(world, 'attestation', msgId))]
  await phone.bind(msgId, 'r')
  seen.push(statusOf(await resultOf(world, 'attestation', msgId)))
  await phone.answer(msgId)
  return [...seen, statusOf(await resultOf(world, 'attestation', msgId))]
}

const answered = async (world: World): Promise<string> => {
  const phone = await world.phone()
  const { msgId } = await beginRegistration(world)
  await phone.bind(msgId, 'r')
  await phone.answer(msgId)
  return msgId
}

const beginningCases = [
  look('a url is the base_url, /m#r and 128 random bits', async (world) => {
    const [first, second] = [await beginRegistration(world), await beginRegistration(world)]
    const url = String(first.data.url)
    if (first.msgId === second.msgId) return failed('two messages have the same msg_id')
    const token = url.slice(url.indexOf('#') + 1)
    const base = world.target.baseUrl.replace(/\/$/, '')
    if (!url.startsWith(`${base}/m#`)) return { verdict: 'review' as const, text: `is this its base_url? ${url}` }
    return verdictOf(/^r[A-Za-z0-9_-]{22}$/.test(token), url)
  }),
  look('expires_at is as far away as the profile says', async (world) => {
    const before = Math.floor(world.now() / 1000)
    const { data } = await beginRegistration(world)
    const away = Number(data.expires_at) - before
    const ttl = world.profile.message_ttl_s
    return verdictOf(away >= ttl - 2 && away <= ttl + 3, `expires_at is ${away} s away; message_ttl_s is ${ttl}`)
  }),
  look('a new message is init, and names nobody', async (world) => {
    const { msgId } = await beginRegistration(world)
    const data = envelopeOf(await resultOf(world, 'attestation', msgId))?.data ?? {}
    return verdictOf(data.status === 'init' && data.svc_user === '' && data.error === '', JSON.stringify(data))
  }),
  look('the result of a registration has no user_id', async (world) => {
    const { msgId } = await beginRegistration(world)
    const result = await resultOf(world, 'attestation', msgId)
    const { status, user_id } = envelopeOf(result)?.data ?? {}
    if (status !== 'init') return vacuous(lineOf(result))
    return verdictOf(user_id === undefined, `user_id ${JSON.stringify(user_id)}`)
  }),
  look('the other ceremony’s endpoint knows no such message', async (world) => {
    const { msgId } = await beginRegistration(world)
    if (!succeeded(await resultOf(world, 'attestation', msgId))) return vacuous('its own does not either')
    return refusedWith(await resultOf(world, 'assertion', msgId), 40402, world)
  }),
]

const byAnyPhone = [
  needing('phone')('a registration goes from init over bind to success', async (world) => {
    const seen = await statesOf(world)
    return verdictOf(`${seen}` === 'init,bind,success', `expected init, bind, success; got ${seen.join(', ')}`)
  }),
  needing('phone')('a final result is told as often as the profile says', async (world) => {
    const msgId = await answered(world)
    const first = await resultOf(world, 'attestation', msgId)
    if (statusOf(first) !== 'success') return vacuous('an honest registration does not succeed')
    const second = await resultOf(world, 'attestation', msgId)
    if (world.profile.final_result === 'once') return refusedWith(second, 41001, world)
    return verdictOf(statusOf(second) === 'success', `the second reading: ${lineOf(second)}`)
  }),
  needing('phone')('of ten readers at once exactly one gets the result', async (world) => {
    const msgId = await answered(world)
    const readers = await Promise.all(Array.from({ length: 10 }, () => resultOf(world, 'attestation', msgId)))
    const got = readers.filter((each) => statusOf(each) === 'success').length
    const others = readers.filter((each) => envelopeOf(each)?.code === 41001).length
    if (world.profile.final_result === 'repeatable') return verdictOf(got === 10, `${got} of 10 readers got it`)
    return verdictOf(got === 1 && others === 9, `${got} of 10 readers got it, ${others} were told 41001`)
  }),
  needing('phone')('HEAD does not consume a result', async (world) => {
    const msgId = await answered(world)
    await world.call('HEAD', `/rp/attestation/result?msg_id=${msgId}`)
    const result = await resultOf(world, 'attestation', msgId)
    return verdictOf(statusOf(result) === 'success', `the first GET after it: ${lineOf(result)}`)
  }),
  needing('phone')('a rejection fails the message with user_rejected', async (world) => {
    const phone = await world.phone()
    const { msgId } = await beginRegistration(world)
    await phone.bind(msgId, 'r')
    await phone.reject(msgId)
    const data = envelopeOf(await resultOf(world, 'attestation', msgId))?.data ?? {}
    return verdictOf(data.status === 'fail' && /^user_rejected: ./.test(String(data.error)), JSON.stringify(data))
  }),
]

const otherRpCases = [
  needing('other-rp')('a message of one RP does not exist for another', async (world) => {
    const { msgId } = await beginRegistration(world)
    const path = `/rp/attestation/result?msg_id=${msgId}`
    const own = await world.call('GET', path)
    if (!succeeded(own)) return vacuous(lineOf(own))
    return refusedWith(await world.call('GET', path, undefined, { key: world.target.otherKey ?? {} }), 40402, world)
  }),
  needing('other-rp', 'own-phone')('a credential of one RP does not exist for another', async (world) => {
    const { user } = await registered(world)
    const key = world.target.otherKey ?? {}
    const listed = await world.call('GET', `/rp/credentials?user_id=${user.user_id}`, undefined, { key })
    if (envelopeOf(listed)?.data.total !== 0) return failed(`the other RP's list: ${listed.response?.text ?? ''}`)
    const credential_ids = (await listOf(world, user.user_id)).map(({ credential_id }) => credential_id)
    const body = { user_id: user.user_id, credential_ids }
    const removed = await world.call('DELETE', '/rp/credentials', body, { key })
    const own = await world.call('GET', `/rp/credentials?user_id=${user.user_id}`)
    const isSafe = envelopeOf(removed)?.data.total === 0 && envelopeOf(own)?.data.total === 1
    return verdictOf(isSafe, `the other RP removed ${envelopeOf(removed)?.data.total}`)
  }),
]

const untilExpired = async (world: World, expiresAt: unknown): Promise<void> => {
  const ms = Number(expiresAt) * 1000 + 1500 - world.now()
  await pause(Math.min(Math.max(0, ms), (world.profile.message_ttl_s + 5) * 1000))
}

/** Waits until near the expiry, but leaves time for a slow network, a busy machine and a clock a little off. */
const untilNearlyExpired = async (world: World, expiresAt: unknown): Promise<void> => {
  const life = Number(expiresAt) * 1000 - world.now()
  await pause(Math.max(0, life - Math.min(10_000, life / 3)))
}

const expiryCases = [
  needing('expiry')('a message nobody scanned is init until it expires', async (world) => {
    const { msgId, data } = await beginRegistration(world)
    await untilNearlyExpired(world, data.expires_at)
    const result = await resultOf(world, 'attestation', msgId)
    return verdictOf(statusOf(result) === 'init', `${lineOf(result)}, status ${JSON.stringify(statusOf(result))}`)
  }),
  ...(['registration', 'sign-in'] as const).map((ceremony) =>
    needing('expiry', 'own-phone')(`a ${ceremony} can be scanned and answered until it expires`, async (world) => {
      const { phone, user } = await registered(world)
      const kind = ceremony === 'registration' ? 'attestation' : 'assertion'
      const begin = () => (kind === 'attestation' ? beginRegistration(world) : beginSignIn(world, user))
      const [early, late] = [await begin(), await begin()]
      if (!succeeded(await phone.bind(early.msgId))) return vacuous('it cannot be scanned')
      await untilNearlyExpired(world, late.data.expires_at)
      const waited = statusOf(await resultOf(world, kind, early.msgId))
      if (waited !== 'bind') return failed(`what was scanned at once is ${JSON.stringify(waited)}`)
      const scanned = await phone.bind(late.msgId)
      if (!succeeded(scanned)) return failed(`scanning it late: ${lineOf(scanned)}`)
      await phone.answer(late.msgId)
      const status = statusOf(await resultOf(world, kind, late.msgId))
      return verdictOf(status === 'success', `answering it late: status ${JSON.stringify(status)}`)
    }),
  ),
  needing('expiry')('a message nobody scanned becomes timeout, which can be read again', async (world) => {
    const { msgId, data } = await beginRegistration(world)
    await untilExpired(world, data.expires_at)
    const seen = [await resultOf(world, 'attestation', msgId), await resultOf(world, 'attestation', msgId)]
    return verdictOf(
      seen.every((each) => statusOf(each) === 'timeout'),
      seen.map((each) => `${lineOf(each)}, status ${JSON.stringify(statusOf(each))}`).join('; then '),
    )
  }),
  needing('expiry', 'own-phone')(
    'a message that was scanned and not answered becomes timeout, and the late answer is 41002',
    async (world) => {
      const { phone, msgId, data, scan } = await scanned(world)
      if (!succeeded(scan)) return vacuous('it cannot be scanned')
      await untilExpired(world, data.expires_at)
      const late = refusedWith(await phone.answer(msgId), 41002, world)
      if (late.verdict !== 'passed') return late
      const status = statusOf(await resultOf(world, 'attestation', msgId))
      return verdictOf(status === 'timeout', `status ${JSON.stringify(status)}`)
    },
  ),
  needing('expiry', 'own-phone')('an expired message can no longer be scanned: 41002', async (world) => {
    const phone = await world.ownPhone()
    const { msgId, data } = await beginRegistration(world)
    await untilExpired(world, data.expires_at)
    return refusedWith(await phone.bind(msgId), 41002, world)
  }),
  needing('expiry', 'own-phone')('a result that was not read is there after the expiry', async (world) => {
    const { phone, msgId, data } = await scanned(world)
    if (!succeeded(await phone.answer(msgId))) return vacuous('the answer is refused')
    await untilExpired(world, data.expires_at)
    const result = await resultOf(world, 'attestation', msgId)
    return verdictOf(statusOf(result) === 'success', lineOf(result))
  }),
]

const signInCases = [
  withOwnPhone('the result of a sign-in has a user_id with success alone', async (world) => {
    const { phone, user } = await registered(world)
    const seen: (readonly [unknown, unknown])[] = []
    for (const how of ['answer', 'reject'] as const) {
      const { msgId } = await beginSignIn(world, user)
      const read = async () => {
        const { status, user_id } = envelopeOf(await resultOf(world, 'assertion', msgId))?.data ?? {}
        seen.push([status, user_id || undefined])
      }
      await read()
      await phone.bind(msgId)
      await read()
      await phone[how](msgId)
      await read()
    }
    const statuses = seen.map(([status]) => status).join()
    if (statuses !== 'init,bind,success,init,bind,fail') return vacuous(`it went ${statuses}`)
    const isRight = seen.every(([status, id]) => id === (status === 'success' ? user.user_id : undefined))
    return verdictOf(isRight, seen.map(([status, id]) => `${status}: ${JSON.stringify(id) ?? 'none'}`).join(', '))
  }),
  needing('phone')('a sign-in by code succeeds', async (world) => {
    const phone = await world.phone()
    const { user } = await register(world, phone)
    const { msgId } = await beginSignIn(world, user)
    await phone.bind(msgId, 'a')
    await phone.answer(msgId)
    const { status } = envelopeOf(await resultOf(world, 'assertion', msgId))?.data ?? {}
    return status === 'success' ? passed : failed(`status ${JSON.stringify(status)}`)
  }),
  withOwnPhone('a sign-in’s result can be asked for by id', async (world) => {
    const { msgId } = await beginSignIn(world, (await registered(world)).user)
    const result = await world.call('GET', `/rp/assertion/result?id=${msgId}`)
    return verdictOf(statusOf(result) === 'init', lineOf(result))
  }),
  withOwnPhone('the error of a failed message is a word, a colon and a sentence', async (world) => {
    const { phone, user } = await registered(world)
    const { msgId } = await beginSignIn(world, user)
    await phone.bind(msgId)
    await phone.answer(msgId, 'challenge-wrong')
    const { status, error } = envelopeOf(await resultOf(world, 'assertion', msgId))?.data ?? {}
    const isWhole = status === 'fail' && /^[a-z][a-z0-9_]*: ./.test(String(error))
    return verdictOf(isWhole, JSON.stringify({ status, error }))
  }),
  withOwnPhone('a sign-in’s url is told apart from a registration’s', async (world) => {
    const { user } = await registered(world)
    const { data } = await beginSignIn(world, user)
    return verdictOf(/#a[A-Za-z0-9_-]{22}$/.test(String(data.url)), String(data.url))
  }),
]

/** docs/interface/relying-party.md, "Messages". */
export const messageCases: readonly Case[] = [
  ...beginningCases,
  ...byAnyPhone,
  ...signInCases,
  ...ownPhoneMessageCases,
  ...otherRpCases,
  ...expiryCases,
]
