import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** npm run test:times [-- 20]: the whole of `npm test` so many times, each on a fresh copy of HEAD, until one is red. */
const ROOT = join(import.meta.dirname, '..')
type Kind = { readonly times: number; readonly busy?: true; readonly twice?: true; readonly env?: NodeJS.ProcessEnv }
const KINDS: Readonly<Record<string, Kind>> = {
  quiet: { times: 5 },
  'two busy loops': { times: 10, busy: true },
  'another npm test': { times: 2, twice: true },
  'TZ=Pacific/Chatham': { times: 1, env: { TZ: 'Pacific/Chatham' } },
  'TZ=America/St_Johns': { times: 1, env: { TZ: 'America/St_Johns' } },
  'LANG=de_DE.UTF-8': { times: 1, env: { LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' } },
}
const wanted = Object.entries(KINDS).flatMap(([name, kind]) =>
  Array.from({ length: kind.times }, () => [name, kind] as const),
)
const most = Number(process.argv[2] ?? wanted.length)
if (!Number.isSafeInteger(most) || most < 1 || most > wanted.length) {
  console.error(`npm run test:times -- N: 1 to ${wanted.length} runs.`)
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'handset-times-'))
const running = new Set<ChildProcess>()
/** Each leads its own group of processes: a signal ends what it started, too. */
const start = (cwd: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  return { out: text(child.stdout), closed: once(child, 'close') }
}
const endAll = (): void => {
  for (const { pid = 0 } of running) {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It has ended before.
    }
  }
  running.clear()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    endAll()
    process.exit(130)
  })
}

const copy = (name: string): string => {
  const cwd = join(folder, name)
  const made = spawnSync('git', ['clone', '-q', ROOT, cwd], { stdio: 'inherit' })
  const linked = spawnSync('cp', ['-al', join(ROOT, 'node_modules'), cwd], { stdio: 'inherit' })
  if (made.status !== 0 || linked.status !== 0) throw new Error(`there is no copy in ${cwd}`)
  return cwd
}

let red = false
for (const [name, { busy, twice, env }] of wanted.slice(0, most)) {
  const cwd = copy('this')
  if (busy) for (let n = 0; n < 2; n++) start(cwd, process.execPath, ['-e', 'for (;;);'])
  if (twice) start(copy('another'), 'npm', ['test'])
  const from = performance.now()
  const { out, closed } = start(cwd, 'npm', ['test'], env)
  const [code] = await closed
  const printed = await out
  endAll()
  red = code !== 0
  console.log(`${red ? '✗' : '✓'} ${name}: ${((performance.now() - from) / 1000).toFixed(0)} s`)
  if (!red) continue
  console.log(printed)
  break
}
process.exitCode = red ? 1 : 0
