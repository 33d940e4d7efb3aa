import { expect, test } from 'vitest'
import { SERVICE_FAULT_NAMES } from '../../src-main/contract/service-faults.ts'
import { fallen, walked } from '../suite/walked.ts'

test('a careful RP holds under every fault of the service, and a careless one falls for each as the table says', async () => {
  const careful = await walked('careful')
  expect(careful.filter(({ verdict }) => verdict !== 'held')).toEqual([])
  const careless = await walked('careless')
  const told = Object.fromEntries(careless.map(({ fault, verdict }) => [fault, verdict]))
  expect(told).toEqual(Object.fromEntries(SERVICE_FAULT_NAMES.map((fault) => [fault, fallen(fault)])))
}, 900_000)
