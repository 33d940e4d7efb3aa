import { createHash } from 'node:crypto'
import aws4 from 'aws4'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalRequest, type HeaderPair } from '../../../src-main/core/protocol/canonical-request.ts'

/**
 * npm's aws4 makes the same canonical request by code of its own. Left out of the generated requests is what it
 * does otherwise on purpose: `+` as a space, empty parameter names, dot segments and repeated slashes in paths.
 */
const text = fc.string({ unit: fc.constantFrom(..."abzAZ019-._~ !*'()&=%/?:@$,;é漢€"), maxLength: 8 })
const name = text.filter((value) => value !== '' && value !== '__proto__')
const encode = (value: string): string => encodeURIComponent(value)
/** Octets as Node gives them: UTF-8, one character for each. */
const octets = (value: string): string => Buffer.from(value, 'utf8').toString('latin1')

const query = fc.array(fc.tuple(name, fc.option(text, { nil: undefined })), { maxLength: 6 })
const segments = fc.array(fc.stringMatching(/^[a-zA-Z0-9_~-]{1,6}$/), { minLength: 1, maxLength: 4 })
const headerValue = fc.string({ unit: fc.constantFrom(...'ab1 ,;='), maxLength: 12 })
const headers = fc.dictionary(fc.stringMatching(/^x-[a-z]{1,6}$/), headerValue, { maxKeys: 4 })

const request = fc.record({ method: fc.constantFrom('GET', 'POST', 'DELETE'), segments, query, headers, body: text })

describe('the canonical request', () => {
  it('is the same as aws4 makes it', () => {
    fc.assert(
      fc.property(request, (generated) => {
        const queryText = generated.query
          .map(([key, value]) => (value === undefined ? encode(key) : `${encode(key)}=${encode(value)}`))
          .join('&')
        const path = `/${generated.segments.join('/')}`
        const all = { ...generated.headers, host: 'localhost:7420', 'x-amz-date': '20260101T000000Z' }
        const signer = new aws4.RequestSigner(
          {
            host: 'localhost:7420',
            method: generated.method,
            path: queryText === '' ? path : `${path}?${queryText}`,
            headers: { ...all },
            body: generated.body,
            service: 'service',
            region: 'here',
            extraHeadersToInclude: {},
            doNotModifyHeaders: true,
          } as ConstructorParameters<typeof aws4.RequestSigner>[0],
          { accessKeyId: 'a', secretAccessKey: 'b' },
        ) as unknown as { canonicalString(): string; signedHeaders(): string }
        const theirs = signer.canonicalString()
        const mine = canonicalRequest(
          {
            method: generated.method,
            path,
            query: queryText,
            headers: Object.entries(all).map(([key, value]): HeaderPair => [key.toUpperCase(), octets(value)]),
            signedHeaders: signer.signedHeaders().split(';'),
            payloadHash: createHash('sha256').update(generated.body, 'utf8').digest('hex'),
          },
          'as-sent',
        )
        expect(mine).toEqual({ ok: true, value: theirs })
      }),
      { seed: 20_260_101, numRuns: 500 },
    )
  })
})
