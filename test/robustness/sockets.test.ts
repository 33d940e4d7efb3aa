import { expect, onTestFinished, test } from 'vitest'
import { startTestBench } from '../support/bench.ts'
import { callersOf } from './callers.ts'
import { KEY, openRegistration, seedData } from './cast.ts'
import { listenOn } from './listen-on.ts'
import { requestBytes, type WireRequest } from './wire.ts'

/** A bench and what it says over a socket: the codes of the answers in their order, then whether the connection ended. */
const begin = async () => {
  const { bench, close } = await startTestBench({ seed: 1, seedData })
  onTestFinished(close)
  const callers = callersOf({ port: bench.port, token: bench.token, key: KEY })
  const heard = async (octets: Uint8Array) => {
    const { answers, ended } = await listenOn(bench.port, octets)
    return [...answers.map(({ status, json }) => json?.code ?? status), ended]
  }
  return { callers, heard }
}

test('ten megabytes of spaces are not JSON where a picture may come, and too much elsewhere', async () => {
  const { callers, heard } = await begin()
  const spaces = (path: string) =>
    requestBytes({ ...callers.control('POST', path, {}), body: Buffer.alloc(10 * 2 ** 20, 32) })
  expect(await heard(spaces('/phones/p/scan'))).toEqual([40001, 'open'])
  expect(await heard(spaces('/phones'))).toEqual([41301, 'ended'])
})

test('not one of many headers is overlooked, as long as they are within the limit', async () => {
  const { callers, heard } = await begin()
  const request = callers.rp('GET', `/rp/attestation/result?msg_id=${await openRegistration(callers, 'u1')}`)
  const [authorization] = request.headers.filter(([name]) => name === 'Authorization')
  const with900 = (...last: WireRequest['headers']) =>
    requestBytes({ ...request, headers: [...request.headers, ...Array(900).fill(['A', 'b']), ...last] })
  expect(await heard(with900())).toEqual([0, 'open'])
  expect(await heard(with900(authorization ?? ['', '']))).toEqual([40102, 'open'])
})
