import { expect, test } from 'vitest'
import { comparePasted } from '../../src-renderer/inspector/compare-pasted.ts'

const canonical = 'POST\n/fido/rp/attestation/options\n\nhost:localhost\n\nhost\nhash-of-the-body'
const computed = { canonical, toSign: 'HMAC\n20300101T120000Z\nscope\nhash' }
const edited = (from: string, to: string) => comparePasted(canonical.replace(from, to), computed)

test('a pasted request of which only the body is another says so, and no other does', () => {
  expect(edited('hash-of', 'another-hash-of')).toMatchObject({ isBody: true, difference: { line: 7 } })
  expect(edited('localhost', 'shop.example')).toMatchObject({ isBody: false, difference: { line: 4 } })
  expect(comparePasted(canonical, computed)).toEqual({ difference: undefined, isBody: false })
  expect(comparePasted('HMAC\n20300101T120000Z\nscope\nanother', computed).isBody).toBe(false)
})
