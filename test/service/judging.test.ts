import { describe, expect, test } from 'vitest'
import { RELAXABLE, type RelaxableRule } from '../../src-main/contract/profile.ts'
import { withSecondVote } from '../../src-main/service/ceremony/verdict-record.ts'
import { rootCertificate } from '../support/ceremony/certificates.ts'
import { sequence } from '../support/ceremony/der.ts'
import { testKey } from '../support/ceremony/keys.ts'
import { AAGUID, FLAG, type RegistrationParts, registration, sha256 } from '../support/ceremony/registration.ts'
import {
  androidKeyStatement,
  appleStatement,
  packedStatement,
  TPM_MANUFACTURER,
  TPM_NAMES,
  type TpmChanges,
  tpmAlternativeName,
  tpmExtensions,
  tpmStatement,
  u2fParts,
} from '../support/ceremony/statements.ts'
import { msgIdOf } from '../support/service/rp-client.ts'
import { phone, rp, running, serveEachTest } from '../support/service/serve-each-test.ts'
import { authenticationResponse } from '../support/service/soft-key.ts'
import { ORIGIN } from '../support/service/start-service.ts'
import { taken } from '../support/taken.ts'

serveEachTest()

const set = async (part: object) => taken(await running.admin.profile.patch('main', part))

/** A packed attestation whose certificate a test root has issued. */
const attested = async () => {
  const id = msgIdOf(await rp.register('u1'))
  const { challenge } = (await phone.bind(id)).json.data.public_key
  const { response } = registration({
    clientData: { type: 'webauthn.create', challenge, origin: ORIGIN, crossOrigin: false },
    rpIdHash: sha256(Buffer.from('shop.example')),
    statement: packedStatement(),
  })
  return (await phone.attest(id, { response })).json.data
}

describe('[users.attestation] whose attestation is trusted', () => {
  const root = Buffer.from(rootCertificate()).toString('base64')

  test('under accept-any an unknown root is accepted', async () => {
    expect(await attested()).toEqual({ status: 'success', error: '' })
  })

  test('under require-trusted a chain to a root of the workspace is accepted', async () => {
    await set({ attestation: 'require-trusted' })
    taken(await running.admin.roots.add('main', { name: 'Lab', certificate: root }))
    expect(await attested()).toEqual({ status: 'success', error: '' })
  })

  test('under require-trusted an unknown root is refused', async () => {
    await set({ attestation: 'require-trusted' })
    expect((await attested()).status).toBe('fail')
  })

  test('a root of another workspace does not count', async () => {
    await set({ attestation: 'require-trusted' })
    taken(await running.admin.workspaces.open('two'))
    taken(await running.admin.roots.add('two', { name: 'Lab', certificate: root }))
    expect((await attested()).status).toBe('fail')
  })

  test('certificates are judged at the clock of the workspace', async () => {
    await set({ attestation: 'require-trusted' })
    taken(await running.admin.roots.add('main', { name: 'Lab', certificate: root }))
    await running.clock.set({ now: Date.UTC(2150, 0, 1) })
    expect((await attested()).status).toBe('fail')
  })
})

describe('[judge.second] when the two verifiers disagree', () => {
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

  test('the judge decides, and the disagreement is told beside the events and marks the verdict', async () => {
    const told: unknown[] = []
    running.admin.secondOpinions.listen('main', (id, opinion) => told.push([id, opinion]))
    const { id, data } = await disagree()
    expect(data.error).toMatch(/^user_handle_mismatch: /)
    expect(running.events('verdict').map(({ second_opinion }) => second_opinion)).toEqual([undefined, undefined])
    const disagreement = { heard: true, by: '@simplewebauthn/server' as const, accepts: true, disagrees: true }
    expect(await running.admin.secondOpinions.of('main', id)).toEqual(disagreement)
    expect(told).toContainEqual([id, disagreement])
    const { verdict } = taken(await running.admin.messages.get('main', id))
    expect(verdict?.second_opinion).toMatchObject({
      heard: true,
      by: '@simplewebauthn/server' as const,
      accepts: true,
      disagrees: true,
    })
  })

  test('switched off, no opinion disagrees', async () => {
    await set({ second_opinion: 'off' })
    const { id } = await disagree()
    expect(await running.admin.secondOpinions.of('main', id)).toBeUndefined()
    expect(taken(await running.admin.messages.get('main', id)).verdict).not.toHaveProperty('second_opinion')
  })

  test('under must-agree what only the judge accepts is refused, and nothing else', () => {
    const verdict = {
      accepted: true,
      steps: [],
      response: {},
      second_opinion: { heard: true, by: '@simplewebauthn/server' as const, accepts: false, disagrees: true },
    }
    const refused = withSecondVote(verdict)
    expect(refused).toMatchObject({ accepted: false, failure: { word: 'second_opinion_disagrees' } })
    const agreed = { ...verdict, second_opinion: { heard: true, by: '@simplewebauthn/server' as const, accepts: true } }
    expect(withSecondVote(agreed)).toBe(agreed)
    const unheard = { ...verdict, second_opinion: { heard: false } }
    expect(withSecondVote(unheard)).toBe(unheard)
  })
})

test('origins and the page around a frame follow the RP and the profile', async () => {
  const answer = async (clientData: object) => {
    const id = msgIdOf(await rp.register('u1'))
    const { challenge } = (await phone.bind(id)).json.data.public_key
    const credentialId = sha256(Buffer.from(id))
    const parts = { rpIdHash: sha256(Buffer.from('shop.example')), credentialId }
    const { response } = registration({ ...parts, clientData: { type: 'webauthn.create', challenge, ...clientData } })
    return (await phone.attest(id, { response })).json.data.error.split(':')[0]
  }
  expect(await answer({ origin: ORIGIN })).toBe('')
  expect(await answer({ origin: 'https://evil.example' })).toBe('origin_mismatch')
  const framed = { origin: ORIGIN, crossOrigin: true, topOrigin: 'https://host.example' }
  expect(await answer(framed)).toBe('cross_origin_not_allowed')
  await set({ top_origins: ['https://host.example'] })
  expect(await answer(framed)).toBe('')
  expect(await answer({ ...framed, topOrigin: 'https://other.example' })).toBe('top_origin_mismatch')
})

describe('[profile.live] what the judge relaxes', () => {
  const P256 = testKey(-7)
  const tpm = (changes: TpmChanges) => ({ format: 'tpm', statement: tpmStatement(changes) })
  const [, ...modelAndVersion] = TPM_NAMES
  const san = tpmAlternativeName([TPM_MANUFACTURER, 'id:00000000'], ...modelAndVersion)
  const flags = FLAG.UP | FLAG.UV | FLAG.AT
  const cases: readonly [RelaxableRule, Partial<RegistrationParts>, object?][] = [
    ['u2f-aaguid', { ...u2fParts(), aaguid: AAGUID }],
    ['tpm-manufacturer', tpm({ certificate: { extensions: tpmExtensions({ san }) } })],
    ['tpm-sha1-names', tpm({ nameAlgorithm: 4 })],
    ['android-key-authorizations', { format: 'android-key', statement: androidKeyStatement({ tee: sequence() }) }],
    ['apple-alg', { format: 'apple', statement: appleStatement({ members: { alg: -7 } }) }],
    ['certificate-unused-bits', u2fParts({ certificate: { unusedBits: 2 } })],
    ['non-canonical-cbor', { cose: { pairs: P256.cose.pairs.toReversed() } }],
    ['reserved-flags', { flags: flags | FLAG.RFU1 }],
    ['token-binding', {}, { tokenBinding: 'none' }],
  ]

  const answer = async (parts: Partial<RegistrationParts>, more: object = {}) => {
    const id = msgIdOf(await rp.register('u1'))
    const { challenge } = (await phone.bind(id)).json.data.public_key
    const clientData = { type: 'webauthn.create', challenge, origin: ORIGIN, crossOrigin: false, ...more }
    const { response } = registration({
      rpIdHash: sha256(Buffer.from('shop.example')),
      credentialId: sha256(Buffer.from(id)),
      ...parts,
      clientData,
    })
    return (await phone.attest(id, { response })).json.data
  }

  test('each rule of the profile has a case here', () => {
    expect(cases.map(([word]) => word)).toEqual(RELAXABLE)
  })

  test.each(cases)('%s is one thing that it accepts when it is named, and refuses else', async (word, parts, more) => {
    expect((await answer(parts, more)).status).toBe('fail')
    await set({ judge_relaxes: RELAXABLE.filter((other) => other !== word) })
    expect((await answer(parts, more)).status).toBe('fail')
    await set({ judge_relaxes: [word] })
    expect(await answer(parts, more)).toEqual({ status: 'success', error: '' })
  })
})
