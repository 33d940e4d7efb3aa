import { describe, expect, test } from 'vitest'
import { checkService, notPassed } from '../support/check-service.ts'
import { newSchemaUrl, noPostgres } from '../support/postgres/postgres-url.ts'
import { noHaproxy } from '../support/postgres/start-haproxy.ts'
import { startProcesses } from '../support/postgres/start-processes.ts'

describe.skipIf(noPostgres || noHaproxy)('handset check', () => {
  test('every case passes on three processes over one database', { timeout: 120_000 }, async () => {
    const all = await startProcesses(newSchemaUrl())
    try {
      const settings = { message_ttl_s: 5 }
      await all.client.call('profile.patch', { body: settings })
      const other = await all.client.call('rps.create', {
        body: { name: 'Other', rp_id: 'other.example', origins: ['https://other.example'] },
      })
      const { key, secret } = await all.client.call('keys.create', { params: { rp: other.id }, body: {} })
      const origin = `http://localhost:${all.running.port}`
      const cases = await checkService(
        {
          ...{ baseUrl: `${origin}/fido`, appUrl: `${origin}/app` },
          key: { accessKeyId: all.rp.key.id, secretKey: all.rp.key.secret },
          otherKey: { accessKeyId: key.id, secretKey: secret },
        },
        { settings, slow: true },
      )
      expect(notPassed(cases)).toEqual([])
    } finally {
      await all.stop()
    }
  })
})
