import { Buffer } from 'node:buffer'
import type { Profile } from '../../../core/contract/profile.ts'
import { isObject, type JsonObject, parseJsonOrNothing } from '../../../core/protocol/json.ts'
import { acceptedCase, type Case, checkRefusal, isRefusal, plainCase, refusedCase } from '../case.ts'
import { type Exchange, findHeader, isSuccess, readEnvelope, responseLine } from '../exchange.ts'
import { type Finding, failed, passed, passIf, vacuous } from '../finding.ts'
import { type Change, type World, withHeader } from '../world.ts'

const REGISTER = '/rp/attestation/options'
const SIGN_IN = '/rp/assertion/options'
const RESULT = '/rp/attestation/result'

const registration = (world: World): JsonObject => ({ user_id: world.fresh('u'), username: 'check' })
const register = (world: World, body: JsonObject = {}, change?: Change) =>
  world.call('POST', REGISTER, { ...registration(world), ...body }, change)
const raw = (world: World, body: string, change: Change = {}) =>
  world.call('POST', REGISTER, {}, { ...change, unsigned: (request) => ({ ...request, body: Buffer.from(body) }) })

const signIn = (world: World, method = 'qrcode', change?: Change) =>
  world.call('POST', SIGN_IN, { ...registration(world), method }, change)

const remove = (world: World, body: JsonObject) =>
  world.call('DELETE', '/rp/credentials', { user_id: world.fresh('u'), ...body })
const idsUpTo = (length: number): readonly string[] => Array.from({ length }, (_, n) => `id${n}`)

const WRONG_SECRET: Change = { key: { secretKey: 'another secret altogether' } }
const UNSIGNED: Change = { signed: (request) => withHeader(request, 'Authorization', undefined) }
const UNKNOWN_MESSAGE = '?msg_id=AAAAAAAAAAAAAAAAAAAAAA'

type Call = (world: World) => Promise<Exchange>
type BadlySigned = readonly [what: string, changed: Call]

const calling =
  (...request: Parameters<World['call']>): Call =>
  (world) =>
    world.call(...request)

/** The valid twin of the call is an honest registration. */
const refusedCall = (name: string, code: number, changed: Call) => refusedCase(name, { code, valid: register, changed })

const refusedField = (name: string, code: number, change: JsonObject) =>
  refusedCall(name, code, (world) => register(world, change))

const without = (what: string, path: string, field: string) =>
  refusedCall(`a ${what} without ${field} is 40003`, 40003, (world) => {
    const whole: JsonObject = path === REGISTER ? registration(world) : { ...registration(world), method: 'qrcode' }
    const { [field]: _left, ...rest } = whole
    return world.call('POST', path, rest)
  })

const missesEmpty = ({ empty_optional }: Profile): boolean => empty_optional === 'absent'

const LENGTHS = ['user_id', 'username', 'display_name', 'credential_name'] as const

const userCases = [
  ...['user_id', 'username'].map((field) => without('registration', REGISTER, field)),
  ...['user_id', 'username', 'method'].map((field) => without('sign-in', SIGN_IN, field)),
  refusedField('a user_id that is a number is 40002', 40002, { user_id: 7 }),
  refusedField('a username that is a list is 40002', 40002, { username: ['check'] }),
  ...LENGTHS.map((field) =>
    plainCase(`a ${field} is as long as the profile lets it, and no longer`, async (world) => {
      const most = world.profile[`${field}_max`]
      const longest = await register(world, { [field]: world.fresh('u').padEnd(most, '李').slice(0, most) })
      if (!isSuccess(longest)) return failed(`${most} characters: ${responseLine(longest)}`)
      return checkRefusal(await register(world, { [field]: 'u'.repeat(most + 1) }), 40002, world)
    }),
  ),
  ...(['user_id', 'username'] as const).map((field) =>
    plainCase(`an empty ${field} is 40002 or 40003`, async (world) => {
      if (!isSuccess(await register(world))) return vacuous('nothing is accepted')
      const exchange = await register(world, { [field]: '' })
      return passIf(isRefusal(exchange, 40002, world) || isRefusal(exchange, 40003, world), responseLine(exchange))
    }),
  ),
  refusedField('a control character in a user_id is 40002', 40002, { user_id: 'u\u0000v' }),
  refusedField('a line break in a username is 40002', 40002, { username: 'check\n' }),
  refusedCall('a body that is no JSON is 40001', 40001, (world) => raw(world, '{"user_id":')),
  refusedCase('a body that names a member twice is 40001', {
    code: 40001,
    valid: (world) => raw(world, JSON.stringify(registration(world))),
    changed: (world) => raw(world, '{"user_id":"u","username":"check","username":"check"}'),
  }),
  refusedCall('a method that is neither qrcode nor push is 40002', 40002, (world) => signIn(world, 'pigeon')),
  refusedCase('a sign-in of a user without credentials is 40403', {
    code: 40403,
    applies: (profile) => profile.unknown_user === 'refuse',
    valid: register,
    changed: (world) => signIn(world),
  }),
  ...(['display_name', 'credential_name'] as const).flatMap((field) =>
    [['null', null] as const, ['an empty text', ''] as const].map(([what, value]) =>
      plainCase(`${field} as ${what} counts as the profile says`, async (world) => {
        const [twin, wrong] = [await register(world), await register(world, { [field]: 7 })]
        if (!isSuccess(twin)) return vacuous(responseLine(twin))
        if (isSuccess(wrong)) return vacuous('a number is accepted as well')
        const exchange = await register(world, { [field]: value })
        if (world.profile.empty_optional === 'refuse') return checkRefusal(exchange, 40002, world)
        return passIf(isSuccess(exchange), responseLine(exchange))
      }),
    ),
  ),
  ...(['msg_id', 'id'] as const).map((name) =>
    plainCase(`a result can be asked for by ${name}`, async (world) => {
      const url = String(readEnvelope(await register(world)).data.url ?? '')
      const exchange = await world.call('GET', `/rp/attestation/result?${name}=${url.slice(url.indexOf('#') + 2)}`)
      return passIf(readEnvelope(exchange).data.status === 'init', responseLine(exchange))
    }),
  ),
  refusedCall('a result of an unknown message is 40402', 40402, calling('GET', RESULT + UNKNOWN_MESSAGE)),
  refusedCall('a result without msg_id is 40003', 40003, calling('GET', RESULT)),
  refusedCase('a result with an empty msg_id is 40003', {
    code: 40003,
    applies: missesEmpty,
    valid: register,
    changed: calling('GET', `${RESULT}?msg_id=`),
  }),
  ...(['attestation', 'assertion'] as const).map((kind) =>
    refusedCall(
      `an ${kind} result’s msg_id and id that differ are 40004`,
      40004,
      calling('GET', `/rp/${kind}/result${UNKNOWN_MESSAGE}&id=BBBBBBBBBBBBBBBBBBBBBB`),
    ),
  ),
  ...(
    [
      ['more than 100 credential_ids are 40002', 40002, { credential_ids: idsUpTo(101) }],
      ['credential_ids that are no list are 40002', 40002, { credential_ids: 'id' }],
      ['a credential_id that is a number is 40002', 40002, { credential_ids: [7] }],
      ['a deletion without credential_ids is 40003', 40003, { credential_ids: undefined }],
    ] as const
  ).map(([name, code, change]) =>
    refusedCase(name, {
      code,
      valid: (world) => remove(world, { credential_ids: [] }),
      changed: (world) => remove(world, change),
    }),
  ),
  refusedCase('a list without user_id is 40003', {
    code: 40003,
    valid: calling('GET', '/rp/credentials?user_id=u'),
    changed: calling('GET', '/rp/credentials'),
  }),
  plainCase('a deletion takes the user_id from the query as well', async (world) => {
    const exchange = await world.call('DELETE', `/rp/credentials?user_id=${world.fresh('u')}`, { credential_ids: [] })
    return passIf(isSuccess(exchange) && readEnvelope(exchange).data.total === 0, responseLine(exchange))
  }),
  refusedCase('a deletion without a user_id is 40003', {
    code: 40003,
    applies: missesEmpty,
    valid: calling('DELETE', '/rp/credentials?user_id=u', { user_id: null, credential_ids: [] }),
    changed: calling('DELETE', '/rp/credentials', { user_id: null, credential_ids: [] }),
  }),
  plainCase('a user whom nobody knows has an empty list', async (world) => {
    const exchange = await world.call('GET', `/rp/credentials?user_id=${world.fresh('u')}`)
    const { total, list } = readEnvelope(exchange).data
    return passIf(total === 0 && Array.isArray(list) && list.length === 0, responseLine(exchange))
  }),
  plainCase('a hundred credential_ids that are unknown delete nothing', async (world) => {
    const exchange = await remove(world, { credential_ids: idsUpTo(100) })
    return passIf(isSuccess(exchange) && readEnvelope(exchange).data.total === 0, responseLine(exchange))
  }),
  refusedCase('a user_id in body and query that differs is 40004', {
    code: 40004,
    valid: calling('DELETE', '/rp/credentials', { user_id: 'u', credential_ids: [] }),
    changed: calling('DELETE', '/rp/credentials?user_id=v', { user_id: 'u', credential_ids: [] }),
  }),
]

const bodyCases = [
  refusedCall('an unknown path is 40401', 40401, calling('GET', '/rp/nothing-here')),
  refusedCall('a body of 65 KiB is 41301', 41301, (world) => register(world, { display_name: 'u'.repeat(65 * 1024) })),
  acceptedCase('a body of 64 KiB is accepted', {
    valid: (world) => raw(world, JSON.stringify(registration(world)).padEnd(64 * 1024)),
    changed: (world) => raw(world, JSON.stringify(registration(world)).padEnd(64 * 1024 + 1)),
  }),
  ...(
    [
      ['an unsigned request to an unknown path', 40401, calling('GET', '/rp/nothing-here', undefined, UNSIGNED)],
      ['an unsigned request with bad parameters', 40101, calling('POST', REGISTER, { user_id: 7 }, UNSIGNED)],
      ['a wrong signature with bad parameters', 40104, calling('POST', REGISTER, { user_id: 7 }, WRONG_SECRET)],
    ] as const
  ).map(([what, code, changed]) => refusedCall(`${what} is ${code}`, code, changed)),
  ...(
    [
      ['a body that is no JSON', (world) => raw(world, '{"user_id":', WRONG_SECRET)],
      ['a registration of nobody', calling('POST', REGISTER, {}, WRONG_SECRET)],
      ['a sign-in of nobody', calling('POST', SIGN_IN, {}, WRONG_SECRET)],
      ['a sign-in of a user without credentials', (world) => signIn(world, 'qrcode', WRONG_SECRET)],
      ...['attestation', 'assertion'].flatMap((kind) =>
        [
          ['no message', ''],
          ['an unknown message', UNKNOWN_MESSAGE],
        ].map(
          ([what, query]): BadlySigned => [
            `an ${kind} result of ${what}`,
            calling('GET', `/rp/${kind}/result${query}`, undefined, WRONG_SECRET),
          ],
        ),
      ),
      ['a list of nobody', calling('GET', '/rp/credentials', undefined, WRONG_SECRET)],
      ['a deletion of nothing', calling('DELETE', '/rp/credentials', {}, WRONG_SECRET)],
    ] satisfies BadlySigned[]
  ).map(([what, changed]) => refusedCall(`the signature is judged before ${what}`, 40104, changed)),
  refusedCase('a path with a slash at its end is 40401', {
    code: 40401,
    valid: calling('GET', '/rp/credentials?user_id=u'),
    changed: calling('GET', '/rp/credentials/?user_id=u'),
  }),
  refusedCall('a body that is a list is 40001', 40001, (world) => raw(world, '[]')),
  refusedCall('an empty body is 40001', 40001, (world) => raw(world, '')),
  plainCase('half a character in a body is 40001 or 40002', async (world) => {
    const twin = await raw(world, JSON.stringify(registration(world)))
    if (!isSuccess(twin)) return vacuous(responseLine(twin))
    const exchange = await raw(world, '{"user_id":"\\ud800","username":"check"}')
    return passIf(isRefusal(exchange, 40001, world) || isRefusal(exchange, 40002, world), responseLine(exchange))
  }),
]

const methodCases = (
  [
    ['GET', REGISTER, undefined],
    ['PUT', '/rp/credentials?user_id=u', {}],
    ['POST', RESULT + UNKNOWN_MESSAGE, {}],
    ['DELETE', SIGN_IN, {}],
  ] as const
).map(([method, path, body]) =>
  refusedCall(`${method} ${path.replace(/\?.*/, '')} is 40501`, 40501, calling(method, path, body)),
)

const envelopeCases = [
  plainCase('a success is an envelope with code 0, data and an empty error', async (world) => {
    const exchange = await register(world)
    return checkEnvelope(
      exchange,
      ({ error }, { url }) => isSuccess(exchange) && typeof url === 'string' && error === '',
    )
  }),
  plainCase('a refusal is an envelope with its code, data and a sentence', async (world) => {
    if (!isSuccess(await register(world))) return vacuous('nothing is accepted')
    const exchange = await register(world, { user_id: 7 })
    return checkEnvelope(exchange, ({ code, error }) => code === 40002 && typeof error === 'string' && error !== '')
  }),
  plainCase('responses are application/json', async (world) => {
    const [right, wrong] = [await register(world), await register(world, { user_id: 7 })]
    if (!isSuccess(right) || readEnvelope(wrong).code !== 40002)
      return vacuous(`${responseLine(right)}; ${responseLine(wrong)}`)
    for (const exchange of [right, wrong]) {
      const type = findHeader(exchange.response, 'content-type') ?? 'none'
      if (!/^application\/json(;|$)/.test(type)) return failed(`Content-Type: ${type}`)
    }
    return passed
  }),
  plainCase('data.reason, where present, is a code and params', async (world) => {
    const refusals = [await register(world, { user_id: 7 }), await register(world, {}, WRONG_SECRET)]
    if (!isSuccess(await register(world)) || refusals.some(isSuccess))
      return vacuous(refusals.map(responseLine).join('; '))
    const reasons = refusals.map((each) => readEnvelope(each).data.reason).filter((reason) => reason !== undefined)
    const odd = reasons.find(
      (each) =>
        !isObject(each) || typeof each.code !== 'string' || !(each.params === undefined || isObject(each.params)),
    )
    return passIf(odd === undefined, `reason ${JSON.stringify(odd)}`)
  }),
  plainCase('the sentence of a refusal names the field', async (world) => {
    const exchange = await register(world, { user_id: 7 })
    const { code, error } = readEnvelope(exchange)
    if (code !== 40002) return vacuous(responseLine(exchange))
    if (String(error).includes('user_id')) return passed
    return { verdict: 'review', text: `does it help whoever sent a number as user_id? ${JSON.stringify(error)}` }
  }),
]

/** Passes if the response is an object with data, and this is true for both. */
const checkEnvelope = (
  { response }: Exchange,
  isRight: (envelope: JsonObject, data: JsonObject) => boolean,
): Finding => {
  const envelope = parseJsonOrNothing(response?.text ?? '')
  if (!isObject(envelope)) return failed('it has no JSON object')
  const members = Object.entries(envelope).map(([name, each]) => `${name} ${JSON.stringify(each)?.slice(0, 60)}`)
  return passIf(isObject(envelope.data) && isRight(envelope, envelope.data), `it has ${members.join(', ')}`)
}

/** docs/interface/relying-party.md, and what docs/errors.md says of each response. */
export const parameterCases: readonly Case[] = [...envelopeCases, ...userCases, ...bodyCases, ...methodCases]
