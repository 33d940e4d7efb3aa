import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { silent } from '../../src-main/protocol/log.ts'
import { takeBenchPlace } from '../../src-main/service/shared/bench-place.ts'

/** No process has so high a number. */
const NOBODY = 2 ** 30

test('a bench in another container is not taken for one that has ended, though its machine has the same name', async () => {
  let seen = 0
  const released: string[] = []
  const bench = {
    id: 'own',
    take: async () => ({ id: 'other', host: `${hostname()} of another container`, pid: NOBODY, seen: String(++seen) }),
    release: async (id: string) => void released.push(id),
  }
  const place = await takeBenchPlace({ shared: { bench }, shown: 'here', log: silent, lost: () => undefined })
  expect(place).toEqual({
    ok: false,
    error: { code: 'bench_place_taken', params: { shown: 'here', pid: NOBODY, host: hostname() } },
  })
  expect(released).toEqual([])
})
