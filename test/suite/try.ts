import { SERVICE_FAULTS } from '../../src-main/contract/service-faults.ts'
import { workspaceOf } from '../../src-main/sdk/workspace.ts'
import { httpDriver } from '../../src-main/suite/http-driver.ts'
import { walkFaults } from '../../src-main/suite/walk.ts'
import { startTestBench } from '../support/bench.ts'
import { sampleSuite } from './sample-suite.ts'

const which = process.argv[2] ?? 'careful'
const names = process.argv.slice(3)
const { bench, client, close } = await startTestBench()
const { base_url, app_url } = (await client.call('overview')).addresses
const ws = workspaceOf(
  client,
  { id: 'main', baseUrl: base_url, appUrl: app_url, token: bench.token },
  async () => undefined,
)
const rp = await ws.rp()
const mod = await import(`../support/sample-rp/${which}.mjs`)
const start = which === 'careful' ? mod.startCareful : mod.startCareless
const web = await start({ baseUrl: rp.baseUrl, accessKeyId: rp.accessKeyId, secretKey: rp.secretKey })
const t = Date.now()
const suite = sampleSuite(web.url)
const found = await walkFaults({
  workspace: ws,
  driver: httpDriver(suite),
  patienceMs: 3000,
  parallel: 8,
  prefix: 's',
  ...(names.length ? { faults: names as never } : {}),
})
for (const { fault, verdict, why } of found) {
  const want = which === 'careful' ? 'held' : SERVICE_FAULTS[fault].harm === 'admits' ? 'let_in' : 'broke'
  if (verdict !== want || names.length) console.log(verdict === want ? 'ok ' : 'BAD', fault, verdict, why)
}
console.log(found.length, Date.now() - t, 'ms')
await web.close()
await close()
process.exit()
