/**
 * Packs with a stub in the place of Electron, and shows that the archive is whole: on its files alone plain Node starts the
 * service with its page, and the desktop program works in the stand-in. Run by .ci/run, on Linux.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parse } from 'yaml'
import { packagesInside } from '../../package/licences.ts'
import { PEERS } from '../../package/peers.ts'
import { CHECKS } from '../stand-in/checks.ts'
import { wrongFuses } from './fuses.ts'
import { lostLicences, missingNotices } from './licences.ts'
import { writeStubElectron } from './stub-electron.ts'

const root = join(import.meta.dirname, '../../..')
const scratch = mkdtempSync(join(tmpdir(), 'handset-packed-'))
const packed = join(scratch, 'dist')
const archive = join(packed, 'linux-unpacked/resources/app.asar')
const app = join(scratch, 'app')

const demand = (holds: boolean, what: string, seen?: unknown): void => {
  if (!holds) throw new Error(`${what}${seen === undefined ? '' : `: ${JSON.stringify(seen)}`}`)
}

const run = (program: string, args: readonly string[]): void => {
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 900_000,
  })
  demand(status === 0, `${program} ${args[0]} failed`, error?.message ?? status)
}

const pack = (): void => {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8'))
  const stub = join(scratch, 'electron')
  writeStubElectron(stub, version)
  run('npm', ['run', 'package', '--', '--dir', `-c.electronDist=${stub}`, `-c.directories.output=${packed}`])
  const { electronFuses } = parse(readFileSync(join(root, 'src-main/shell/electron-builder.yml'), 'utf8'))
  const wrong = wrongFuses(readFileSync(join(packed, 'linux-unpacked/handset')), electronFuses)
  demand(wrong.length === 0, 'these fuses are not as they were ordered', wrong)
  run(process.execPath, [join(root, '.ci/packer/node_modules/@electron/asar/bin/asar.js'), 'extract', archive, app])
}

const hasLicences = (): void => {
  const lost = lostLicences({ archive: app, source: root })
  demand(lost.length === 0, 'the licences of these packages are left out', lost)
  const notices = readFileSync(join(packed, 'linux-unpacked/resources/THIRD-PARTY-LICENCES.txt'), 'utf8')
  const missing = missingNotices(packagesInside(Object.keys(PEERS)), notices)
  demand(missing.length === 0, 'the notices of these packages are left out', missing)
}

const answer = async (url: string, type: string): Promise<string> => {
  const { status, headers, text } = await fetch(url, { signal: AbortSignal.timeout(30_000) }).then(async (each) => ({
    status: each.status,
    headers: each.headers,
    text: await each.text(),
  }))
  demand(status === 200 && headers.get('content-type')?.startsWith(type) === true, `${url} is no ${type}`, status)
  return text
}

const servesItsPage = async (): Promise<void> => {
  const child = spawn(process.execPath, ['out/main/cli.js', 'serve', '--memory', '--port', '0', '--json'], {
    cwd: app,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  try {
    const line = once(createInterface(child.stdout), 'line').then(([text]) => String(text))
    const told = await Promise.race([line, ended.then(() => '')])
    demand(told !== '', 'serve ended before it was ready')
    const { ui_url: page } = JSON.parse(told)
    const html = await answer(page, 'text/html')
    const assets = [...html.matchAll(/(?:src|href)="([^"#]+\.(?:js|css))"/g)].map(([, path = '']) => path)
    demand(assets.length >= 2, 'the page has a script and a style sheet', assets)
    for (const path of assets)
      await answer(String(new URL(path, page)), path.endsWith('.js') ? 'text/javascript' : 'text/css')
  } finally {
    child.kill('SIGTERM')
  }
  const [code] = await ended
  demand(code === 0, 'serve ends with 0', code)
}

const inTheStandIn = async (): Promise<void> => {
  const entry = join(app, 'out/main/index.js')
  await CHECKS['is sandboxed and without developer tools when packed, and takes its links behind two dashes'](entry)
}

// A program that does neither what is waited for nor ends would be waited for without end.
setTimeout(() => {
  console.error('✗ it has not come to an end within ten minutes')
  process.exit(1)
}, 600_000).unref()

try {
  for (const [title, step] of Object.entries({
    'it is packed, and its fuses are set': pack,
    'it has the licence of each package whose code is inside': hasLicences,
    'plain Node serves its page': servesItsPage,
    'the desktop program opens in the stand-in': inTheStandIn,
  })) {
    await step()
    console.log(`✓ ${title}`)
  }
} catch (reason) {
  console.error(`✗ ${reason instanceof Error ? reason.message : reason}`)
  process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
