import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { ok } from '../../src-main/protocol/result.ts'
import { connectHandset } from '../../src-main/sdk/handset.ts'
import { startRp } from '../../src-main/suite/start-rp.ts'
import { startTestBench } from '../support/bench.ts'
import { freePort } from '../support/free-port.ts'

test('an RP that takes connections and never answers is given up in time', async () => {
  const { bench, close } = await startTestBench()
  const workspace = await connectHandset({ controlUrl: bench.controlUrl, token: bench.token })
  const port = await freePort()
  const silent = createServer()
  try {
    const started = await startRp(
      { url: `http://127.0.0.1:${port}`, start: { program: 'rp' } },
      {
        workspace,
        stop: new AbortController().signal,
        patienceMs: 100,
        start: async () => {
          silent.listen(port, '127.0.0.1')
          return ok({ ended: () => undefined, output: { since: () => '' } })
        },
      },
    )
    expect(started).toEqual({
      ok: false,
      error: { code: 'rp_late', params: { url: `http://127.0.0.1:${port}`, seconds: 0.1, output: '' } },
    })
  } finally {
    silent.close()
    await close()
  }
})
