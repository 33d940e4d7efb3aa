import { expect, test } from 'vitest'
import { RELAXABLE, type RelaxableRule } from '../../src-main/core/contract/profile.ts'
import { applySecondOpinion } from '../../src-main/service/ceremony/answer.ts'
import { rootCertificate } from '../support/ceremony/certificates.ts'
import { sequence } from '../support/ceremony/der.ts'
import { testKey } from '../support/ceremony/keys.ts'
import { AAGUID, FLAG, type RegistrationParts, registration, sha256 } from '../support/ceremony/registration.ts'
import * as statements from '../support/ceremony/statements.ts'
import { msgIdOf } from '../support/service/rp-client.ts'
import { phone, rp, running, serveEachTest } from '../support/service/serve-each-test.ts'
import { authenticationResponse, makeSoftKey, registrationResponse } from '../support/service/soft-key.ts'
import { ORIGIN } from '../support/service/start-service.ts'
import { taken } from '../support/taken.ts'

serveEachTest()

const opened = async () => msgIdOf(await rp.register('u1'))
const status = async (id: string) => (await rp.registrationResult(id)).json.data.status
const state = async (id: string) => taken(await running.admin.messages.get('main', id)).state
const set = async (part: object) => taken(await running.admin.profile.patch('main', part))

/** A bound registration and an answer to it that the judge accepts. */
const answered = async () => {
  const id = await opened()
  const { public_key } = (await phone.bind(id)).json.data
  return { id, response: registrationResponse(makeSoftKey(), public_key) }
}

test('[messages.expiry] the expiry is a profile setting', async () => {
  await set({ message_ttl_s: 5 })
  const id = await opened()
  await running.clock.advance(4_999)
  expect(await state(id)).toBe('init')
  await running.clock.advance(1)
  expect(await state(id)).toBe('timeout')
})

test('[messages.expiry] [clock.alarm] the expiry comes with an event when the clock passes, though it is not read', async () => {
  const id = await opened()
  await running.clock.advance(180_000)
  expect(running.events('message').at(-1)).toMatchObject({
    msg_id: id,
    from: 'init',
    to: 'timeout',
    actor: { kind: 'clock' },
  })
})

test('[messages.expiry] [clock.governs] the expiry never comes while the clock stands, and comes at once when it is set later', async () => {
  const id = await opened()
  expect(await status(id)).toBe('init')
  await running.clock.set({ now: running.clock.now() + 3_600_000 })
  expect(running.events('message').at(-1)?.to).toBe('timeout')
})

test('[messages.bind-first] binding: the same device again is harmless and gets the same', async () => {
  const id = await opened()
  const first = await phone.bind(id)
  expect((await phone.bind(id)).json).toEqual(first.json)
  expect(running.events('message').filter(({ to }) => to === 'bind')).toHaveLength(1)
})

test('[errors.state] binding: an unbound message can be neither answered nor rejected, a finished one not bound', async () => {
  const id = await opened()
  expect((await phone.attest(id, { response: {} })).json.code).toBe(40902)
  expect((await phone.reject(id)).json.code).toBe(40902)
  expect(await state(id)).toBe('init')
  await phone.register(id)
  expect((await phone.bind(id)).json.code).toBe(40902)
})

test('[errors.expired] binding: after the expiry everything a phone does is 41002', async () => {
  const id = await opened()
  await running.clock.advance(180_000)
  expect((await phone.bind(id)).json.code).toBe(41002)
  const { id: bound, response } = await answered()
  await running.clock.advance(180_000)
  expect((await phone.bind(bound)).json.code).toBe(41002)
  expect((await phone.attest(bound, { response })).json.code).toBe(41002)
  expect((await phone.reject(bound)).json.code).toBe(41002)
})

test('[messages.final-fail] answering: an unverifiable answer is final', async () => {
  const { id, response } = await answered()
  const { error } = (await phone.attest(id, { response: { ...response, id: 'AAAA' } })).json.data
  expect((await phone.attest(id, { response })).json.code).toBe(40903)
  expect((await rp.registrationResult(id)).json.data).toMatchObject({ status: 'fail', error })
})

test.each([
  ['not json', 40001],
  ['[]', 40001],
  ['{}', 40003],
])('[messages.not-object] answering: %s is refused and leaves the message untouched', async (body, code) => {
  const { id, response } = await answered()
  expect((await phone.attest(id, body)).json.code).toBe(code)
  expect((await phone.call('POST', `/messages/${id}/bind`, '[]')).json.code).toBe(40001)
  expect((await phone.attest(id, { response })).json.data.status).toBe('success')
})

test('[app.attestation] answering: an unknown storage is refused and leaves the message untouched', async () => {
  const { id, response } = await answered()
  expect((await phone.attest(id, { response, storage: 'drawer' })).json.code).toBe(40002)
  expect(await state(id)).toBe('bind')
})

test.each([null, {}])('[messages.response-judged] a response that is %j is judged, and final', async (response) => {
  const { id } = await answered()
  expect((await phone.attest(id, { response })).json.data.status).toBe('fail')
  expect(await state(id)).toBe('fail')
})

test('[messages.same-answer] answering: the identical answer again gets the first verdict, however it is spaced', async () => {
  const { id, response } = await answered()
  const first = (await phone.attest(id, { response })).json
  expect((await phone.attest(id, { response })).json).toEqual(first)
  expect((await phone.attest(id, JSON.stringify({ response }, null, 2))).json).toEqual(first)
  const turned = Object.fromEntries(Object.entries(response).toReversed())
  expect(Object.keys(turned)).not.toEqual(Object.keys(response))
  expect((await phone.attest(id, { response: turned })).json).toEqual(first)
  expect(running.events('verdict')).toHaveLength(1)
  expect(taken(await running.admin.credentials.list('main'))).toHaveLength(1)
  expect((await phone.reject(id)).json.code).toBe(40903)
})

test('[messages.same-answer] answering: rejecting twice for the same reason is one rejection', async () => {
  const id = await opened()
  await phone.bind(id)
  const first = (await phone.reject(id)).json
  expect((await phone.reject(id)).json).toEqual(first)
  expect((await phone.reject(id, { reason: 'other' })).json.code).toBe(40903)
})

test('[errors.message] [messages.wrong-ceremony] answering: the other ceremony and an unknown message are 40402', async () => {
  const { id } = await answered()
  expect((await rp.authenticationResult(id)).json.code).toBe(40402)
  expect((await phone.assert(id, { response: {} })).json.code).toBe(40402)
  expect((await phone.bind('AAAAAAAAAAAAAAAAAAAAAA')).json.code).toBe(40402)
  expect(await state(id)).toBe('bind')
})

const finished = async () => {
  const { id, response } = await answered()
  await phone.attest(id, { response })
  return id
}

test('[messages.once] reading the result: under final_result: repeatable it is reported again and again', async () => {
  await set({ final_result: 'repeatable' })
  const id = await finished()
  expect([await status(id), await status(id), await status(id)]).toEqual(['success', 'success', 'success'])
  expect(running.events('delivery')).toHaveLength(1)
  await set({ final_result: 'once' })
  expect((await rp.registrationResult(id)).json.code).toBe(41001)
})

test('[messages.lost-answer] reading the result: an answer lost on the wire is delivered all the same', async () => {
  const id = await finished()
  taken(await running.admin.conditions.patch('main', { rp: { lose_next: 1 } }))
  await expect(rp.registrationResult(id)).rejects.toThrow()
  expect((await rp.registrationResult(id)).json.code).toBe(41001)
})

test('[messages.timeout-again] reading the result: timeout can be read again and again', async () => {
  const id = await opened()
  await running.clock.advance(180_000)
  expect([await status(id), await status(id), await status(id)]).toEqual(['timeout', 'timeout', 'timeout'])
  expect(running.events('delivery')).toEqual([])
})

test('[messages.true-state] reading the result: the console shows the true state before and after delivery', async () => {
  const id = await finished()
  const before = taken(await running.admin.messages.get('main', id))
  expect(before).toMatchObject({ state: 'success', verdict: { accepted: true } })
  expect(before.delivered_at).toBeUndefined()
  await status(id)
  const after = taken(await running.admin.messages.get('main', id))
  expect(after).toMatchObject({ state: 'success', delivered_at: running.clock.now() })
})

test('[messages.kept] reading the result: a result not fetched stays 10 minutes past the expiry, then the message is gone', async () => {
  const id = await finished()
  await running.clock.advance(180_000 + 599_999)
  expect(await status(id)).toBe('success')
  const other = await finished()
  await running.clock.advance(180_000 + 600_000)
  expect((await rp.registrationResult(other)).json.code).toBe(40402)
  expect((await running.admin.messages.get('main', other)).ok).toBe(false)
})

test('[messages.two-names] reading the result: msg_id and id may both name the message', async () => {
  const id = await opened()
  expect((await rp.get(`/rp/attestation/result?msg_id=${id}&id=${id}`)).json.code).toBe(0)
})

/** What the service answers to a registration of these parts. */
const registered = async (parts: Partial<RegistrationParts>, clientData: object = {}) => {
  const id = msgIdOf(await rp.register('u1'))
  const { challenge } = (await phone.bind(id)).json.data.public_key
  const { response } = registration({
    rpIdHash: sha256(Buffer.from('shop.example')),
    credentialId: sha256(Buffer.from(id)),
    ...parts,
    clientData: { type: 'webauthn.create', challenge, origin: ORIGIN, crossOrigin: false, ...clientData },
  })
  return (await phone.attest(id, { response })).json.data
}

test('[users.attestation] an unknown root is accepted, under require-trusted only a root of the workspace, at its clock', async () => {
  const certificate = Buffer.from(rootCertificate()).toString('base64')
  const attested = () => registered({ statement: statements.packedStatement() })
  const accepted = { status: 'success', error: '' }
  expect(await attested()).toEqual(accepted)
  await set({ attestation: 'require-trusted' })
  taken(await running.admin.workspaces.open('two'))
  taken(await running.admin.roots.add('two', { name: 'Lab', certificate }))
  expect((await attested()).status).toBe('fail')
  taken(await running.admin.roots.add('main', { name: 'Lab', certificate }))
  expect(await attested()).toEqual(accepted)
  await running.clock.set({ now: Date.UTC(2150, 0, 1) })
  expect((await attested()).status).toBe('fail')
})

/** The second verifier does not look at the user handle. */
const disagree = async () => {
  await phone.register(msgIdOf(await rp.register('u1')))
  const id = msgIdOf(await rp.authenticate('u1'))
  const { public_key } = (await phone.bind(id)).json.data
  const key = phone.keys[0]
  if (key === undefined) throw new Error('no key')
  const response = authenticationResponse({ ...key, userHandle: 'AAAA' }, public_key)
  return { id, data: (await phone.assert(id, { response })).json.data }
}

test('[judge.second] when the two verifiers disagree: the judge decides, and the disagreement is told beside the events and marks the verdict', async () => {
  const told: unknown[] = []
  running.admin.secondOpinions.listen('main', (id, opinion) => told.push([id, opinion]))
  const { id, data } = await disagree()
  expect(data.error).toMatch(/^user_handle_mismatch: /)
  expect(running.events('verdict').map(({ second_opinion }) => second_opinion)).toEqual([undefined, undefined])
  const disagreement = { heard: true, by: '@simplewebauthn/server' as const, accepts: true, disagrees: true }
  expect(await running.admin.secondOpinions.of('main', id)).toEqual(disagreement)
  expect(told).toContainEqual([id, disagreement])
  const { verdict } = taken(await running.admin.messages.get('main', id))
  expect(verdict?.second_opinion).toMatchObject(disagreement)
})

test('[judge.second] when the two verifiers disagree: switched off, no opinion disagrees', async () => {
  await set({ second_opinion: 'off' })
  const { id } = await disagree()
  expect(await running.admin.secondOpinions.of('main', id)).toBeUndefined()
  expect(taken(await running.admin.messages.get('main', id)).verdict).not.toHaveProperty('second_opinion')
})

test('[judge.second] when the two verifiers disagree: under must-agree what only the judge accepts is refused, and nothing else', () => {
  const verdict = {
    accepted: true,
    steps: [],
    response: {},
    second_opinion: { heard: true, by: '@simplewebauthn/server' as const, accepts: false, disagrees: true },
  }
  const refused = applySecondOpinion(verdict)
  expect(refused).toMatchObject({ accepted: false, failure: { word: 'second_opinion_disagrees' } })
  const agreed = { ...verdict, second_opinion: { heard: true, by: '@simplewebauthn/server' as const, accepts: true } }
  expect(applySecondOpinion(agreed)).toBe(agreed)
  const unheard = { ...verdict, second_opinion: { heard: false } }
  expect(applySecondOpinion(unheard)).toBe(unheard)
})

test('origins and the page around a frame follow the RP and the profile', async () => {
  const answer = async (clientData: object) => (await registered({}, clientData)).error.split(':')[0]
  expect(await answer({ origin: ORIGIN })).toBe('')
  expect(await answer({ origin: 'https://evil.example' })).toBe('origin_mismatch')
  const framed = { origin: ORIGIN, crossOrigin: true, topOrigin: 'https://host.example' }
  expect(await answer(framed)).toBe('cross_origin_not_allowed')
  await set({ top_origins: ['https://host.example'] })
  expect(await answer(framed)).toBe('')
  expect(await answer({ ...framed, topOrigin: 'https://other.example' })).toBe('top_origin_mismatch')
})

const P256 = testKey(-7)
const tpm = (changes: statements.TpmChanges) => ({ format: 'tpm', statement: statements.tpmStatement(changes) })
const [, ...modelAndVersion] = statements.TPM_NAMES
const san = statements.tpmAlternativeName([statements.TPM_MANUFACTURER, 'id:00000000'], ...modelAndVersion)
const flags = FLAG.UP | FLAG.UV | FLAG.AT
const cases: readonly [RelaxableRule, Partial<RegistrationParts>, object?][] = [
  ['u2f-aaguid', { ...statements.u2fParts(), aaguid: AAGUID }],
  ['tpm-manufacturer', tpm({ certificate: { extensions: statements.tpmExtensions({ san }) } })],
  ['tpm-sha1-names', tpm({ nameAlgorithm: 4 })],
  [
    'android-key-authorizations',
    { format: 'android-key', statement: statements.androidKeyStatement({ tee: sequence() }) },
  ],
  ['apple-alg', { format: 'apple', statement: statements.appleStatement({ members: { alg: -7 } }) }],
  ['certificate-unused-bits', statements.u2fParts({ certificate: { unusedBits: 2 } })],
  ['non-canonical-cbor', { cose: { pairs: P256.cose.pairs.toReversed() } }],
  ['reserved-flags', { flags: flags | FLAG.RFU1 }],
  ['token-binding', {}, { tokenBinding: 'none' }],
]

test('[profile.live] what the judge relaxes: each rule of the profile has a case here', () => {
  expect(cases.map(([word]) => word)).toEqual(RELAXABLE)
})

test.each(cases)('[profile.live] the judge accepts %s when it is named, and not else', async (word, parts, more) => {
  expect((await registered(parts, more)).status).toBe('fail')
  await set({ judge_relaxes: RELAXABLE.filter((other) => other !== word) })
  expect((await registered(parts, more)).status).toBe('fail')
  await set({ judge_relaxes: [word] })
  expect(await registered(parts, more)).toEqual({ status: 'success', error: '' })
})
