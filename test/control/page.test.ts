import { expect, test } from 'vitest'
import { startTestBench } from '../support/bench.ts'

test('a request for nothing that exists has its line in the log, with the address that was asked for', async () => {
  const { bench, log, close } = await startTestBench()
  const answer = await fetch(`http://localhost:${bench.port}/fdio/rp/attestation/result?msg_id=secret`)
  await fetch(`http://localhost:${bench.port}/${'x'.repeat(5_000)}`, { method: 'POST' })
  await close()
  expect(answer.status).toBe(404)
  const line = {
    level: 'info',
    event: 'page request',
    took_us: expect.any(Number),
    request: expect.stringMatching(/^req_/),
    workspace: 'main',
  }
  expect(log.filter(({ event }) => event === 'page request')).toEqual([
    { ...line, method: 'GET', path: '/fdio/rp/attestation/result', status: 404 },
    { ...line, method: 'POST', path: `/${'x'.repeat(199)}`, status: 405 },
  ])
})
