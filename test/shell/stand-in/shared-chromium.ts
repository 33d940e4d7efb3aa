import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowser } from '../../support/browser.mjs'

/**
 * As Playwright starts its own: without a sandbox on Linux, where root has none and Ubuntu 24.04 gives a user no namespace
 * for one. What it shows are our own pages.
 */
export const flagsOn = (platform: NodeJS.Platform): readonly string[] => [
  ...(platform === 'linux' ? ['--no-sandbox'] : []),
  '--headless',
  '--remote-debugging-port=0',
  // It ends when nobody holds the other end any more, however this process ends.
  '--remote-debugging-pipe',
  '--disable-gpu',
  '--in-process-gpu',
  '--hide-scrollbars',
  '--mute-audio',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-sync',
  '--disable-renderer-backgrounding',
  '--password-store=basic',
  '--use-mock-keychain',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
]

export type SharedChromium = {
  /** Of the DevTools protocol. */
  readonly endpoint: string
  /** Where the programs that use it keep what Node has compiled of them: all of them are the same. */
  readonly compiled: string
  close(): Promise<void>
}

const start = async (): Promise<SharedChromium> => {
  const program = findBrowser()
  if (program === undefined) throw new Error('no Chromium, Chrome or Edge is found')
  const profile = mkdtempSync(join(tmpdir(), 'handset-chromium-'))
  const child = spawn(program, [...flagsOn(process.platform), `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  const endpoint = await new Promise<string>((resolve, reject) => {
    const look = (): void => {
      const [port, path] = readIfThere(join(profile, 'DevToolsActivePort')).split('\n')
      if (path === undefined) return
      watcher.close()
      resolve(`ws://127.0.0.1:${port}${path}`)
    }
    const watcher = watch(profile, look)
    look()
    void ended.then(() => {
      watcher.close()
      reject(new Error(`${program} ended before it could be used`))
    })
  })
  return {
    endpoint,
    compiled: join(profile, 'compiled'),
    close: async () => {
      // A page that is just being made can keep it from ending by itself.
      child.kill('SIGKILL')
      await ended
      for (const pipe of child.stdio) pipe?.destroy()
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const readIfThere = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

let shared: Promise<SharedChromium> | undefined

/** One Chromium for all programs that this process starts: each has a context of its own in it. */
export const sharedChromium = (): Promise<SharedChromium> => {
  shared ??= start()
  return shared
}

export const closeSharedChromium = async (): Promise<void> => {
  const started = shared
  shared = undefined
  await (await started?.catch(() => undefined))?.close()
}
