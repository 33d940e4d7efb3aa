import pg from 'pg'
import { expect, test } from 'vitest'
import { openStore } from '../../src-main/service/store/open-store.ts'
import type { Signal } from '../../src-main/service/store/shared-store.ts'
import { locationOf, newSchemaUrl, noPostgres } from '../support/postgres/postgres-url.ts'
import { taken } from '../support/taken.ts'

test.skipIf(noPostgres)(
  'a user who may only connect to the database ends no process with a notification, and our own go on',
  async () => {
    const database = locationOf(newSchemaUrl('&pool=2'))
    const hearing = taken(await openStore({ kind: 'postgres', database }))
    const sending = taken(await openStore({ kind: 'postgres', database }))
    const heard: Signal[] = []
    hearing.shared?.signals.listen((signal) => heard.push(signal))
    await expect.poll(() => hearing.shared?.signals.arrive()).toBe(true)
    const stranger = new pg.Client({ connectionString: database.connection })
    await stranger.connect()
    for (const said of ['hello', '', 'null', '{"from":"x"}', '{"from":"x","signals":[null,{"about":"pushes"}]}']) {
      await stranger.query('SELECT pg_notify($1, $2)', [`handset_${database.schema}`, said])
    }
    await stranger.end()
    sending.shared?.signals.send({ about: 'events' })
    await expect.poll(() => heard).toEqual([{ about: 'events' }])
    await Promise.all([hearing.close(), sending.close()])
  },
)
