import { Buffer } from 'node:buffer'
import { type Case, checkRefusal, ownPhoneCase } from '../case.ts'
import { isSuccess, readEnvelope, responseLine } from '../exchange.ts'
import { failed, passed, passIf, vacuous } from '../finding.ts'
import {
  beginRegistration,
  beginSignIn,
  listCredentials,
  readResult,
  readStatus,
  registerOwnPhone,
  scanRegistration,
} from '../steps.ts'

/** Cases that need one of our own phones: it sends an answer twice or late, or sends nonsense. */
export const ownPhoneMessageCases: readonly Case[] = [
  ownPhoneCase('a second phone is refused with 40301 and changes nothing', async (world) => {
    const [first, second] = [await world.ownPhone(), await world.ownPhone()]
    const { msgId } = await beginRegistration(world)
    if (!isSuccess(await first.bind(msgId))) return vacuous('the first phone is refused as well')
    const late = checkRefusal(await second.bind(msgId), 40301, world)
    if (late.verdict !== 'passed') return late
    await first.answer(msgId)
    const status = readStatus(await readResult(world, 'attestation', msgId))
    return passIf(status === 'success', `then the first phone got ${JSON.stringify(status)}`)
  }),
  ownPhoneCase('of ten phones that scan at once exactly one is bound', async (world) => {
    const phones = await Promise.all(Array.from({ length: 10 }, () => world.ownPhone()))
    const { msgId } = await beginRegistration(world)
    const tries = await Promise.all(phones.map((phone) => phone.bind(msgId)))
    const bound = tries.filter(isSuccess).length
    const late = tries.filter((each) => readEnvelope(each)?.code === 40301).length
    return passIf(bound === 1 && late === 9, `${bound} of 10 were bound, ${late} were told 40301`)
  }),
  ownPhoneCase(
    'of ten equal answers at once each gets the first verdict, and one credential is made',
    async (world) => {
      const { phone, msgId, user } = await scanRegistration(world)
      const first = await phone.answer(msgId)
      if (!isSuccess(first)) return vacuous(responseLine(first))
      const body = JSON.parse(Buffer.from(first.request.body).toString()) as Record<string, unknown>
      const again = await Promise.all(Array.from({ length: 10 }, () => phone.send(msgId, 'attestation', body)))
      const same = again.filter((each) => each.response?.text === first.response?.text).length
      if (same < 10)
        return failed(`${same} of 10 got the first verdict: ${responseLine(again.find((e) => !isSuccess(e)) ?? first)}`)
      const { total } = readEnvelope(await world.call('GET', `/rp/credentials?user_id=${user.user_id}`))?.data ?? {}
      return passIf(total === 1, `the user has ${total} credentials`)
    },
  ),
  ownPhoneCase('an answer that differs from the first is 40903', async (world) => {
    const { phone, msgId } = await scanRegistration(world)
    if (!isSuccess(await phone.answer(msgId))) return vacuous('the first answer is refused')
    return checkRefusal(await phone.answer(msgId), 40903, world)
  }),
  ownPhoneCase('scanning again with the same phone is harmless', async (world) => {
    const { phone, msgId, scan } = await scanRegistration(world)
    if (!isSuccess(scan)) return vacuous('the first scan is refused')
    const again = await phone.bind(msgId)
    if (!isSuccess(again)) return failed(`the second scan: ${responseLine(again)}`)
    await phone.answer(msgId)
    return passIf(readStatus(await readResult(world, 'attestation', msgId)) === 'success', 'then it does not succeed')
  }),
  ownPhoneCase('a phone that was not bound cannot answer or reject', async (world) => {
    const [first, second] = [await world.ownPhone(), await world.ownPhone()]
    const { msgId } = await beginRegistration(world)
    if (!isSuccess(await first.bind(msgId))) return vacuous('nobody can scan')
    const tries = [await second.send(msgId, 'attestation', { response: {} }), await second.reject(msgId)]
    if (tries.some(isSuccess)) return failed('it is accepted')
    const status = readStatus(await readResult(world, 'attestation', msgId))
    return passIf(status === 'bind', `then the message is ${JSON.stringify(status)}`)
  }),
  ownPhoneCase('a phone that did not scan cannot answer', async (world) => {
    const [phone, other] = [await world.ownPhone(), await world.ownPhone()]
    const { msgId } = await beginRegistration(world)
    const answer = await phone.send(msgId, 'attestation', { response: {} })
    if (isSuccess(answer)) return failed('it is accepted')
    const status = readStatus(await readResult(world, 'attestation', msgId))
    if (status !== 'init') return failed(`then the message is ${JSON.stringify(status)}`)
    return isSuccess(await other.bind(msgId)) ? passed : vacuous('nobody can scan')
  }),
  ownPhoneCase('a failure is told as often as the profile says', async (world) => {
    const { phone, msgId } = await scanRegistration(world)
    await phone.reject(msgId)
    const first = await readResult(world, 'attestation', msgId)
    if (readStatus(first) !== 'fail') return vacuous('a rejection does not fail the message')
    const second = await readResult(world, 'attestation', msgId)
    if (world.profile.final_result === 'once') return checkRefusal(second, 41001, world)
    return passIf(readStatus(second) === 'fail', `the second reading: ${responseLine(second)}`)
  }),
  ownPhoneCase('svc_user names who has scanned, and masks the number', async (world) => {
    const { phone, msgId } = await scanRegistration(world)
    const svcUser = String(readEnvelope(await readResult(world, 'attestation', msgId))?.data.svc_user ?? '')
    const { name, phone: number } = phone.account
    if (svcUser.includes(number.replace('+', ''))) return failed(`the whole number stands in ${svcUser}`)
    return passIf(svcUser.includes(name) && /\*\*\*\*/.test(svcUser), `got ${JSON.stringify(svcUser)}`)
  }),
  ...(['display_name', 'username', 'credential_name'] as const).map((field) =>
    ownPhoneCase(`the phone is told the ${field} as it was sent`, async (world) => {
      const phone = await world.ownPhone()
      const text = '李伟 👩‍💻 "é"'
      const { msgId } = await beginRegistration(world, undefined, { [field]: text })
      await phone.bind(msgId)
      const bound = phone.bound()
      const got = field === 'credential_name' ? bound?.credential_name : bound?.user[field]
      return passIf(got === text, `got ${JSON.stringify(got)}`)
    }),
  ),
  ownPhoneCase('without display_name the phone is told the username', async (world) => {
    const { phone } = await scanRegistration(world, { username: 'somebody' })
    const got = phone.bound()?.user.display_name
    return passIf(got === 'somebody', `got ${JSON.stringify(got)}`)
  }),
  ownPhoneCase('without credential_name one is made up', async (world) => {
    const { phone } = await scanRegistration(world)
    const got = phone.bound()?.credential_name ?? ''
    return passIf(got.trim() !== '' && [...got].length <= 64, `got ${JSON.stringify(got)}`)
  }),
  ownPhoneCase('the user handle is not the user_id, and the same for one user alone', async (world) => {
    const phone = await world.ownPhone()
    const handles: string[] = []
    const user_id = world.fresh('u')
    for (const who of [user_id, user_id, world.fresh('u')]) {
      const { msgId } = await beginRegistration(world, who)
      await phone.bind(msgId)
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
      const { msgId } = await beginRegistration(world)
      await phone.bind(msgId)
      challenges.push(phone.bound()?.public_key.options.challenge ?? '')
    }
    const isLong = challenges.every((each) => Buffer.from(each, 'base64url').length >= 16)
    return passIf(isLong && new Set(challenges).size === 3, challenges.join(', '))
  }),
  ownPhoneCase('a sign-in allows the credentials of its user, and a registration excludes them', async (world) => {
    const { phone, user } = await registerOwnPhone(world)
    const [held] = phone.credentials()
    const id = held?.id ?? ''
    const { msgId } = await beginSignIn(world, user)
    await phone.bind(msgId)
    const asked = phone.bound()?.public_key
    if (asked?.kind !== 'authentication') return failed('bind did not bring a sign-in')
    const allowed = (asked.options.allowCredentials ?? []).map((each) => each.id)
    if (!allowed.includes(id)) return failed(`allowCredentials: ${allowed.join(', ') || 'none'}`)
    const next = await beginRegistration(world, user.user_id)
    await phone.bind(next.msgId)
    const options = phone.bound()?.public_key
    const excluded =
      options?.kind === 'registration' ? (options.options.excludeCredentials ?? []).map((each) => each.id) : []
    return passIf(excluded.includes(id), `excludeCredentials: ${excluded.join(', ') || 'none'}`)
  }),
  ownPhoneCase('a credential that was removed signs nobody in', async (world) => {
    const { phone, user } = await registerOwnPhone(world)
    const { msgId } = await beginSignIn(world, user)
    await phone.bind(msgId)
    const credential_ids = (await listCredentials(world, user.user_id)).map(({ credential_id }) => credential_id)
    await world.call('DELETE', '/rp/credentials', { user_id: user.user_id, credential_ids })
    await phone.answer(msgId)
    const status = readStatus(await readResult(world, 'assertion', msgId))
    return passIf(status !== 'success', `status ${JSON.stringify(status)}`)
  }),
]
