import { expect, it } from 'vitest'
import { toBase64url, utf8 } from '../../src-main/core/protocol/bytes.ts'
import {
  type AnswerDraft,
  createAnswerDraft,
  findEdits,
  findSplices,
  isSendable,
} from '../../src-renderer/resend/answer-draft.ts'
import { withBytes, withFields, withMembers } from '../../src-renderer/resend/answer-form.tsx'

const bytes = (...octets: number[]): Uint8Array => Uint8Array.from(octets)

it.each([
  [bytes(1, 2, 3), bytes(1, 2, 3), []],
  [
    bytes(1, 2, 3, 4),
    bytes(1, 9, 3, 8),
    [
      { at: 1, take: 1, put: '09' },
      { at: 3, take: 1, put: '08' },
    ],
  ],
  [bytes(1, 2, 3), bytes(1, 2, 255, 3), [{ at: 2, take: 0, put: 'ff' }]],
  [bytes(1, 2, 3), bytes(1, 3), [{ at: 1, take: 1, put: '' }]],
  [bytes(1), bytes(), [{ at: 0, take: 1, put: '' }]],
])('the splices between two byte strings of %j and %j', (before, after, splices) => {
  expect(findSplices(before, after)).toEqual(splices)
})

const draft: AnswerDraft = createAnswerDraft(
  JSON.stringify({
    response: {
      id: 'Y3JlZA',
      response: {
        clientDataJSON: toBase64url(utf8('{"type":"webauthn.get","challenge":"abc","crossOrigin":false}')),
        authenticatorData: toBase64url(Uint8Array.from([...new Uint8Array(32).fill(7), 5, 0, 0, 0, 9])),
        signature: 'AAEC',
        userHandle: 'dQ',
      },
    },
  }),
)

it('a phone’s answer is taken apart into what can be edited', () => {
  expect(draft).toMatchObject({
    flags: 5,
    counter: '9',
    credentialId: 'Y3JlZA',
    userHandle: 'dQ',
    hex: { rpIdHash: '07'.repeat(32) },
    bytes: { signature: '000102' },
  })
  expect(draft.members.map(({ name, value, json }) => [name, value, json])).toEqual([
    ['type', 'webauthn.get', false],
    ['challenge', 'abc', false],
    ['crossOrigin', 'false', true],
  ])
})

it('what is not edited is not named, so that the phone makes it fresh', () => {
  expect(findEdits(draft, draft)).toEqual({})
  const [type, challenge, cross] = draft.members
  if (type === undefined || challenge === undefined || cross === undefined) throw new Error('three members')
  const edited = {
    ...draft,
    members: [{ ...type, value: 'webauthn.create' }, challenge],
    flags: 4,
    bytes: { ...draft.bytes, signature: '00 01 FF' },
  }
  expect(findEdits(draft, edited)).toEqual({
    client_data: [{ name: 'crossOrigin' }, { name: 'type', value: 'webauthn.create' }],
    flags: 4,
    signature_bytes: [{ at: 2, take: 1, put: 'ff' }],
  })
})

it('half an octet, a counter that is none and JSON that is none keep it from being sent', () => {
  const [member] = draft.members
  if (member === undefined) throw new Error('a member')
  expect(isSendable(draft)).toBe(true)
  expect(isSendable({ ...draft, hex: { rpIdHash: '0' } })).toBe(false)
  expect(isSendable({ ...draft, counter: '4294967296' })).toBe(false)
  expect(isSendable({ ...draft, members: [{ ...member, json: true, value: '{' }] })).toBe(false)
})

it('an answer that is no answer can still be opened', () => {
  for (const body of ['', '[]', '{"response":{}}', 'not json']) expect(isSendable(createAnswerDraft(body))).toBe(true)
})

it('fields follow the bytes that are written over, and bytes the fields: each edit is sent once', () => {
  const bytes = `ff96${'07'.repeat(30)}0400000009`
  const written = withBytes(draft, 'authenticatorData', bytes.toUpperCase())
  expect(written).toMatchObject({ flags: 4, counter: '9', hex: { rpIdHash: `ff96${'07'.repeat(30)}` } })
  const splices = [
    { at: 0, take: 2, put: 'ff96' },
    { at: 32, take: 1, put: '04' },
  ]
  expect(findEdits(draft, written)).toEqual({ authenticator_data_bytes: splices })
  const filled = withFields(withFields(draft, { flags: 4 }), { hex: written.hex })
  expect(filled.bytes.authenticatorData).toBe(bytes)
  expect(findEdits(draft, filled)).toEqual({ flags: 4, rp_id_hash: written.hex.rpIdHash })
  // A field that is edited after the bytes is one more edit of them.
  expect(findEdits(draft, withFields(written, { flags: 5 }))).toEqual({ authenticator_data_bytes: splices.slice(0, 1) })
  expect(withBytes(draft, 'authenticatorData', 'ff')).toMatchObject({ hex: {} })
  expect(withBytes(draft, 'authenticatorData', 'f').hex).toEqual(draft.hex)

  const [type, ...others] = draft.members
  if (type === undefined) throw new Error('a member')
  const renamed = withMembers(draft, [{ ...type, value: 'webauthn.xyz' }, ...others])
  const again = withBytes(draft, 'clientDataJSON', renamed.bytes.clientDataJSON ?? '')
  expect(again.members).toEqual(renamed.members)
  expect(findEdits(draft, again)).toEqual({ client_data_bytes: [{ at: 18, take: 3, put: '78797a' }] })
})
