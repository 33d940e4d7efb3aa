import { expect, test } from 'vitest'
import { traceIdOf } from '../../src-main/http/trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const idOf = (value: string) => traceIdOf([['Traceparent', value]])

test('the trace id is read from a header of version 00, and of a later version with more in it', () => {
  expect(idOf(`00-${TRACE}-${PARENT}-01`)).toBe(TRACE)
  expect(idOf(`01-${TRACE}-${PARENT}-00`)).toBe(TRACE)
  expect(idOf(`01-${TRACE}-${PARENT}-01-more`)).toBe(TRACE)
  expect(traceIdOf([])).toBe(undefined)
})

test.for([
  `00-${TRACE}-${PARENT}-01-more`,
  `ff-${TRACE}-${PARENT}-01`,
  `00-${'0'.repeat(32)}-${PARENT}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}`,
  `00-${TRACE}-${PARENT}-1`,
  `${TRACE}`,
  '',
  `00-${TRACE}\n-${PARENT}-01`,
])('%j is none', (value) => {
  expect(idOf(value)).toBe(undefined)
})
