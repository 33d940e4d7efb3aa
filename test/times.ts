import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { resume } from './support/test-output.mjs'

/**
 * npm run test:times [-- 20]: the whole of `npm test` so many times, each on a fresh copy of HEAD. It continues where it was
 * stopped: runs count as long as src-main, src-renderer and test are the same, and a red one begins the count again.
 */
const ROOT = join(import.meta.dirname, '..')
const RUNS = join(tmpdir(), 'handset-test-times.jsonl')
const most = Number(process.argv[2] ?? 20)
type Kind = { readonly times: number; readonly busy?: true; readonly twice?: true; readonly env?: NodeJS.ProcessEnv }
const KINDS: Readonly<Record<string, Kind>> = {
  quiet: { times: 5 },
  'two busy loops': { times: 10, busy: true },
  'another npm test': { times: 2, twice: true },
  'TZ=Pacific/Chatham': { times: 1, env: { TZ: 'Pacific/Chatham' } },
  'TZ=America/St_Johns': { times: 1, env: { TZ: 'America/St_Johns' } },
  'LANG=de_DE.UTF-8': { times: 1, env: { LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' } },
}
const wanted = Object.entries(KINDS).flatMap(([kind, { times }]) => Array.from({ length: times }, () => kind))
if (!Number.isSafeInteger(most) || most < 1 || most > wanted.length) {
  console.error(`npm run test:times -- N: 1 to ${wanted.length} runs.`)
  process.exit(2)
}
const git = (...args: string[]): string => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' }).stdout.trim()
const tree = git('rev-parse', 'HEAD:src-main', 'HEAD:src-renderer', 'HEAD:test').replaceAll('\n', ' ')
if (git('status', '--porcelain', 'src-main', 'src-renderer', 'test') !== '')
  console.log('What is not committed is not tested.')

const folder = mkdtempSync(join(tmpdir(), 'handset-times-'))
// Each leads its own group of processes: a signal ends what it started, too.
const groups = new Set<number>()
const end = (group: number): void => {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // It has ended before.
  }
}
const start = (command: string, args: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) => {
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const { pid } = child
  if (pid !== undefined) groups.add(pid)
  let out = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (out += text))
  const ended = new Promise<{ good: boolean; out: string }>((resolve) => {
    child.once('error', ({ message }) => resolve({ good: false, out: message }))
    child.once('close', (code) => resolve({ good: code === 0, out }))
  })
  const stop = () => {
    if (pid === undefined) return
    end(pid)
    groups.delete(pid)
  }
  return { ended, stop }
}
const clean = (): void => {
  for (const group of groups) end(group)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    clean()
    process.exit(130)
  })
}

let copies = 0
/** The first copy of each kind is installed; the others share its packages, as hard links. */
const copy = async (installed?: string): Promise<string> => {
  const cwd = join(folder, `copy-${copies++}`)
  const made = spawnSync('git', ['clone', '-q', ROOT, cwd], { stdio: 'inherit' }).status === 0
  const packages =
    installed === undefined
      ? start('npm', ['ci'], { cwd })
      : start('cp', ['-al', join(installed, 'node_modules'), cwd], { cwd })
  const { good, out } = await packages.ended
  packages.stop()
  if (!made || !good) throw new Error(`No copy: ${out}`)
  return cwd
}

/** Processor time of a run and all below it, by the shell that waited for it. */
const processorOf = (out: string): number =>
  [...(out.split('PROCESSOR\n')[1] ?? '').matchAll(/(\d+)m([\d.,]+)s/g)]
    .slice(2)
    .reduce((sum, [, m, s]) => sum + Number(m) * 60 + Number(s?.replace(',', '.')), 0)

const installed = new Map<string, string>()
const play = async (kind: string) => {
  const { busy, twice, env } = KINDS[kind] ?? { times: 0 }
  const cwd = await copy(installed.get(kind))
  const beside = busy ? Array.from({ length: 2 }, () => start(process.execPath, ['-e', 'for (;;);'], { cwd })) : []
  if (twice) beside.push(start('npm', ['test'], { cwd: await copy(installed.get(kind) ?? cwd) }))
  const from = performance.now()
  const run = start('sh', ['-c', 'npm test; code=$?; echo PROCESSOR; times; exit $code'], {
    cwd,
    env: { ...process.env, ...env },
  })
  const { good, out } = await run.ended
  const wall = (performance.now() - from) / 1000
  for (const each of [run, ...beside]) each.stop()
  const [, passed = '0', failed = '0'] = /(\d+) passed, (\d+) failed, \d+ skipped\s+PROCESSOR/.exec(out) ?? []
  const failures = good ? [] : (/^\d+ failed.*:\n[\s\S]*(?=PROCESSOR)/m.exec(out)?.[0] ?? out.slice(-3000)).split('\n')
  if (!installed.has(kind)) installed.set(kind, cwd)
  else rmSync(cwd, { recursive: true, force: true })
  return {
    tree,
    kind,
    good,
    wall,
    processor: processorOf(out),
    passed: Number(passed),
    failed: Number(failed),
    failures,
  }
}

const read = () =>
  existsSync(RUNS)
    ? readFileSync(RUNS, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : []
const isEnough = () => resume(read(), tree, wanted).done.length >= most
mkdirSync(folder, { recursive: true })
console.log(`Runs are kept in ${RUNS}; ${availableParallelism()} processors.`)
console.log('kind'.padEnd(22), 'wall'.padStart(6), 'processor'.padStart(10), 'passed'.padStart(7), 'failed'.padStart(7))
const tell = ({ kind, wall, processor, passed, failed, good, failures }: Awaited<ReturnType<typeof play>>): void => {
  const figures = [
    wall.toFixed(0).padStart(6),
    processor.toFixed(0).padStart(10),
    String(passed).padStart(7),
    String(failed).padStart(7),
  ]
  console.log(`${kind.padEnd(22)} ${figures.join(' ')}${good ? '' : ' red'}`)
  for (const line of failures) console.log(`  ${line}`)
}
for (const run of read()) if (run.tree === tree) tell(run)
let red = false
try {
  while (!red && !isEnough()) {
    const [kind = 'quiet'] = resume(read(), tree, wanted).left
    const run = await play(kind)
    appendFileSync(RUNS, `${JSON.stringify(run)}\n`)
    tell(run)
    red = !run.good
  }
} finally {
  clean()
}
process.exit(isEnough() ? 0 : 1)
