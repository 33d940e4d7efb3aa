import { startBench } from './src-main/bench/assembly/bench.ts'
import { DEMO_RP } from './src-main/bench/control/seed-data.ts'
import { APP_OPERATIONS } from './src-main/core/contract/app/routes.ts'
import { documents } from './test/docs/documents.ts'

/** Runs in the grown copy: asks its bench and its documents, and prints what they say. */
const started = await startBench({
  port: 0,
  hosts: [],
  prefix: '/fido',
  version: '0.0.0',
  pageFolder: '/nowhere',
  seedData: { rps: [DEMO_RP], phones: [] },
  log: () => undefined,
})
if (!started.ok) throw new Error(started.error)
const { controlUrl, token, close } = started.value

const call = async (method: string, path: string, body?: object): Promise<unknown> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(controlUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return answer.json()
}

const made = (wanted: string): string => documents.find(({ path }) => path === wanted)?.text() ?? ''
const page = (name: string): string => made(`docs/${name}.md`)

console.log(
  JSON.stringify({
    good: await call('POST', '/notes', { text: 'Hello' }),
    wrong: await call('POST', '/notes', { text: 7 }),
    missing: await call('POST', '/notes', {}),
    refused: await call('POST', '/notes', { text: 'tea' }),
    setting: await call('PATCH', '/profile', { patience: 3 }),
    wrongSetting: await call('PATCH', '/profile', { patience: 10 }),
    wrongSettingOfNew: await call('POST', '/workspaces', { profile: { patience: 'much' } }),
    conditions: await call('PUT', '/conditions', { app: { fail_code: 41801, only: [APP_OPERATIONS[0]] } }),
    openApi: await call('GET', '/openapi.json'),
    errors: page('errors'),
    profile: page('profile'),
    routes: page('control-routes'),
    python: made('clients/python/src/handset/contract.py'),
    java: made('clients/java/src/main/java/local/handset/Calls.java'),
  }),
)
await close()
