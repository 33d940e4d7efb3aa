import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Conditions } from '../../src-main/contract/conditions.ts'
import { createSettings, type Settings } from '../../src-main/service/settings/settings.ts'
import { openSqlite } from '../../src-main/service/store/sqlite/open-sqlite.ts'
import { sqliteStore } from '../../src-main/service/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src-main/service/store/store.ts'

let store: Store
let settings: Settings
beforeEach(() => {
  const opened = openSqlite(':memory:')
  if (!opened.ok) throw new Error(opened.error.code)
  store = sqliteStore(opened.value)
  settings = createSettings(store)
})
afterEach(() => store.close())

const withNext = (fail_next: number) => (before: Conditions) => ({ ...before, rp: { ...before.rp, fail_next } })
const lower = ({ rp, ...rest }: Conditions): Conditions | undefined =>
  rp.fail_next > 0 ? { ...rest, rp: { ...rp, fail_next: rp.fail_next - 1 } } : undefined

describe('a counter of the conditions', () => {
  test('that goes down while a change is stored does not come back with the change', async () => {
    await settings.changeConditions('main', withNext(2))
    const changed = settings.changeConditions('main', (before) => ({
      ...before,
      app: { ...before.app, latency_ms: 5 },
    }))
    // The change is on its way to the disk from here on.
    await Promise.resolve()
    expect(await Promise.all([settings.countDown('main', lower), settings.countDown('main', lower)])).toEqual([
      true,
      true,
    ])
    const after = { rp: { fail_next: 0 }, app: { latency_ms: 5 } }
    expect(await changed).toMatchObject(after)
    expect(settings.conditions('main')).toMatchObject(after)
    expect(await store.settings.get('main', 'conditions')).toMatchObject(after)
  })

  test('counts each call once', async () => {
    await settings.changeConditions('main', withNext(1))
    expect(await Promise.all([settings.countDown('main', lower), settings.countDown('main', lower)])).toEqual([
      true,
      false,
    ])
    expect(settings.conditions('main').rp.fail_next).toBe(0)
  })
})
