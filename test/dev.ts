/**
 * `npm run dev`: the page with hot reload against a served bench that restarts when its source changes.
 * Arguments go to `handset serve`; without any the data stays in .handset/dev, so that a restart loses nothing.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { HtmlTagDescriptor } from 'vite'
import { createControlClient } from '../src-main/sdk/client.ts'
import { freePort } from './support/free-port.ts'
import { createPageServer } from './support/page-server.ts'

type Ready = { readonly control_url: string; readonly token: string }
type RunningBench = { readonly child: ChildProcess; readonly ready: Ready }

const root = join(import.meta.dirname, '..')
const given = process.argv.slice(2)
const benchArgs = given.length > 0 ? given : ['--data', join(root, '.handset/dev')]
const pagePort = Number(process.env.PORT ?? 5173)

/** Resolves once it accepts requests; undefined when it ended before. Its own words go to stderr. */
const startBench = async (port: string): Promise<RunningBench | undefined> => {
  const args = ['--enable-source-maps', join(root, 'src-main/cli.ts'), 'serve', '--port', port, '--json', ...benchArgs]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const first = await Promise.race([once(lines, 'line'), once(child, 'close')])
  return typeof first[0] === 'string' ? { child, ready: JSON.parse(first[0]) as Ready } : undefined
}

// It listens there again after each restart.
const first = await startBench(String(await freePort()))
if (first === undefined) process.exit(1)
let bench: RunningBench | undefined = first
const benchOrigin = new URL(first.ready.control_url).origin

/** Each load is given a code of its own. */
const codeOfLoad = async (): Promise<HtmlTagDescriptor[]> => {
  if (bench === undefined) return []
  const { control_url: controlUrl, token } = bench.ready
  const { code } = await createControlClient({ controlUrl, token }).call('session.invite', {})
  return [{ tag: 'script', injectTo: 'head-prepend', children: `location.hash = 'code=${code}'` }]
}

const vite = await createPageServer({ root, port: pagePort, benchOrigin, tags: codeOfLoad })
await vite.listen()

/** One restart at a time; what changes meanwhile causes one more. */
let restarting = false
let changed = false
const restart = async (): Promise<void> => {
  changed = true
  if (restarting) return
  restarting = true
  while (changed) {
    changed = false
    if (bench?.child.exitCode === null) {
      const ended = once(bench.child, 'close')
      bench.child.kill()
      await ended
    }
    bench = await startBench(new URL(benchOrigin).port)
  }
  restarting = false
  console.log(bench === undefined ? 'bench did not start; it starts again at the next change' : 'bench restarted')
  vite.ws.send({ type: 'full-reload' })
}

const SETTLE_MS = 100
let settling: NodeJS.Timeout | undefined
watch(join(root, 'src-main'), { recursive: true }, () => {
  clearTimeout(settling)
  settling = setTimeout(() => void restart(), SETTLE_MS)
})

console.log(`page  ${vite.resolvedUrls?.local[0]}\nbench ${benchOrigin}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    bench?.child.kill()
    await vite.close()
    process.exit(0)
  })
}
