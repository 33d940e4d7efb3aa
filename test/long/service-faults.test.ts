import { expect, test } from 'vitest'
import { trialsOf } from '../../src-main/suite/walk.ts'
import { fallen, walked } from '../suite/walked.ts'

test('a careful RP holds under every fault of the service, and a careless one falls for each in every story of it', async () => {
  const careful = await walked('careful')
  expect(careful.filter(({ verdict }) => verdict !== 'held')).toEqual([])
  const careless = await walked('careless')
  const told = careless.map(({ fault, story, verdict }) => ({ fault, story, verdict }))
  expect(told).toEqual(trialsOf().map((trial) => ({ ...trial, verdict: fallen(trial) })))
}, 900_000)
