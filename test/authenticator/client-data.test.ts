import { describe, expect, it } from 'vitest'
import { draftClientData, encodeClientData } from '../../src-main/authenticator/client-data.ts'

const text = (draft: Parameters<typeof encodeClientData>[0]) => new TextDecoder().decode(encodeClientData(draft))
const input = { type: 'webauthn.get', challenge: 'AAAA', origin: 'https://example.org', crossOrigin: false } as const

describe('client data', () => {
  it('begins with type, challenge, origin and crossOrigin in this order', () => {
    expect(text(draftClientData({ ...input, topOrigin: undefined }))).toBe(
      '{"type":"webauthn.get","challenge":"AAAA","origin":"https://example.org","crossOrigin":false}',
    )
  })

  it('has topOrigin after crossOrigin, where there is one', () => {
    expect(text(draftClientData({ ...input, crossOrigin: true, topOrigin: 'https://example.com' }))).toBe(
      '{"type":"webauthn.get","challenge":"AAAA","origin":"https://example.org","crossOrigin":true,"topOrigin":"https://example.com"}',
    )
  })

  it('escapes quotes, backslashes and controls as WebAuthn does, and nothing else', () => {
    expect(text({ origin: 'a"b\\c\n\u007f/ü' })).toBe('{"origin":"a\\"b\\\\c\\u000a\u007f/ü"}')
  })

  it('leaves out what is undefined and writes other types as JSON', () => {
    expect(text({ type: undefined, challenge: 7, origin: null, crossOrigin: 'false' })).toBe(
      '{"challenge":7,"origin":null,"crossOrigin":"false"}',
    )
  })
})
