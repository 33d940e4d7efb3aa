import { expect, test } from 'vitest'
import { eventMatches, findMatchProblem } from '../../../src-main/bench/control/handlers/event-handlers.ts'
import { cast, register, startTestBench } from '../../support/bench.ts'

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

test.each([
  [{ kind: 'mesage' }, 'match.kind'],
  [{ kind: 7 }, 'match.kind'],
  [{ kind: null }, 'match.kind'],
  [{ kind: 'message', too: 'success' }, 'match.too'],
  [{ kind: 'message', change: 'pushed' }, 'match.change'],
  [{ kind: 'phone', change: 'pushd' }, 'match.change'],
  [{ too: 'success' }, 'match.too'],
  [{ kind: 'message', constructor: 'x' }, 'match.constructor'],
  [{ kind: 'message', to: 'sucess' }, 'match.to'],
  [{ to: 'sucess' }, 'match.to'],
  [{ kind: 'message', to: null }, 'match.to'],
  [{ kind: 'message', to: ['success'] }, 'match.to'],
  [{ kind: 'message', expires_at: '1790000000000' }, 'match.expires_at'],
  [{ kind: 'message', user_id: 1 }, 'match.user_id'],
  [{ kind: 'exchange', response: { code: '0' } }, 'match.response.code'],
  [{ kind: 'exchange', response: { cod: 0 } }, 'match.response.cod'],
  [{ kind: 'exchange', response: 200 }, 'match.response'],
  [{ kind: 'verdict', accepted: 'yes' }, 'match.accepted'],
  [{ kind: 'message', actor: { kind: 'fone' } }, 'match.actor.kind'],
  [{ kind: 'setting', subject: 'weather' }, 'match.subject'],
  [{ kind: 'phone', phone: { netwrk: 'offline' } }, 'match.phone.netwrk'],
  [{ kind: 'phone', phone: { network: 'on' } }, 'match.phone.network'],
  [{ kind: 'verdict', steps: [{ outcome: 'good' }] }, 'match.steps[0].outcome'],
  [{ change: 'pushed', to: 'success' }, 'match'],
  [{ kind: 'message', from: 'success' }, 'match.from'],
  [{ kind: 'message', from: 'init', to: 'success' }, 'match.to'],
  [{ kind: 'delivery', state: 'bind' }, 'match.state'],
  [{ kind: 'phone', word: 'ofline' }, 'match.word'],
  [{ kind: 'phone', struck: { faults: ['bad-chalenge'] } }, 'match.struck.faults[0]'],
  [{ kind: 'exchange', faults: [{ fault: 'user-of-anotherr' }] }, 'match.faults[0].fault'],
  [{ kind: 'verdict', failure: { word: 'orign_mismatch' } }, 'match.failure.word'],
])('%j matches no event that there can be', (match, parameter) => {
  expect(findMatchProblem(match)).toMatchObject({ name: 'invalid_parameter', data: { parameter } })
})

test.each([
  {},
  { to: 'success' },
  { kind: 'message', to: 'success', actor: { kind: 'phone' } },
  { kind: 'phone', change: 'pushed' },
  { kind: 'phone', phone: { network: 'offline' } },
  { kind: 'setting', change: 'anything' },
  { kind: 'exchange', response: { code: 40104 } },
  { change: 'pushed' },
  { kind: 'message', from: 'bind', to: 'success' },
  { kind: 'message', error: 'a_word_of_another_phone' },
  { kind: 'verdict', failure: { word: 'origin_mismatch' } },
])('%j can match', (match) => {
  expect(findMatchProblem(match)).toBeUndefined()
})

test('every event that was recorded can be waited for as it stands', async () => {
  const bench = await startTestBench()
  await register(bench.client, await cast(bench.client))
  await bench.client.call('clock.advance', { body: { ms: 1 } })
  const { events } = await bench.client.call('events.list')
  await bench.close()
  expect(new Set(events.map(({ kind }) => kind)).size).toBeGreaterThan(6)
  expect(events.flatMap((event) => findMatchProblem({ ...event }) ?? [])).toEqual([])
})
