import { describe, expect, it } from 'vitest'
import { FLAGS } from '../../src-main/authenticator/authenticator-data.ts'
import type { Credential } from '../../src-main/authenticator/credential.ts'
import {
  type GetAssertionRequest,
  getAssertion,
  matchingCredentials,
} from '../../src-main/authenticator/get-assertion.ts'
import { makeCredential } from '../../src-main/authenticator/make-credential.ts'
import { MODELS } from '../../src-main/authenticator/models.ts'
import {
  goodAssertion,
  goodCreation,
  goodCreationOptions,
  goodPorts,
  goodRequestOptions,
  holding,
  must,
} from './support/requests.ts'
import { octets } from './support/simplewebauthn.ts'

const make = async (seed: string, change: Parameters<typeof goodCreation>[0] = {}): Promise<Credential> =>
  must(await makeCredential(goodCreation(change), await goodPorts(seed))).credential

const answer = async (request: GetAssertionRequest) => must(await getAssertion(request, await goodPorts()))

const refusalOf = async (request: GetAssertionRequest) => {
  const result = await getAssertion(request, await goodPorts())
  return result.ok ? 'accepted' : result.error.code
}

const allowing = (...ids: readonly string[]) => ({
  ...goodRequestOptions,
  allowCredentials: ids.map((id) => ({ type: 'public-key', id }) as const),
})

const countOf = (authenticatorData: string) => Buffer.from(octets(authenticatorData)).readUInt32BE(33)

describe('signing in', () => {
  it('refuses when there is no credential', async () => {
    expect(await refusalOf(goodAssertion([]))).toBe('no_matching_credential')
  })

  it('never uses a credential of another RP, whatever the source gives', async () => {
    const foreign = { ...(await make('a')), rpId: 'other.example' }
    expect(await refusalOf(goodAssertion([foreign]))).toBe('no_matching_credential')
  })

  it('takes the newest of several, or the one that the user chose', async () => {
    const [old, young] = [
      { ...(await make('a')), createdAt: 1 },
      { ...(await make('b')), createdAt: 2 },
    ]
    expect((await answer(goodAssertion([old, young]))).response.id).toBe(young.id)
    expect((await answer(goodAssertion([old, young], { chosen: old.id }))).response.id).toBe(old.id)
    expect(await refusalOf(goodAssertion([old], { chosen: young.id }))).toBe('no_matching_credential')
  })

  it('keeps to the list that the service allows', async () => {
    const [one, two] = [await make('a'), await make('b')]
    expect((await answer(goodAssertion([one, two], { options: allowing(one.id) }))).response.id).toBe(one.id)
    expect(await refusalOf(goodAssertion([two], { options: allowing(one.id) }))).toBe('no_matching_credential')
  })

  it('treats an empty list as none', async () => {
    expect(await refusalOf(goodAssertion([await make('a')], { options: allowing() }))).toBe('accepted')
  })

  it('finds a credential that is not discoverable by its ID alone, and then says nothing of the user', async () => {
    const options = { ...goodCreationOptions, authenticatorSelection: { residentKey: 'discouraged' } } as const
    const credential = await make('a', { options })
    expect(credential.discoverable).toBe(false)
    expect(await refusalOf(goodAssertion([credential]))).toBe('no_matching_credential')
    const { response } = await answer(goodAssertion([credential], { options: allowing(credential.id) }))
    expect(response.response).not.toHaveProperty('userHandle')
  })

  it('of a discoverable credential names the user', async () => {
    const { response } = await answer(goodAssertion([await make('a')]))
    expect(response.response.userHandle).toBe(goodCreationOptions.user.id)
  })

  it('counts one up each time in the chip, and says so in the authenticator data', async () => {
    const credential = await make('a')
    const first = await answer(goodAssertion([credential]))
    const second = await answer(goodAssertion([first.credential]))
    expect(countOf(first.response.response.authenticatorData)).toBe(1)
    expect(countOf(second.response.response.authenticatorData)).toBe(2)
    expect(second.credential.signCount).toBe(2)
  })

  it('never counts in the cloud, and stays at one when the counter is stuck', async () => {
    const cloud = await make('a', { storage: 'cloud' })
    const stuck = await make('b', { model: MODELS['stuck-counter'] })
    expect(countOf((await answer(goodAssertion([cloud]))).response.response.authenticatorData)).toBe(0)
    expect(countOf((await answer(goodAssertion([stuck]))).response.response.authenticatorData)).toBe(1)
    expect((await answer(goodAssertion([stuck]))).credential.signCount).toBe(stuck.signCount)
  })

  it('refuses when the user must be verified and is not', async () => {
    const options = { ...goodRequestOptions, userVerification: 'required' } as const
    const credential = await make('a')
    expect(await refusalOf(goodAssertion([credential], { options, userVerified: false }))).toBe(
      'user_verification_unavailable',
    )
    expect(await refusalOf(goodAssertion([credential], { options }))).toBe('accepted')
  })

  it('refuses a page that the RP ID does not belong to', async () => {
    const request = goodAssertion([await make('a')], { origin: 'https://elsewhere.test' })
    expect(await refusalOf(request)).toBe('rp_id_not_for_origin')
  })

  it('sets the flags from what the credential is', async () => {
    const { response } = await answer(goodAssertion([await make('a', { storage: 'cloud' })], { userVerified: false }))
    expect(octets(response.response.authenticatorData)[32]).toBe(FLAGS.UP | FLAGS.BE | FLAGS.BS)
  })

  it('lists what the user may choose from, newest first', async () => {
    const [old, young] = [
      { ...(await make('a')), createdAt: 1 },
      { ...(await make('b')), createdAt: 2 },
    ]
    const found = await matchingCredentials({
      options: goodRequestOptions,
      credentials: holding(old, young),
      userVerified: true,
    })
    expect(found.map(({ id }) => id)).toEqual([young.id, old.id])
  })
})
