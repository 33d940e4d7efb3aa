import { describe, expect, it } from 'vitest'
import { judgeAuthentication } from '../../src-main/explain/judge-authentication.ts'
import { judgeRegistration } from '../../src-main/explain/judge-registration.ts'
import type { JudgeSwitches } from '../../src-main/explain/switches.ts'
import { nodeCrypto } from '../../src-main/service/judge/node-crypto.ts'
import { type Vector, vectorAuthentication, vectorRegistration, vectors } from '../support/ceremony/vectors.ts'

/** Where the vectors and a strict reading of the rules differ, each with the switch that says so. */
const SWITCHES: Readonly<Record<string, JudgeSwitches>> = {
  'tpm-es256': { acceptUnknownTpmManufacturer: true },
  'android-key-es256': { acceptAndroidKeyWithoutAuthorizations: true },
  'fido-u2f-es256': { acceptU2fAaguid: true },
}

/** What the judge says of a vector without its switch. */
const WITHOUT: Readonly<Record<string, string>> = {
  'tpm-es256': 'tpm_manufacturer_unknown',
  'android-key-es256': 'android_origin_not_generated',
  'fido-u2f-es256': 'u2f_aaguid_not_zero',
}

const EMBEDDED = ['none-es256-crossOrigin', 'none-es256-topOrigin']
const FRAMES = { allowed: true, topOrigins: ['https://example.com'] }

const expectationsOf = ({ name }: Vector) => ({
  switches: SWITCHES[name] ?? {},
  ...(EMBEDDED.includes(name) && { crossOrigin: FRAMES }),
})

it('has fifteen vectors', () => expect(vectors).toHaveLength(15))

describe.each(vectors.map((vector) => [vector.name, vector] as const))('the W3C vector %s', (_, vector) => {
  it('[judge.w3c] registers, and its attestation leads to the root where it has one', async () => {
    const input = { ...vectorRegistration(vector), ...expectationsOf(vector) }
    const verdict = await judgeRegistration(input, nodeCrypto)
    expect(verdict.failure).toBeUndefined()
    expect(verdict.value?.trusted).toBe(!['none', 'self'].includes(verdict.value?.attestationType ?? ''))
  })

  it('[judge.w3c] authenticates', async () => {
    const input = { ...vectorAuthentication(vector), ...expectationsOf(vector) }
    const verdict = await judgeAuthentication(input, nodeCrypto)
    expect(verdict.failure).toBeUndefined()
  })
})

const named = (name: string): Vector => {
  const vector = vectors.find((candidate) => candidate.name === name)
  if (vector === undefined) throw new Error(`no vector ${name}`)
  return vector
}

it.each(Object.entries(WITHOUT))('the W3C vector %s is refused as %s without its switch', async (name, word) => {
  const verdict = await judgeRegistration(vectorRegistration(named(name)), nodeCrypto)
  expect(verdict.failure?.word).toBe(word)
})

it.each(EMBEDDED)('[judge.top-origin] the W3C vector %s is refused when no frame is expected', async (name) => {
  const registration = await judgeRegistration(vectorRegistration(named(name)), nodeCrypto)
  expect(registration.failure?.word).toBe('cross_origin_not_allowed')
  const authentication = await judgeAuthentication(vectorAuthentication(named(name)), nodeCrypto)
  expect(authentication.failure?.word).toBe('cross_origin_not_allowed')
})
