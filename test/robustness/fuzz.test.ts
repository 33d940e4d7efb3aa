import { expect, test } from 'vitest'
import { fuzz } from './fuzzer.ts'

const MEGABYTE = 2 ** 20

// `npm run fuzz` sends 20,000.
test('500 requests that are nearly right: no 500, no silence, no end, and the memory comes back', {
  timeout: 300_000,
}, async () => {
  const { problems, codes, heapBytes } = await fuzz({ requests: 500, seed: 20_000 })
  expect(problems).toEqual([])
  expect(heapBytes.end - heapBytes.warm).toBeLessThan(8 * MEGABYTE)
  // They went everywhere: past the signature, into the judge, and to most refusals that there are.
  expect(Object.keys(codes).length).toBeGreaterThan(20)
  expect(codes[0]).toBeGreaterThan(25)
})
