import { Buffer } from 'node:buffer'
import type { JsonObject } from '../../../core/protocol/json.ts'
import { pause } from '../../../sdk/real-time.ts'
import { type Case, checkRefusal, createCaseMaker, ownPhoneCase, plainCase } from '../case.ts'
import type { Phone } from '../check-phone.ts'
import { type Exchange, isSuccess, readEnvelope, responseLine } from '../exchange.ts'
import { failed, passed, passIf, vacuous } from '../finding.ts'
import {
  type BegunMessage,
  beginRegistration,
  beginSignIn,
  listCredentials,
  readStatus,
  registerOwnPhone,
  registerUser,
  removeCredentials,
  scannedCase,
  scanRegistration,
  signInOwnPhone,
  userCase,
} from '../steps.ts'
import type { World } from '../world.ts'

const phoneCase = createCaseMaker('phone')
const expiryCase = createCaseMaker('expiry')
const ownExpiryCase = createCaseMaker('expiry', 'own-phone')
const otherRpCase = createCaseMaker('other-rp')

const answered = async (world: World): Promise<BegunMessage> => {
  const phone = await world.phone()
  const message = await beginRegistration(world)
  await phone.bind(message.msgId, message.kind)
  await phone.answer(message.msgId)
  return message
}

/** The result before the phone scans the message, after that, and after the end. */
const resultsOf = async ({ msgId, kind, resultData }: BegunMessage, phone: Phone, how: 'answer' | 'reject') => {
  const seen = [await resultData()]
  await phone.bind(msgId, kind)
  seen.push(await resultData())
  await phone[how](msgId)
  return [...seen, await resultData()]
}

type Reading = { readonly final: 'success' | 'fail'; readonly otherwise: string }

/** Passes if this final status is told as often as the profile says; `otherwise` says that it is another one. */
const checkReadings = async ({ readResult }: BegunMessage, world: World, { final, otherwise }: Reading) => {
  if (readStatus(await readResult()) !== final) return vacuous(otherwise)
  const second = await readResult()
  if (world.profile.final_result === 'once') return checkRefusal(second, 41001, world)
  return passIf(readStatus(second) === final, `the second reading: ${responseLine(second)}`)
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
    const data = await (await beginRegistration(world)).resultData()
    return passIf(data.status === 'init' && data.svc_user === '' && data.error === '', JSON.stringify(data))
  }),
  plainCase('the result of a registration has no user_id', async (world) => {
    const result = await (await beginRegistration(world)).readResult()
    const { status, user_id } = readEnvelope(result).data
    if (status !== 'init') return vacuous(responseLine(result))
    return passIf(user_id === undefined, `user_id ${JSON.stringify(user_id)}`)
  }),
  plainCase('the other ceremony’s endpoint knows no such message', async (world) => {
    const { readResult } = await beginRegistration(world)
    if (!isSuccess(await readResult())) return vacuous('its own does not either')
    return checkRefusal(await readResult('assertion'), 40402, world)
  }),
]

const byAnyPhone = [
  phoneCase('a registration goes from init over bind to success', async (world) => {
    const phone = await world.phone()
    const seen = (await resultsOf(await beginRegistration(world), phone, 'answer')).map(({ status }) => status)
    return passIf(`${seen}` === 'init,bind,success', `expected init, bind, success; got ${seen.join(', ')}`)
  }),
  phoneCase('a final result is told as often as the profile says', async (world) => {
    const reading = { final: 'success', otherwise: 'an honest registration does not succeed' } as const
    return checkReadings(await answered(world), world, reading)
  }),
  phoneCase('of ten readers at once exactly one gets the result', async (world) => {
    const { readResult } = await answered(world)
    const readers = await Promise.all(Array.from({ length: 10 }, () => readResult()))
    const got = readers.filter((each) => readStatus(each) === 'success').length
    const others = readers.filter((each) => readEnvelope(each).code === 41001).length
    if (world.profile.final_result === 'repeatable') return passIf(got === 10, `${got} of 10 readers got it`)
    return passIf(got === 1 && others === 9, `${got} of 10 readers got it, ${others} were told 41001`)
  }),
  phoneCase('HEAD does not consume a result', async (world) => {
    const { msgId, readResult } = await answered(world)
    await world.call('HEAD', `/rp/attestation/result?msg_id=${msgId}`)
    const result = await readResult()
    return passIf(readStatus(result) === 'success', `the first GET after it: ${responseLine(result)}`)
  }),
  phoneCase('a rejection fails the message with user_rejected', async (world) => {
    const phone = await world.phone()
    const { msgId, kind, resultData } = await beginRegistration(world)
    await phone.bind(msgId, kind)
    await phone.reject(msgId)
    const data = await resultData()
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
    if (readEnvelope(listed).data.total !== 0) return failed(`the other RP's list: ${listed.response?.text ?? ''}`)
    const ids = (await listCredentials(world, user.user_id)).map(({ credential_id }) => credential_id)
    const removed = readEnvelope(await removeCredentials(world, user, ids, { key })).data.total
    const own = await world.call('GET', `/rp/credentials?user_id=${user.user_id}`)
    return passIf(removed === 0 && readEnvelope(own).data.total === 1, `the other RP removed ${removed}`)
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

const statusLine = (result: Exchange): string => `${responseLine(result)}, status ${JSON.stringify(readStatus(result))}`

const expiryCases = [
  expiryCase('a message nobody scanned is init until it expires', async (world) => {
    const { data, readResult } = await beginRegistration(world)
    await untilNearlyExpired(world, data.expires_at)
    const result = await readResult()
    return passIf(readStatus(result) === 'init', statusLine(result))
  }),
  ...(['registration', 'sign-in'] as const).map((ceremony) =>
    ownExpiryCase(`a ${ceremony} can be scanned and answered until it expires`, async (world) => {
      const { phone, user } = await registerOwnPhone(world)
      const begin = () => (ceremony === 'registration' ? beginRegistration(world) : beginSignIn(world, user))
      const [early, late] = [await begin(), await begin()]
      if (!isSuccess(await phone.bind(early.msgId))) return vacuous('it cannot be scanned')
      await untilNearlyExpired(world, late.data.expires_at)
      const waited = await early.checkStatus('bind', 'what was scanned at once is')
      if (waited.verdict !== 'passed') return waited
      const scanned = await phone.bind(late.msgId)
      if (!isSuccess(scanned)) return failed(`scanning it late: ${responseLine(scanned)}`)
      await phone.answer(late.msgId)
      return late.checkStatus('success', 'answering it late: status')
    }),
  ),
  expiryCase('a message nobody scanned becomes timeout, which can be read again', async (world) => {
    const { data, readResult } = await beginRegistration(world)
    await untilExpired(world, data.expires_at)
    const seen = [await readResult(), await readResult()]
    const isTimeout = seen.every((each) => readStatus(each) === 'timeout')
    return passIf(isTimeout, seen.map(statusLine).join('; then '))
  }),
  ownExpiryCase(
    'a message that was scanned and not answered becomes timeout, and the late answer is 41002',
    async (world) => {
      const { phone, msgId, data, scan, checkStatus } = await scanRegistration(world)
      if (!isSuccess(scan)) return vacuous('it cannot be scanned')
      await untilExpired(world, data.expires_at)
      const late = checkRefusal(await phone.answer(msgId), 41002, world)
      return late.verdict === 'passed' ? checkStatus('timeout') : late
    },
  ),
  ownExpiryCase('an expired message can no longer be scanned: 41002', async (world) => {
    const phone = await world.ownPhone()
    const { msgId, data } = await beginRegistration(world)
    await untilExpired(world, data.expires_at)
    return checkRefusal(await phone.bind(msgId), 41002, world)
  }),
  ownExpiryCase('a result that was not read is there after the expiry', async (world) => {
    const { phone, msgId, data, readResult } = await scanRegistration(world)
    if (!isSuccess(await phone.answer(msgId))) return vacuous('the answer is refused')
    await untilExpired(world, data.expires_at)
    const result = await readResult()
    return passIf(readStatus(result) === 'success', responseLine(result))
  }),
]

const signInCases = [
  userCase('the result of a sign-in has a user_id with success alone', async ({ phone, user }, world) => {
    const seen = [
      ...(await resultsOf(await beginSignIn(world, user), phone, 'answer')),
      ...(await resultsOf(await beginSignIn(world, user), phone, 'reject')),
    ].map(({ status, user_id }) => ({ status, id: user_id || undefined }))
    const statuses = seen.map(({ status }) => status).join()
    if (statuses !== 'init,bind,success,init,bind,fail') return vacuous(`it went ${statuses}`)
    const isRight = seen.every(({ status, id }) => id === (status === 'success' ? user.user_id : undefined))
    return passIf(isRight, seen.map(({ status, id }) => `${status}: ${JSON.stringify(id) ?? 'none'}`).join(', '))
  }),
  phoneCase('a sign-in by code succeeds', async (world) => {
    const phone = await world.phone()
    const { user } = await registerUser(world, phone)
    const { msgId, kind, checkStatus } = await beginSignIn(world, user)
    await phone.bind(msgId, kind)
    await phone.answer(msgId)
    return checkStatus('success')
  }),
  userCase('a sign-in’s result can be asked for by id', async ({ user }, world) => {
    const { msgId } = await beginSignIn(world, user)
    const result = await world.call('GET', `/rp/assertion/result?id=${msgId}`)
    return passIf(readStatus(result) === 'init', responseLine(result))
  }),
  userCase('the error of a failed message is a word, a colon and a sentence', async ({ phone, user }, world) => {
    const { status, error } = await signInOwnPhone(world, phone, user, 'challenge-wrong')
    const isWhole = status === 'fail' && /^[a-z][a-z0-9_]*: ./.test(String(error))
    return passIf(isWhole, JSON.stringify({ status, error }))
  }),
  userCase('a sign-in’s url is told apart from a registration’s', async ({ user }, world) => {
    const { data } = await beginSignIn(world, user)
    return passIf(/#a[A-Za-z0-9_-]{22}$/.test(String(data.url)), String(data.url))
  }),
]

/** They need one of our own phones: it sends an answer twice or late, or sends nonsense. */
const ownPhoneCases = [
  ownPhoneCase('a second phone is refused with 40301 and changes nothing', async (world) => {
    const [first, second] = [await world.ownPhone(), await world.ownPhone()]
    const { msgId, checkStatus } = await beginRegistration(world)
    if (!isSuccess(await first.bind(msgId))) return vacuous('the first phone is refused as well')
    const late = checkRefusal(await second.bind(msgId), 40301, world)
    if (late.verdict !== 'passed') return late
    await first.answer(msgId)
    return checkStatus('success', 'then the first phone got')
  }),
  ownPhoneCase('of ten phones that scan at once exactly one is bound', async (world) => {
    const phones = await Promise.all(Array.from({ length: 10 }, () => world.ownPhone()))
    const { msgId } = await beginRegistration(world)
    const tries = await Promise.all(phones.map((phone) => phone.bind(msgId)))
    const bound = tries.filter(isSuccess).length
    const late = tries.filter((each) => readEnvelope(each).code === 40301).length
    return passIf(bound === 1 && late === 9, `${bound} of 10 were bound, ${late} were told 40301`)
  }),
  scannedCase(
    'of ten equal answers at once each gets the first verdict, and one credential is made',
    async ({ phone, msgId, user }, world) => {
      const first = await phone.answer(msgId)
      if (!isSuccess(first)) return vacuous(responseLine(first))
      const body = JSON.parse(Buffer.from(first.request.body).toString()) as JsonObject
      const again = await Promise.all(Array.from({ length: 10 }, () => phone.send(msgId, body)))
      const same = again.filter((each) => each.response?.text === first.response?.text).length
      if (same < 10)
        return failed(`${same} of 10 got the first verdict: ${responseLine(again.find((e) => !isSuccess(e)) ?? first)}`)
      const { total } = readEnvelope(await world.call('GET', `/rp/credentials?user_id=${user.user_id}`)).data
      return passIf(total === 1, `the user has ${total} credentials`)
    },
  ),
  scannedCase('an answer that differs from the first is 40903', async ({ phone, msgId }, world) => {
    if (!isSuccess(await phone.answer(msgId))) return vacuous('the first answer is refused')
    return checkRefusal(await phone.answer(msgId), 40903, world)
  }),
  scannedCase('scanning again with the same phone is harmless', async ({ phone, msgId, scan, resultData }) => {
    if (!isSuccess(scan)) return vacuous('the first scan is refused')
    const again = await phone.bind(msgId)
    if (!isSuccess(again)) return failed(`the second scan: ${responseLine(again)}`)
    await phone.answer(msgId)
    return passIf((await resultData()).status === 'success', 'then it does not succeed')
  }),
  ownPhoneCase('a phone that was not bound cannot answer or reject', async (world) => {
    const [first, second] = [await world.ownPhone(), await world.ownPhone()]
    const { msgId, checkStatus } = await beginRegistration(world)
    if (!isSuccess(await first.bind(msgId))) return vacuous('nobody can scan')
    const tries = [await second.send(msgId, { response: {} }), await second.reject(msgId)]
    return tries.some(isSuccess) ? failed('it is accepted') : checkStatus('bind', 'then the message is')
  }),
  ownPhoneCase('a phone that did not scan cannot answer', async (world) => {
    const [phone, other] = [await world.ownPhone(), await world.ownPhone()]
    const { msgId, checkStatus } = await beginRegistration(world)
    if (isSuccess(await phone.send(msgId, { response: {} }))) return failed('it is accepted')
    const after = await checkStatus('init', 'then the message is')
    if (after.verdict !== 'passed') return after
    return isSuccess(await other.bind(msgId)) ? passed : vacuous('nobody can scan')
  }),
  scannedCase('a failure is told as often as the profile says', async ({ phone, ...message }, world) => {
    await phone.reject(message.msgId)
    return checkReadings(message, world, { final: 'fail', otherwise: 'a rejection does not fail the message' })
  }),
  scannedCase('svc_user names who has scanned, and masks the number', async ({ phone, resultData }) => {
    const svcUser = String((await resultData()).svc_user ?? '')
    const { name, phone: number } = phone.account
    if (svcUser.includes(number.replace('+', ''))) return failed(`the whole number stands in ${svcUser}`)
    return passIf(svcUser.includes(name) && /\*\*\*\*/.test(svcUser), `got ${JSON.stringify(svcUser)}`)
  }),
  ...(['display_name', 'username', 'credential_name'] as const).map((field) =>
    ownPhoneCase(`the phone is told the ${field} as it was sent`, async (world) => {
      const text = '李伟 👩‍💻 "é"'
      const bound = (await scanRegistration(world, { [field]: text })).phone.bound()
      const got = field === 'credential_name' ? bound?.credential_name : bound?.user[field]
      return passIf(got === text, `got ${JSON.stringify(got)}`)
    }),
  ),
  ownPhoneCase('without display_name the phone is told the username', async (world) => {
    const { phone } = await scanRegistration(world, { username: 'somebody' })
    const got = phone.bound()?.user.display_name
    return passIf(got === 'somebody', `got ${JSON.stringify(got)}`)
  }),
  scannedCase('without credential_name one is made up', async ({ phone }) => {
    const got = phone.bound()?.credential_name ?? ''
    return passIf(got.trim() !== '' && [...got].length <= 64, `got ${JSON.stringify(got)}`)
  }),
  ownPhoneCase('the user handle is not the user_id, and the same for one user alone', async (world) => {
    const phone = await world.ownPhone()
    const handles: string[] = []
    const user_id = world.fresh('u')
    for (const who of [user_id, user_id, world.fresh('u')]) {
      await phone.bind((await beginRegistration(world, who)).msgId)
      const { public_key } = phone.bound() ?? {}
      handles.push(public_key?.kind === 'registration' ? public_key.options.user.id : '')
    }
    const [first = '', same, other] = handles
    if (Buffer.from(first, 'base64url').toString('latin1').includes(user_id)) return failed('it holds the user_id')
    return passIf(first !== '' && first === same && first !== other, handles.join(', '))
  }),
  ownPhoneCase('each message has a challenge of its own of at least 16 bytes', async (world) => {
    const phone = await world.ownPhone()
    const challenges: string[] = []
    for (let n = 0; n < 3; n++) {
      await phone.bind((await beginRegistration(world)).msgId)
      challenges.push(phone.bound()?.public_key.options.challenge ?? '')
    }
    const isLong = challenges.every((each) => Buffer.from(each, 'base64url').length >= 16)
    return passIf(isLong && new Set(challenges).size === 3, challenges.join(', '))
  }),
  ownPhoneCase('a sign-in allows the credentials of its user, and a registration excludes them', async (world) => {
    const { phone, user } = await registerOwnPhone(world)
    const [held] = phone.credentials()
    const id = held?.id ?? ''
    await phone.bind((await beginSignIn(world, user)).msgId)
    const asked = phone.bound()?.public_key
    if (asked?.kind !== 'authentication') return failed('bind did not bring a sign-in')
    const allowed = (asked.options.allowCredentials ?? []).map((each) => each.id)
    if (!allowed.includes(id)) return failed(`allowCredentials: ${allowed.join(', ') || 'none'}`)
    await phone.bind((await beginRegistration(world, user.user_id)).msgId)
    const options = phone.bound()?.public_key
    const excluded =
      options?.kind === 'registration' ? (options.options.excludeCredentials ?? []).map((each) => each.id) : []
    return passIf(excluded.includes(id), `excludeCredentials: ${excluded.join(', ') || 'none'}`)
  }),
  userCase('a credential that was removed signs nobody in', async ({ phone, user }, world) => {
    const { msgId, resultData } = await beginSignIn(world, user)
    await phone.bind(msgId)
    const ids = (await listCredentials(world, user.user_id)).map(({ credential_id }) => credential_id)
    await removeCredentials(world, user, ids)
    await phone.answer(msgId)
    const { status } = await resultData()
    return passIf(status !== 'success', `status ${JSON.stringify(status)}`)
  }),
]

/** docs/interface/relying-party.md, "Messages". */
export const messageCases: readonly Case[] = [
  ...beginningCases,
  ...byAnyPhone,
  ...signInCases,
  ...ownPhoneCases,
  ...otherRpCases,
  ...expiryCases,
]
