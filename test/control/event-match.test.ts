import { expect, test } from 'vitest'
import { eventMatches } from '../../src-main/control/handlers/event-match.ts'

const event = { kind: 'exchange', response: { status: 200, code: 0 }, headers: [['A', 'b']], none: null }

test.each([
  [{}, true],
  [{ kind: 'exchange' }, true],
  [{ kind: 'message' }, false],
  [{ response: { code: 0 } }, true],
  [{ response: { code: 1 } }, false],
  [{ response: { code: 0, other: 1 } }, false],
  [{ headers: [['A', 'b']] }, true],
  [{ headers: [] }, false],
  [{ none: null }, true],
  [{ none: {} }, false],
  [{ kind: { length: 8 } }, false],
  [{ constructor: {} }, false],
])('%j matches: %s', (pattern, matches) => {
  expect(eventMatches(event, pattern)).toBe(matches)
})
