import { spawn } from 'node:child_process'
import { appendFileSync, cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../..')

/** A copy, so that the source can be changed. */
const copyOfSource = (): string => {
  const folder = temporaryFolder()
  for (const part of ['package.json', 'src-main', 'src-renderer', 'test/dev.ts', 'test/support']) {
    cpSync(join(root, part), join(folder, part), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  return folder
}

const startDev = (folder: string) => {
  const child = spawn(process.execPath, [join(folder, 'test/dev.ts'), '--memory'], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill())
  const lines: string[] = []
  const waiting = new Set<() => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    for (const look of waiting) look()
  })
  return {
    line: (pattern: RegExp): Promise<string> =>
      new Promise((resolve) => {
        const look = (): void => {
          const line = lines.find((text) => pattern.test(text))
          if (line === undefined) return
          waiting.delete(look)
          resolve(line)
        }
        waiting.add(look)
        look()
      }),
  }
}

it('serves the page with a session and starts the bench again when its source changes', async () => {
  const folder = copyOfSource()
  const dev = startDev(folder)
  const page = (await dev.line(/^page /)).split(/\s+/)[1] ?? ''

  const html = await (await fetch(page, { headers: { accept: 'text/html' } })).text()
  expect(html).not.toContain('Content-Security-Policy')
  const code = /code=([\w-]+)/.exec(html)?.[1]
  const openSession = async (): Promise<number> => {
    const response = await fetch(new URL('/control/v1/session', page), {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(page).origin },
      body: JSON.stringify({ code }),
    })
    return ((await response.json()) as { readonly code: number }).code
  }
  expect(await openSession()).toBe(0)

  await dev.line(/^bench http/)
  appendFileSync(join(folder, 'src-main/cli.ts'), '\n// changed\n')
  await dev.line(/^bench restarted/)
  // Another bench: it does not know the code of the one before.
  expect(await openSession()).toBe(40111)
})
