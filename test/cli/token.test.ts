import { afterAll, beforeAll, expect, test } from 'vitest'
import { createControlClient } from '../../src-main/sdk/client.ts'
import { codeOf, startTestBench, type TestBench } from '../support/bench.ts'
import { runCommand } from '../support/run-command.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
  for (const id of ['ci', 'other']) await bench.client.call('workspaces.create', { body: { id } })
})
afterAll(() => bench.close())

const token = (args: readonly string[], secret = bench.bench.token) =>
  runCommand(['token', ...args], { ...bench.bench, token: secret })

test('[cli.token] new prints the token alone, list names it without its secret, revoke ends it', async () => {
  const made = await token([
    'new',
    '--workspace',
    'ci,other',
    '--name',
    'nightly',
    '--may-open',
    '2',
    '--most-phones',
    '5',
  ])
  expect({ code: made.code, errors: made.errors }).toEqual({ code: 0, errors: [] })
  const client = createControlClient({ controlUrl: bench.bench.controlUrl, token: made.out })
  expect((await client.call('workspaces.list')).workspaces.map(({ id }) => id)).toEqual(['ci', 'other'])
  const [id = '', hidden = ''] = made.out.split('.')
  const listed = await token(['list'])
  expect(listed.out).toContain(id)
  expect(listed.out).toContain('nightly')
  expect(listed.out).not.toContain(hidden)
  const { tokens } = JSON.parse((await token(['list', '--json'])).out)
  expect(tokens).toMatchObject([
    { id, workspaces: ['ci', 'other'], may_open: 2, quota: { phones: 5 }, reveal_secrets: false },
  ])
  expect((await token(['list'], made.out)).code).toBe(1)
  expect((await token(['revoke', id])).code).toBe(0)
  expect(await codeOf(client.call('bench.info'))).toBe(40111)
  expect((await token(['revoke', id])).code).toBe(1)
})

test.for([
  { args: ['make'] },
  { args: ['revoke'] },
  { args: ['list', 'tok_1'] },
  { args: ['new', '--may-open', 'many'] },
  { args: ['new', '--workspace', 'Not An Id'] },
])('[cli.token] $args is refused with one line and exit code 2', async ({ args }) => {
  const { code, errors } = await token(args)
  expect({ code, lines: errors.length }).toEqual({ code: 2, lines: 1 })
  expect(errors[0]).not.toContain('\n')
})
