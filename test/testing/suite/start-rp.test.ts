import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { ok } from '../../../src-main/core/protocol/result.ts'
import { fillProgram, startRp } from '../../../src-main/testing/suite/start-rp.ts'
import { freePort } from '../../support/free-port.ts'

test('an RP that takes connections and never answers is given up in time', async () => {
  const port = await freePort()
  const silent = createServer()
  try {
    const url = `http://127.0.0.1:${port}`
    const start = async () => {
      silent.listen(port, '127.0.0.1')
      return ok({ ended: () => undefined, output: { since: () => '' } })
    }
    const around = { stop: new AbortController().signal, patienceMs: 100, start }
    const started = await startRp({ url, start: { program: 'rp' } }, around)
    expect(started).toEqual({ ok: false, error: { code: 'rp_late', params: { url, seconds: 0.1, output: '' } } })
  } finally {
    silent.close()
  }
})

test('names in braces are filled in wherever they stand', () => {
  const base_url = 'http://localhost:1/fido'
  const values = { base_url, access_key_id: 'key', secret_key: 's{base_url}', rp_id: 'localhost' }
  const args = ['--base-url', '{base_url}', '--key={access_key_id}:{secret_key}']
  expect(fillProgram({ program: '{rp_id}/run', args, env: { FIDO: '{base_url}' } }, values)).toEqual({
    program: 'localhost/run',
    args: ['--base-url', base_url, '--key=key:s{base_url}'],
    env: { FIDO: base_url },
  })
})
