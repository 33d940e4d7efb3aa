import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import { utf8 } from '../../../src-main/core/protocol/bytes.ts'
import type { ControlClient } from '../../../src-main/sdk/client.ts'
import { signRequest } from '../../../src-main/sdk/sign-request.ts'
import { ALICE, cast, register } from '../../support/bench.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'
import { runCommand } from '../../support/run-command.ts'
import { secretsIn } from '../../support/secrets-in.ts'
import { taken } from '../../support/taken.ts'
import { folderOfFile } from '../../support/temporary-folder.ts'

const bench = benchOfFile()

const folder = folderOfFile()
let workspaces = 0

/** A workspace of its own, in which Alice is registered and Bob has refused. */
const crowded = async () => {
  workspaces += 1
  const { id } = await bench.client.call('workspaces.create', { body: { id: `crowd-${workspaces}` } })
  const client = bench.client.workspace(id)
  const { rp, phone } = await cast(client)
  await register(client, { rp, phone })
  const bob = { name: 'Bob', account: { name: 'Bob', phone: '13900000000' } }
  const { id: other } = await client.call('phones.create', { body: bob })
  const asked = { user_id: 'u-2', username: 'bob', poll: false }
  const { url } = await client.call('simulator.register', { params: { rp }, body: asked })
  await client.call('phones.scan', { params: { id: other }, body: { url } })
  await client.call('phones.reject', { params: { id: other }, body: {} })
  return { client, rp, phone }
}

const signIn = async (client: ControlClient, rp: string, phone: string) => {
  const body = { ...ALICE, method: 'qrcode', poll: false } as const
  const { msg_id, url } = await client.call('simulator.sign-in', { params: { rp }, body })
  await client.call('phones.scan', { params: { id: phone }, body: { url } })
  return msg_id
}

const approved = async (client: ControlClient, rp: string, phone: string) => {
  const msg_id = await signIn(client, rp, phone)
  await client.call('phones.approve', { params: { id: phone }, body: {} })
  await client.call('simulator.poll', { params: { rp, msg_id } })
  return msg_id
}

/** What `handset run` says of a file with this report. */
const repeated = async (markdown: string, name = 'report.md') => {
  const file = join(folder, name)
  writeFileSync(file, markdown)
  return runCommand(['run', file])
}

const reportOf = (client: ControlClient, msg_id: string) => client.call('events.agent-report', { query: { msg_id } })

it('handset run repeats from the report alone: a fault of a phone, at the same step', async () => {
  const { client, rp, phone } = await crowded()
  await client.call('phones.arm', { params: { id: phone }, body: { fault: 'origin-wrong' } })
  const { markdown, file, repeats } = await reportOf(client, await approved(client, rp, phone))
  expect({ file, repeats }).toEqual({ file: 'authentication-of-alice-origin-mismatch.report.md', repeats: true })
  expect(markdown).toMatch(/^# ✗ `origin_mismatch`: authentication of `alice` by QR code\n/)
  expect(markdown).toContain('- step 7.2.12')
  expect(markdown).toContain('  - received `"https://phishing.example"`')
  expect(markdown).not.toMatch(/\bbob\b/)
  expect(await repeated(markdown)).toMatchObject({ code: 0, errors: [] })
  // The twin: without the fault it does not come about.
  const honest = markdown.replace(/^ {2}- arm: .*\n/m, '')
  expect(await repeated(honest)).toMatchObject({ code: 1 })
})

it('handset run repeats from the report alone: a fault of a phone that strikes by chance, which is certain in the report', async () => {
  const { client, rp, phone } = await crowded()
  await client.call('phones.arm', { params: { id: phone }, body: { fault: 'origin-wrong', probability: 0.999999 } })
  await client.call('phones.arm', { params: { id: phone }, body: { fault: 'challenge-wrong', probability: 0.000001 } })
  const { markdown } = await reportOf(client, await approved(client, rp, phone))
  expect(markdown).not.toMatch(/probability|challenge-wrong/)
  expect(await repeated(markdown)).toMatchObject({ code: 0 })
})

it('handset run repeats from the report alone: a fault of the service', async () => {
  const { client, rp, phone } = await crowded()
  await client.call('service.arm', { body: { fault: 'user-of-another' } })
  const { markdown } = await reportOf(client, await approved(client, rp, phone))
  expect(markdown).toContain('user-of-another')
  expect(await repeated(markdown)).toMatchObject({ code: 0 })
  expect(await repeated(markdown.replace(/^ {2}- arm_service: .*\n/m, ''))).toMatchObject({ code: 1 })
})

it('handset run repeats from the report alone: a request whose signature was wrong, in each way that a signature is refused', async () => {
  const { client, rp } = await crowded()
  const { addresses } = await client.call('overview')
  const [key] = (await client.call('keys.list', { params: { rp } })).keys
  const url = new URL(`${addresses.base_url}/rp/attestation/options`)
  const sign = (time: number, accessKeyId = key?.id ?? '') =>
    taken(
      signRequest(
        { method: 'POST', host: url.host, target: url.pathname, body: utf8('{"honest":1}') },
        { accessKeyId, secretKey: 'not the secret of this key' },
        time,
      ),
    ).headers.filter(([name]) => name !== 'Host')
  const wrong: readonly (readonly [number, Record<string, string>])[] = [
    [40101, {}],
    [40102, { authorization: 'SVC-HMAC-SHA256 nonsense' }],
    [40103, Object.fromEntries(sign(Date.now(), 'ak_nobody'))],
    [40104, Object.fromEntries(sign(Date.now()))],
    [40106, Object.fromEntries(sign(Date.now() - 3_600_000))],
  ]
  for (const [refused, headers] of wrong) {
    const body = JSON.stringify({ user_id: `\${rp.id}`, username: "o'hara" })
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
    const { last_seq: seq } = await client.call('events.list', { query: { limit: 1, latest: true } })
    const { markdown } = await client.call('events.agent-report', { query: { seq } })
    expect(markdown).toMatch(new RegExp(`^# ✗ ${refused} `))
    expect(await repeated(markdown)).toMatchObject({ code: 0, errors: [] })
    const honest = markdown.replace(/signing: \w+/, 'signing: anew')
    expect(await repeated(honest)).toMatchObject({ code: 1 })
  }
})

it('no secret is in a report of keys, tokens and devices, nor where the service refused them', async () => {
  const { client, rp, phone } = await crowded()
  const exported = await client.call('workspace.export')
  const { markdown } = await reportOf(client, await approved(client, rp, phone))
  const whole = (await client.call('events.agent-report', { query: {} })).markdown
  const canaries = secretsIn(exported)
  expect(canaries.length).toBeGreaterThan(2)
  for (const canary of [...canaries, bench.bench.token]) {
    expect(markdown).not.toContain(canary)
    expect(whole).not.toContain(canary)
  }
})

const scenario = 'name: x\nsteps:\n  - mark: { as: here }\n'
const fenced = (yaml: string, info = 'yaml handset-scenario seed=1') => `# Report\n\n\`\`\`${info}\n${yaml}\`\`\`\n`

test.each([
  ['says nothing of Handset', '# Groceries\n\n```yaml\nname: x\n```\n', 'this Markdown has no scenario'],
  ['was cut off', fenced(scenario).slice(0, -5), 'line 3, column 1: the scenario that begins here has no end'],
  ['has two scenarios', fenced(scenario) + fenced(scenario), 'line 10, column 1: a second scenario'],
  ['has no seed', fenced(scenario, 'yaml handset-scenario seed=x'), 'expected seed=NUMBER'],
  ['has a broken step', fenced(scenario.replace('mark', 'marc')), 'line 6, column'],
  [
    'would start a program',
    fenced(`${scenario}  - exec: { program: rm }\n`),
    'line 7, column 1: a report cannot hold the step "exec"',
  ],
  ['would read another file', fenced(`${scenario}  - include: other.yaml\n`), 'other.yaml cannot be included here'],
  ['is too large', 'x'.repeat(5 * 1024 * 1024), 'expected at most'],
  ['is empty', '', 'this Markdown has no scenario'],
])('a file that is no whole report: %s', async (_, markdown, said) => {
  const { code, errors } = await repeated(markdown)
  expect(code).toBe(2)
  expect(errors.join('\n')).toContain(said)
})

it('a file that is no whole report may have gone through an editor of Windows, under another name', async () => {
  const markdown = `\uFEFF${fenced(scenario)}`.replaceAll('\n', '\r\n')
  expect(await repeated(markdown, 'Bug 1.MD')).toMatchObject({ code: 0, errors: [] })
})
