import { expect, test } from 'vitest'
import type { Profile } from '../../src-main/core/contract/profile.ts'
import { FEWER_CASES } from '../support/check-service.ts'
import { lineOf, parity, recorded } from '../support/parity.ts'

/** Each setting that is found is tried on all cases: only the paragraphs in which something is planted. */
const PARAGRAPHS = ['When it is refused', 'Users and credentials', 'Messages']
const PLANTED_CASES = FEWER_CASES.filter(({ says }) => PARAGRAPHS.includes(says.heading))

test('a bench of our own differs in nothing', async () => {
  const { code, differences, profile, compared } = await parity(await recorded({ profile: {}, cases: FEWER_CASES }))
  // How quick this machine was at either time is no property of the bench, and a latency may explain it (code 0) or not
  // (code 1); the next test plants one.
  const lasting = differences.filter(({ field }) => field !== 'quickest tenth')
  expect({ lasting, profile }).toEqual({ lasting: [], profile: {} })
  expect(code).toBeLessThanOrEqual(Math.min(differences.length, 1))
  expect(compared).toBeGreaterThan(150)
})

test('of ten planted differences all are named, and seven go with what it writes', async () => {
  const planted: Partial<Profile> = {
    ...{ clock_skew_s: 60, message_ttl_s: 90, final_result: 'repeatable', user_id_max: 64 },
    ...{ explain_signatures: false, user_verification: 'required' },
  }
  const file = await recorded({
    profile: planted,
    ms: 100,
    cases: PLANTED_CASES,
    change: (answer) => {
      answer.headers.server = 'cloud/1'
      answer.text = answer.text
        .replace('"code":40403', '"code":40402')
        .replaceAll(/"created_at":"[^"]*"/g, '"created_at":0')
    },
  })
  const { code, differences, written } = await parity(file)
  expect(code).toBe(1)
  expect(written).toEqual({ profile: planted, conditions: { rp: { latency_ms: expect.any(Number) } } })
  const lines = differences.map(lineOf)
  const named = [
    'clock_skew_s: 60: code, GET /rp/credentials, code, 40106, 0',
    expect.stringMatching(/^message_ttl_s: 90: time, POST .*, data\.expires_at, (89|90) s away, (179|180) s away$/),
    'final_result: "repeatable": code, GET /rp/attestation/result, code, 0, 41001',
    'user_id_max: 64: code, POST /rp/attestation/options, code, 40002, 0',
    'explain_signatures: false: shape, code 40104, data.canonical_request, absent, a string',
    'user_verification: "required": value, POST (app) /messages/<msg_id of 22>/bind, data.public_key.userVerification, required, preferred',
    'nothing: header, server, present, absent',
    'nothing: code, POST /rp/assertion/options, code, 40402, 40403',
    'nothing: shape, GET /rp/credentials, data.list[].created_at, a number, a string',
  ]
  expect(lines).toEqual(expect.arrayContaining(named))
  expect(lines.filter((line) => /^rp\.latency_ms: \d+: time, calls of the RP/.test(line))).toHaveLength(1)
  expect(lines.filter((line) => line.startsWith('nothing'))).toHaveLength(3)
})
