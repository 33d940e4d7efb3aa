import { expect, test } from 'vitest'
import { connectHandset } from '../../../src-main/sdk/index.ts'
import { codeOf } from '../../support/bench.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'
import { pushSignIn } from '../../support/push-sign-in.ts'
import { runCommand } from '../../support/run-command.ts'
import { secretsIn } from '../../support/secrets-in.ts'

/** What is written to logs, metrics and the terminal of a whole run holds none of the secrets that the run had. */
const METRICS_TOKEN = 'metrics-token-0123456789'
const bench = benchOfFile({ metricsToken: METRICS_TOKEN })

test('[serve.log] no line of the log, no metric and no error holds a secret of the run', async () => {
  const { client, bench: door } = bench
  const handset = await connectHandset(door)
  const user = { user_id: 'u-1', username: 'alice' }
  await handset.phone({ name: 'Alice', passkeys: [{ ...user, storage: 'cloud' }] })
  await pushSignIn(door, { workspace: 'main', user })
  const rp = (await client.call('rps.list')).rps[0]?.id ?? ''
  const made = await client.call('keys.create', { params: { rp }, body: {} })
  await client.call('keys.reveal', { params: { rp, key: made.key.id }, body: {} })
  const limited = await client.call('tokens.create', { body: { workspaces: ['main'], reveal_secrets: true } })
  const invited = await client.call('session.invite')
  await fetch(`${new URL(door.baseUrl).origin}/w/main/?token=${encodeURIComponent(door.token)}`)
  const listed = await runCommand(['token', 'list'], { ...door, token: limited.secret })
  const wrong = await runCommand(['backup', '/nowhere/b'], { ...door, token: `${limited.secret}x` })
  const document = await client.call('workspace.export')
  await client.call('workspace.import', { body: document })
  expect(await codeOf(client.call('workspace.import', { body: { ...document, clock: { token: door.token } } }))).toBe(
    40002,
  )
  const metrics = await fetch(`${new URL(door.baseUrl).origin}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  })
  const told = [
    JSON.stringify(bench.log),
    ...bench.log.map((line) => Object.values(line).join(' ')),
    await metrics.text(),
    ...[listed, wrong].flatMap(({ out, errors }) => [out, ...errors]),
  ].join('\n')
  const secrets = {
    control: door.token,
    metrics: METRICS_TOKEN,
    rpKey: door.rp?.secretKey ?? '',
    newKey: made.secret,
    limited: limited.secret.split('.')[1] ?? '',
    code: invited.code,
  }
  const kept = [...new Set(secretsIn(document))].filter(({ length }) => length > 15)
  // Of the RP and of the phone.
  expect(kept.length).toBeGreaterThan(6)
  for (const [name, secret] of [...Object.entries(secrets), ...kept.map((secret) => ['kept', secret] as const)]) {
    expect(secret.length, name).toBeGreaterThan(15)
    expect(told.includes(secret), `${name} ${secret.slice(0, 6)}`).toBe(false)
  }
  expect(told).toContain('rp request')
})
