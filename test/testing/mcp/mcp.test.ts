import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { findRoot } from '../../../src-main/cli/root.ts'
import { createRpClient, type RpClient } from '../../../src-main/sdk/rp-client.ts'
import { qrPicture } from '../../../src-main/testing/scenario/qr-picture.ts'
import { ALICE, startTestBench, type TestBench } from '../../support/bench.ts'
import { encodePng } from '../../support/camera/encode-png.ts'
import { REGISTERS } from '../../support/many-scenarios.ts'
import { taken } from '../../support/taken.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const root = findRoot(import.meta.dirname)
const program = [join(root, 'src-main/bin.mjs'), 'mcp']

/** Nothing of this user's, so that no bench of theirs is found. */
const clean = (folder: string): Record<string, string> => {
  const { PATH = '', NODE_COMPILE_CACHE: compiled } = process.env
  const own = { PATH, HOME: folder, XDG_DATA_HOME: folder, NODE_NO_WARNINGS: '1' }
  return compiled === undefined ? own : { ...own, NODE_COMPILE_CACHE: compiled }
}

/** A client from npm, as an assistant would start the program. */
const start = async (env: Record<string, string> = {}, args: readonly string[] = []) => {
  const folder = temporaryFolder()
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...program, ...args],
    cwd: folder,
    env: { ...clean(folder), ...env },
    stderr: 'pipe',
  })
  let errors = ''
  transport.stderr?.on('data', (part) => {
    errors += part
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const heard: string[] = []
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const answer = await client.callTool({ name, arguments: input })
    const text = (answer.content as readonly { readonly text: string }[]).map((part) => part.text).join('\n')
    heard.push(text)
    return { text, isError: answer.isError === true }
  }
  return { client, call, heard, folder, errors: () => errors }
}

/** On a bench that runs already. */
const attached = async (...args: readonly string[]) => {
  const bench = await startTestBench()
  onTestFinished(bench.close)
  const { controlUrl, token } = bench.bench
  return { ...(await start({ HANDSET_CONTROL_URL: controlUrl, HANDSET_TOKEN: token }, args)), bench }
}

/** An unknown site: only what it says over signed HTTP. */
const siteAt = ({ bench }: TestBench): RpClient => {
  const { rp, baseUrl } = bench
  if (rp === undefined) throw new Error('there is no RP')
  const site = createRpClient({ baseUrl, accessKeyId: rp.accessKeyId, secretKey: rp.secretKey, now: Date.now })
  onTestFinished(site.close)
  return site
}

const registered = async (site: RpClient, call: Awaited<ReturnType<typeof start>>['call']): Promise<void> => {
  const message = taken(await site.register(ALICE))
  expect((await call('scan', { url: message.url })).text).toContain('register "alice" at Demo RP')
  expect((await call('approve')).text).toContain('done')
  expect(taken(await site.registrationResult(message.msg_id)).status).toBe('success')
}

test('an unknown site registers and signs a user in by QR code and by push, by tool calls alone', async () => {
  const { bench, call } = await attached()
  const site = siteAt(bench)
  await registered(site, call)

  const byCode = taken(await site.authenticate({ ...ALICE, method: 'qrcode' }))
  expect((await call('scan', { url: byCode.url })).text).toContain('sign in "alice"')
  await call('approve')
  expect(taken(await site.authenticationResult(byCode.msg_id))).toMatchObject({ status: 'success', user_id: 'u-1' })

  const waiting = call('wait_for_push', { timeout_s: 30 })
  const byPush = taken(await site.authenticate({ ...ALICE, method: 'push' }))
  expect((await waiting).text).toContain(byPush.msg_id)
  await call('approve')
  expect(taken(await site.authenticationResult(byPush.msg_id)).status).toBe('success')

  const later = taken(await site.authenticate({ ...ALICE, method: 'push' }))
  expect((await call('wait_for_push')).text).toContain(later.msg_id)
  expect((await call('refuse', { reason: 'not_me' })).text).toContain('said no')
  expect(taken(await site.authenticationResult(later.msg_id))).toMatchObject({ status: 'fail' })
})

test('a screenshot with the code of a site is scanned, from its file, its Base64 and its data URL', async () => {
  const { bench, call, folder } = await attached()
  const site = siteAt(bench)
  await registered(site, call)
  mkdirSync(join(folder, 'shots'))
  const scans = async (input: (png: Buffer) => Record<string, unknown>): Promise<void> => {
    const message = taken(await site.authenticate({ ...ALICE, method: 'qrcode' }))
    const { text } = await call('scan', input(Buffer.from(encodePng(qrPicture(message.url)))))
    expect(text).toContain(message.msg_id)
    await call('approve')
    expect(taken(await site.authenticationResult(message.msg_id)).status).toBe('success')
  }
  await scans((png) => {
    writeFileSync(join(folder, 'shots/page.png'), png)
    return { file: 'shots/page.png' }
  })
  await scans((png) => ({ image: png.toString('base64') }))
  await scans((png) => ({ image: `data:image/png;base64,${png.toString('base64')}` }))
})

test('no picture, one without a code, too large or outside the folder is refused, and nothing of the file is told', async () => {
  const { call, folder } = await attached()
  const white = { width: 64, height: 64, rgba: new Uint8Array(64 * 64 * 4).fill(255) }
  writeFileSync(join(folder, 'white.png'), encodePng(white))
  writeFileSync(join(folder, 'kept.txt'), 'secret: 77')
  writeFileSync(join(folder, 'large.png'), encodePng(white))
  truncateSync(join(folder, 'large.png'), 18_000_001)
  symlinkSync('/etc/passwd', join(folder, 'linked.png'))
  const refused: readonly (readonly [Record<string, unknown>, RegExp])[] = [
    [{ file: 'white.png' }, /no QR code/],
    [{ file: 'kept.txt' }, /PNG and JPEG/],
    [{ file: 'large.png' }, /18000001 bytes/],
    [{ file: 'linked.png' }, /outside/],
    [{ file: '../page.png' }, /outside/],
    [{ file: '/dev/zero' }, /outside/],
    [{ file: '.' }, /outside/],
    [{ file: 'nowhere.png' }, /no file nowhere\.png/],
    [{ image: 'bm8gcGljdHVyZQ==' }, /PNG and JPEG/],
    [{ url: 'x', file: 'white.png' }, /one of/],
  ]
  for (const [input, words] of refused) {
    const { text, isError } = await call('scan', input)
    expect({ input, isError, text }).toEqual({ input, isError: true, text: expect.stringMatching(words) })
    expect(text).not.toMatch(/root:|77|secret/)
  }
})

test('a refused signature is explained by a tool call', async () => {
  const { bench, call } = await attached()
  const { rp, baseUrl } = bench.bench
  const wrong = createRpClient({
    ...{ baseUrl, accessKeyId: rp?.accessKeyId ?? '', secretKey: `${rp?.secretKey} `, now: Date.now },
  })
  onTestFinished(wrong.close)
  await wrong.credentials('u-1')
  const { text } = await call('explain')
  expect(text).toContain('40104 signature_mismatch')
  expect(text).toMatch(/space|secret/i)
  expect(text).toContain(bench.bench.uiUrl)
})

test('a fault of the phone fails the next ceremony, and explain says at which step; one of the service lies', async () => {
  const { bench, call } = await attached()
  const site = siteAt(bench)
  await registered(site, call)
  expect((await call('break', { fault: 'challenge-wrong' })).text).toBe('Phone will commit challenge-wrong 1 time(s).')
  const message = taken(await site.authenticate({ ...ALICE, method: 'qrcode' }))
  await call('scan', { url: message.url })
  expect((await call('approve')).text).toContain('refused')
  expect((await call('explain', { msg_id: message.msg_id })).text).toContain('Step 7.2.11')

  await call('break', { fault: 'list-empty' })
  expect(taken(await site.credentials(ALICE.user_id)).total).toBe(0)
  expect(taken(await site.credentials(ALICE.user_id)).total).toBe(1)
  expect((await call('reset')).text).toContain('empty')
  expect(taken(await site.credentials(ALICE.user_id)).total).toBe(0)
})

test('a scenario is played from its text or its file, and a failed step is named', async () => {
  const { call, folder } = await attached()
  expect((await call('run', { yaml: REGISTERS })).text).toMatch(/^passed: Registers, \d+ steps/)
  writeFileSync(join(folder, 'refused.yaml'), REGISTERS.replace('approve', 'reject'))
  expect((await call('run', { file: 'refused.yaml' })).text).toMatch(/^failed: Registers, line 8, .*expected/)
})

const TOUCHES = (file: string) =>
  `name: Touches\nsteps:\n  - exec: { program: node, args: ['-e', 'fs.writeFileSync(${JSON.stringify(file)}, "")'], ready: ended }\n`

test('a scenario reads files below the folder it was started in alone, quotes none, and starts a program only where that was allowed', async () => {
  const { call, folder } = await attached()
  writeFileSync(join(folder, 'kept.yaml'), 'secret: 77')
  symlinkSync('/etc/passwd', join(folder, 'linked.yaml'))
  for (const file of ['/etc/passwd', '/dev/zero', '../kept.yaml', 'linked.yaml', 'kept.yaml']) {
    const { text, isError } = await call('run', { file })
    expect({ file, isError }).toEqual({ file, isError: true })
    expect(text).not.toMatch(/root:|77|secret/)
  }
  const yaml = TOUCHES(join(folder, 'ran'))
  expect(await call('run', { yaml })).toMatchObject({ isError: true, text: expect.stringContaining('--allow-exec') })
  expect(existsSync(join(folder, 'ran'))).toBe(false)
  const allowed = await attached('--allow-exec')
  await allowed.call('run', { yaml })
  expect(existsSync(join(folder, 'ran'))).toBe(true)
})

const wrongCalls: readonly (readonly [string, string, Record<string, unknown>, RegExp])[] = [
  ['no argument', 'scan', {}, /"url" is missing|url/],
  ['an argument that there is not', 'approve', { finger: 'left' }, /finger/],
  ['a code of another service', 'scan', { url: 'https://example.com/#x' }, /code/i],
  ['no request on the phone', 'approve', {}, /40906|request/i],
  ['a fault that there is not', 'break', { fault: 'chalenge-wrong' }, /Did you mean challenge-wrong/],
  ['a phone that there is not', 'approve', { phone: 'Bob' }, /There is no phone "Bob"/],
  ['nothing to explain', 'explain', {}, /Nothing was refused/],
  ['neither text nor file', 'run', {}, /Give either/],
  ['a text that is no scenario', 'run', { yaml: 'a: [' }, /cannot be played/],
  ['a file that there is not', 'run', { file: 'nowhere.yaml' }, /no file/],
  ['a push that is not sent', 'wait_for_push', { timeout_s: 1 }, /No push reached/],
]

test('each wrong call is told as what to put right', async () => {
  const { call } = await attached()
  for (const [name, tool, input, words] of wrongCalls) {
    const answer = await call(tool, input).catch((reason: Error) => ({ text: reason.message, isError: true }))
    expect(answer.isError, name).toBe(true)
    expect(answer.text, name).toMatch(words)
    expect(answer.text, name).not.toContain('    at ')
  }
})

test('the list of tools costs below 3,000 tokens, and has at most eight', async () => {
  const { client } = await attached()
  const { tools } = await client.listTools()
  expect(tools).toHaveLength(8)
  // Four characters a token, as English and JSON have it.
  expect(JSON.stringify(tools).length / 4).toBeLessThan(2_000)
})

test('without a bench it starts one, and says how a site reaches it', async () => {
  const { client, call } = await start()
  const instructions = client.getInstructions() ?? ''
  const baseUrl = /base_url (\S+)\. /.exec(instructions)?.[1] ?? ''
  const [, accessKeyId = '', secretKey = ''] = /access key is (\S+), the secret (\S+),/.exec(instructions) ?? []
  const site = createRpClient({ baseUrl, accessKeyId, secretKey, now: Date.now })
  onTestFinished(site.close)
  await registered(site, call)
})

test('a limited token does, in its workspace', async () => {
  const bench = await startTestBench()
  onTestFinished(bench.close)
  const workspace = await bench.client.call('workspaces.create', { body: { id: 'team' } })
  const made = await bench.client.call('tokens.create', { body: { name: 'assistant', workspaces: [workspace.id] } })
  const env = {
    HANDSET_CONTROL_URL: `${bench.bench.controlUrl.replace('/control', '/w/team/control')}`,
    HANDSET_TOKEN: made.secret,
  }
  const { call } = await start(env)
  expect((await call('scan', { url: 'nonsense' })).isError).toBe(true)
  const { phones } = await bench.client.workspace('team').call('phones.list')
  expect(phones).toHaveLength(1)
  expect((await bench.client.call('phones.list')).phones).toHaveLength(0)
})

test('standard output has the protocol alone, no secret is told, and the end of input ends it', async () => {
  const bench = await startTestBench()
  onTestFinished(bench.close)
  const { controlUrl, token, rp } = bench.bench
  const env = { ...clean(temporaryFolder()), HANDSET_CONTROL_URL: controlUrl, HANDSET_TOKEN: token }
  const child = spawn(process.execPath, program, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  let errors = ''
  child.stdout.on('data', (part) => {
    out += part
  })
  child.stderr.on('data', (part) => {
    errors += part
  })
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  send({ id: 1, method: 'initialize', params })
  child.stdin.write('this is no protocol\n')
  send({ method: 'notifications/initialized' })
  send({ id: 2, method: 'tools/call', params: { name: 'scan', arguments: { url: 'nonsense' } } })
  send({ id: 3, method: 'tools/call', params: { name: 'wait_for_push', arguments: { timeout_s: 60 } } })
  await expect.poll(() => out).toContain('"id":2')
  const began = performance.now()
  child.stdin.end()
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(code).toBe(0)
  expect(performance.now() - began).toBeLessThan(20_000)
  for (const line of out.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  for (const secret of [token, rp?.secretKey ?? token]) expect(out + errors).not.toContain(secret)
  expect(errors).not.toContain('    at ')
})
