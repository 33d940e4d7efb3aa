import { once } from 'node:events'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { pinCertificate } from '../../../src-main/bench/tls/tls-identity.ts'
import { createTrustStore } from '../../../src-main/bench/tls/trust-store.ts'
import { main } from '../../../src-main/cli/main.ts'
import { createControlClient } from '../../../src-main/sdk/client.ts'
import { createFetch, createTrustingFetch } from '../../../src-main/sdk/fetch-trusting.ts'
import { cast, codeOf, register, startTestBench } from '../../support/bench.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { certificateFor } from '../../support/tls.ts'

const secureBench = async (options: Parameters<typeof startTestBench>[0] = {}) => {
  const started = await startTestBench({ tls: 'generated', ...options })
  const { bench } = started
  const ca = bench.authority ?? ''
  const trusted = createTrustingFetch(ca)
  return {
    ...started,
    ca,
    trusted,
    client: createControlClient({ controlUrl: bench.controlUrl, token: bench.token, fetch: trusted }),
  }
}
type SecureBench = Awaited<ReturnType<typeof secureBench>>

const open = async (options?: Parameters<typeof startTestBench>[0]): Promise<SecureBench> => {
  const bench = await secureBench(options)
  onTestFinished(() => bench.close())
  return bench
}

test('[cli.tls] every address says https, and what phones and RPs do goes over it', async () => {
  const { bench, client } = await open()
  for (const address of [bench.baseUrl, bench.appUrl, bench.controlUrl, bench.uiUrl, bench.invite()]) {
    expect(new URL(address).protocol).toBe('https:')
  }
  expect(bench.rp?.origins).toEqual([new URL(bench.uiUrl).origin])
  const result = await register(client, await cast(client))
  expect(result).toMatchObject({ status: 'success' })
})

test('[cli.tls] the page’s guard knows its own origin by its scheme', async () => {
  const { bench, client, trusted } = await open()
  const asked = (origin: string) => trusted(`${client.controlUrl}/openapi.json`, { headers: { origin } })
  const { origin } = new URL(bench.uiUrl)
  expect((await asked(origin)).status).toBe(200)
  expect((await asked(origin.replace('https', 'http'))).status).toBe(403)
})

test('[cli.tls] the authority can be fetched as PEM and as PKCS12, without a token', async () => {
  const { ca, client, trusted } = await open()
  const at = (file: string) => trusted(`${client.controlUrl}/tls/${file}`)
  expect(await (await at('ca.pem')).text()).toBe(ca)
  expect(Buffer.from(await (await at('ca.p12')).arrayBuffer())).toEqual(Buffer.from(createTrustStore(ca)))
})

test('[cli.tls] a bench that has no authority has no such files', async () => {
  const plain = await startTestBench()
  onTestFinished(() => plain.close())
  for (const file of ['ca.pem', 'ca.p12']) {
    const answer = await fetch(`${plain.bench.controlUrl}/tls/${file}`)
    expect((await answer.json()).code).toBe(40401)
  }
})

test('[cli.tls] a data directory keeps its authority, for its owner alone, and `handset open` finds the bench', async () => {
  const data = temporaryFolder()
  const first = await secureBench({ data })
  const lines: string[] = []
  const note = (text: string): void => void lines.push(text)
  const terminal = { out: note, error: note, color: false, width: 100 }
  const stop = new AbortController().signal
  const code = await main(['open', '--print', '--data', data], {
    ...{ terminal, version: '0', root: data, env: {}, platform: 'linux' as const, stop },
  })
  expect({ code, lines }).toEqual({ code: 0, lines: [expect.stringContaining(`${first.bench.uiUrl}#code=`)] })
  await first.close()
  const files = ['ca.pem', 'ca-key.pem'].map((name) => join(data, 'tls', name))
  if (process.platform !== 'win32') {
    expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600])
    expect(statSync(join(data, 'tls')).mode & 0o777).toBe(0o700)
  }
  const second = await open({ data })
  expect(second.ca).toBe(first.ca)
  expect(readFileSync(files[0] ?? '', 'utf8')).toBe(first.ca)
})

test('[cli.tls] an authority that does not fit its key is told and not replaced', async () => {
  const data = temporaryFolder()
  await (await secureBench({ data })).close()
  const file = join(data, 'tls/ca-key.pem')
  const other = certificateFor().authority.key
  writeFileSync(file, other)
  await expect(secureBench({ data })).rejects.toThrow(file)
  expect(readFileSync(file, 'utf8')).toBe(other)
  rmSync(join(data, 'tls'), { recursive: true })
  await open({ data })
})

test('[cli.tls] with a certificate that was given, phones need no name that is in it', async () => {
  const { authority, server } = certificateFor(['bench.example'])
  const { bench } = await startTestBench({ tls: server, allowHosts: ['bench.example'] })
  onTestFinished(() => bench.close())
  expect(bench.authority).toBeUndefined()
  const { controlUrl, token } = bench
  const careful = createControlClient({ controlUrl, token, fetch: createTrustingFetch(authority.certificate) })
  await expect(careful.call('bench.info')).rejects.toThrow('fetch failed')
  const pinned = createFetch(new Agent(pinCertificate(server.certificate)))
  const client = createControlClient({ controlUrl, token, fetch: pinned })
  expect(await codeOf(client.call('bench.info'))).toBe(0)
  expect(await register(client, await cast(client))).toMatchObject({ status: 'success' })
})

test('[http.healthz] a container’s watcher asks without a token, under any name, and learns nothing else', async () => {
  const { bench } = await startTestBench()
  onTestFinished(() => bench.close())
  const sent = request({ host: '127.0.0.1', port: bench.port, path: '/healthz', headers: { host: 'anything.example' } })
  const [answer] = await once(sent.end(), 'response')
  expect(answer.statusCode).toBe(200)
  expect(String((await answer.toArray()).join(''))).toBe('ok\n')
})
