import { pause } from '../../../sdk/real-time.ts'
import { type Case, checkRefusal, createCaseMaker, ownPhoneCase, plainCase } from '../case.ts'
import { isSuccess, readEnvelope, responseLine } from '../exchange.ts'
import { failed, passed, passIf, vacuous } from '../finding.ts'
import {
  beginRegistration,
  beginSignIn,
  listCredentials,
  readResult,
  readStatus,
  registerOwnPhone,
  registerUser,
  scanRegistration,
  signInOwnPhone,
} from '../steps.ts'
import type { World } from '../world.ts'
import { ownPhoneMessageCases } from './own-phone-messages.ts'

const phoneCase = createCaseMaker('phone')
const expiryCase = createCaseMaker('expiry')
const ownExpiryCase = createCaseMaker('expiry', 'own-phone')
const otherRpCase = createCaseMaker('other-rp')

const statesOf = async (world: World): Promise<readonly unknown[]> => {
  const phone = await world.phone()
  const { msgId } = await beginRegistration(world)
  const seen = [readStatus(await readResult(world, 'attestation', msgId))]
  await phone.bind(msgId, 'r')
  seen.push(readStatus(await readResult(world, 'attestation', msgId)))
  await phone.answer(msgId)
  return [...seen, readStatus(await readResult(world, 'attestation', msgId))]
}

const answered = async (world: World): Promise<string> => {
  const phone = await world.phone()
  const { msgId } = await beginRegistration(world)
  await phone.bind(msgId, 'r')
  await phone.answer(msgId)
  return msgId
}

const beginningCases = [
  plainCase('a url is the base_url, /m#r and 128 random bits', async (world) => {
    const [first, second] = [await beginRegistration(world), await beginRegistration(world)]
    const url = String(first.data.url)
    if (first.msgId === second.msgId) return failed('two messages have the same msg_id')
    const token = url.slice(url.indexOf('#') + 1)
    const base = world.target.baseUrl.replace(/\/$/, '')
    if (!url.startsWith(`${base}/m#`)) return { verdict: 'review' as const, text: `is this its base_url? ${url}` }
    return passIf(/^r[A-Za-z0-9_-]{22}$/.test(token), url)
  }),
  plainCase('expires_at is as far away as the profile says', async (world) => {
    const before = Math.floor(world.now() / 1000)
    const { data } = await beginRegistration(world)
    const away = Number(data.expires_at) - before
    const ttl = world.profile.message_ttl_s
    return passIf(away >= ttl - 2 && away <= ttl + 3, `expires_at is ${away} s away; message_ttl_s is ${ttl}`)
  }),
  plainCase('a new message is init, and names nobody', async (world) => {
    const { msgId } = await beginRegistration(world)
    const data = readEnvelope(await readResult(world, 'attestation', msgId))?.data ?? {}
    return passIf(data.status === 'init' && data.svc_user === '' && data.error === '', JSON.stringify(data))
  }),
  plainCase('the result of a registration has no user_id', async (world) => {
    const { msgId } = await beginRegistration(world)
    const result = await readResult(world, 'attestation', msgId)
    const { status, user_id } = readEnvelope(result)?.data ?? {}
    if (status !== 'init') return vacuous(responseLine(result))
    return passIf(user_id === undefined, `user_id ${JSON.stringify(user_id)}`)
  }),
  plainCase('the other ceremony’s endpoint knows no such message', async (world) => {
    const { msgId } = await beginRegistration(world)
    if (!isSuccess(await readResult(world, 'attestation', msgId))) return vacuous('its own does not either')
    return checkRefusal(await readResult(world, 'assertion', msgId), 40402, world)
  }),
]

const byAnyPhone = [
  phoneCase('a registration goes from init over bind to success', async (world) => {
    const seen = await statesOf(world)
    return passIf(`${seen}` === 'init,bind,success', `expected init, bind, success; got ${seen.join(', ')}`)
  }),
  phoneCase('a final result is told as often as the profile says', async (world) => {
    const msgId = await answered(world)
    const first = await readResult(world, 'attestation', msgId)
    if (readStatus(first) !== 'success') return vacuous('an honest registration does not succeed')
    const second = await readResult(world, 'attestation', msgId)
    if (world.profile.final_result === 'once') return checkRefusal(second, 41001, world)
    return passIf(readStatus(second) === 'success', `the second reading: ${responseLine(second)}`)
  }),
  phoneCase('of ten readers at once exactly one gets the result', async (world) => {
    const msgId = await answered(world)
    const readers = await Promise.all(Array.from({ length: 10 }, () => readResult(world, 'attestation', msgId)))
    const got = readers.filter((each) => readStatus(each) === 'success').length
    const others = readers.filter((each) => readEnvelope(each)?.code === 41001).length
    if (world.profile.final_result === 'repeatable') return passIf(got === 10, `${got} of 10 readers got it`)
    return passIf(got === 1 && others === 9, `${got} of 10 readers got it, ${others} were told 41001`)
  }),
  phoneCase('HEAD does not consume a result', async (world) => {
    const msgId = await answered(world)
    await world.call('HEAD', `/rp/attestation/result?msg_id=${msgId}`)
    const result = await readResult(world, 'attestation', msgId)
    return passIf(readStatus(result) === 'success', `the first GET after it: ${responseLine(result)}`)
  }),
  phoneCase('a rejection fails the message with user_rejected', async (world) => {
    const phone = await world.phone()
    const { msgId } = await beginRegistration(world)
    await phone.bind(msgId, 'r')
    await phone.reject(msgId)
    const data = readEnvelope(await readResult(world, 'attestation', msgId))?.data ?? {}
    return passIf(data.status === 'fail' && /^user_rejected: ./.test(String(data.error)), JSON.stringify(data))
  }),
]

const otherRpCases = [
  otherRpCase('a message of one RP does not exist for another', async (world) => {
    const { msgId } = await beginRegistration(world)
    const path = `/rp/attestation/result?msg_id=${msgId}`
    const own = await world.call('GET', path)
    if (!isSuccess(own)) return vacuous(responseLine(own))
    return checkRefusal(await world.call('GET', path, undefined, { key: world.target.otherKey ?? {} }), 40402, world)
  }),
  createCaseMaker('other-rp', 'own-phone')('a credential of one RP does not exist for another', async (world) => {
    const { user } = await registerOwnPhone(world)
    const key = world.target.otherKey ?? {}
    const listed = await world.call('GET', `/rp/credentials?user_id=${user.user_id}`, undefined, { key })
    if (readEnvelope(listed)?.data.total !== 0) return failed(`the other RP's list: ${listed.response?.text ?? ''}`)
    const credential_ids = (await listCredentials(world, user.user_id)).map(({ credential_id }) => credential_id)
    const body = { user_id: user.user_id, credential_ids }
    const removed = await world.call('DELETE', '/rp/credentials', body, { key })
    const own = await world.call('GET', `/rp/credentials?user_id=${user.user_id}`)
    const isSafe = readEnvelope(removed)?.data.total === 0 && readEnvelope(own)?.data.total === 1
    return passIf(isSafe, `the other RP removed ${readEnvelope(removed)?.data.total}`)
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
  expiryCase('a message nobody scanned is init until it expires', async (world) => {
    const { msgId, data } = await beginRegistration(world)
    await untilNearlyExpired(world, data.expires_at)
    const result = await readResult(world, 'attestation', msgId)
    return passIf(
      readStatus(result) === 'init',
      `${responseLine(result)}, status ${JSON.stringify(readStatus(result))}`,
    )
  }),
  ...(['registration', 'sign-in'] as const).map((ceremony) =>
    ownExpiryCase(`a ${ceremony} can be scanned and answered until it expires`, async (world) => {
      const { phone, user } = await registerOwnPhone(world)
      const kind = ceremony === 'registration' ? 'attestation' : 'assertion'
      const begin = () => (kind === 'attestation' ? beginRegistration(world) : beginSignIn(world, user))
      const [early, late] = [await begin(), await begin()]
      if (!isSuccess(await phone.bind(early.msgId))) return vacuous('it cannot be scanned')
      await untilNearlyExpired(world, late.data.expires_at)
      const waited = readStatus(await readResult(world, kind, early.msgId))
      if (waited !== 'bind') return failed(`what was scanned at once is ${JSON.stringify(waited)}`)
      const scanned = await phone.bind(late.msgId)
      if (!isSuccess(scanned)) return failed(`scanning it late: ${responseLine(scanned)}`)
      await phone.answer(late.msgId)
      const status = readStatus(await readResult(world, kind, late.msgId))
      return passIf(status === 'success', `answering it late: status ${JSON.stringify(status)}`)
    }),
  ),
  expiryCase('a message nobody scanned becomes timeout, which can be read again', async (world) => {
    const { msgId, data } = await beginRegistration(world)
    await untilExpired(world, data.expires_at)
    const seen = [await readResult(world, 'attestation', msgId), await readResult(world, 'attestation', msgId)]
    return passIf(
      seen.every((each) => readStatus(each) === 'timeout'),
      seen.map((each) => `${responseLine(each)}, status ${JSON.stringify(readStatus(each))}`).join('; then '),
    )
  }),
  ownExpiryCase(
    'a message that was scanned and not answered becomes timeout, and the late answer is 41002',
    async (world) => {
      const { phone, msgId, data, scan } = await scanRegistration(world)
      if (!isSuccess(scan)) return vacuous('it cannot be scanned')
      await untilExpired(world, data.expires_at)
      const late = checkRefusal(await phone.answer(msgId), 41002, world)
      if (late.verdict !== 'passed') return late
      const status = readStatus(await readResult(world, 'attestation', msgId))
      return passIf(status === 'timeout', `status ${JSON.stringify(status)}`)
    },
  ),
  ownExpiryCase('an expired message can no longer be scanned: 41002', async (world) => {
    const phone = await world.ownPhone()
    const { msgId, data } = await beginRegistration(world)
    await untilExpired(world, data.expires_at)
    return checkRefusal(await phone.bind(msgId), 41002, world)
  }),
  ownExpiryCase('a result that was not read is there after the expiry', async (world) => {
    const { phone, msgId, data } = await scanRegistration(world)
    if (!isSuccess(await phone.answer(msgId))) return vacuous('the answer is refused')
    await untilExpired(world, data.expires_at)
    const result = await readResult(world, 'attestation', msgId)
    return passIf(readStatus(result) === 'success', responseLine(result))
  }),
]

const signInCases = [
  ownPhoneCase('the result of a sign-in has a user_id with success alone', async (world) => {
    const { phone, user } = await registerOwnPhone(world)
    const seen: (readonly [unknown, unknown])[] = []
    for (const how of ['answer', 'reject'] as const) {
      const { msgId } = await beginSignIn(world, user)
      const read = async () => {
        const { status, user_id } = readEnvelope(await readResult(world, 'assertion', msgId))?.data ?? {}
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
    return passIf(isRight, seen.map(([status, id]) => `${status}: ${JSON.stringify(id) ?? 'none'}`).join(', '))
  }),
  phoneCase('a sign-in by code succeeds', async (world) => {
    const phone = await world.phone()
    const { user } = await registerUser(world, phone)
    const { msgId } = await beginSignIn(world, user)
    await phone.bind(msgId, 'a')
    await phone.answer(msgId)
    const { status } = readEnvelope(await readResult(world, 'assertion', msgId))?.data ?? {}
    return status === 'success' ? passed : failed(`status ${JSON.stringify(status)}`)
  }),
  ownPhoneCase('a sign-in’s result can be asked for by id', async (world) => {
    const { msgId } = await beginSignIn(world, (await registerOwnPhone(world)).user)
    const result = await world.call('GET', `/rp/assertion/result?id=${msgId}`)
    return passIf(readStatus(result) === 'init', responseLine(result))
  }),
  ownPhoneCase('the error of a failed message is a word, a colon and a sentence', async (world) => {
    const { phone, user } = await registerOwnPhone(world)
    const { status, error } = await signInOwnPhone(world, phone, user, 'challenge-wrong')
    const isWhole = status === 'fail' && /^[a-z][a-z0-9_]*: ./.test(String(error))
    return passIf(isWhole, JSON.stringify({ status, error }))
  }),
  ownPhoneCase('a sign-in’s url is told apart from a registration’s', async (world) => {
    const { user } = await registerOwnPhone(world)
    const { data } = await beginSignIn(world, user)
    return passIf(/#a[A-Za-z0-9_-]{22}$/.test(String(data.url)), String(data.url))
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
