import { expect, it } from 'vitest'
import { FAULT_TOPICS, type FaultTopic, topicsOf } from '../../../src-main/core/contract/fault-advice.ts'
import { FAULT_NAMES } from '../../../src-main/core/contract/faults.ts'
import { SERVICE_FAULT_NAMES } from '../../../src-main/core/contract/service-faults.ts'

const ALL = [...FAULT_NAMES, ...SERVICE_FAULT_NAMES]

it('every word that people look for leads to some faults, and to few of all', () => {
  const counts = (Object.keys(FAULT_TOPICS) as FaultTopic[]).map(
    (topic) => [topic, ALL.filter((name) => topicsOf(name).includes(topic)).length] as const,
  )
  expect(counts.filter(([, count]) => count < 2 || count > ALL.length / 3)).toEqual([])
})

it.each([
  ['timeout', 'answer-late', 'challenge-wrong'],
  ['cancel', 'rejected-after-answer', 'connection-cut'],
  ['network', 'connection-cut', 'user-of-another'],
  ['signature', 'signature-tampered', 'list-empty'],
] as const)('%s is %s, and not %s', (topic, meant, other) => {
  expect(topicsOf(meant)).toContain(topic)
  expect(topicsOf(other)).not.toContain(topic)
})
