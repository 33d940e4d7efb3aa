import { type ChildProcess, execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { spawnTied } from '../spawn-tied.ts'

export type TestPostgres = {
  readonly url: string
  readonly port: number
  readonly folder: string
  /** `immediate` is what a crash is to its clients. */
  halt(how: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

const DEBIAN = '/usr/lib/postgresql'

const programs = (): string | undefined => {
  const newest = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))[0] : undefined
  const folders = [
    ...(newest === undefined ? [] : [join(DEBIAN, newest, 'bin')]),
    ...(process.env.PATH ?? '').split(':'),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

/** PostgreSQL refuses to run as root. */
export const otherUser = (): { readonly uid: number; readonly gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (what: string): number => Number(execFileSync('id', [what, name], { encoding: 'utf8' }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // The next one.
    }
  }
  return undefined
}

/** A server of its own, on loopback and a socket in its folder; a sentence where none can be had. */
export const startPostgres = async (settings: readonly string[] = ['fsync=off']): Promise<TestPostgres | string> => {
  const bin = programs()
  if (bin === undefined) return 'There is no initdb on this machine (Debian: apt-get install postgresql).'
  const folder = mkdtempSync(join(tmpdir(), 'handset-postgres-'))
  const user = otherUser()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const as = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } }
  execFileSync(join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'handset', '--no-sync', '-E', 'UTF8'], {
    ...as,
    stdio: 'ignore',
  })
  const port = await freePort()
  const options = [`port=${port}`, `unix_socket_directories=${folder}`, 'listen_addresses=127.0.0.1', ...settings]
  let server: ChildProcess | undefined

  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const started = spawnTied(join(bin, 'postgres'), ['-D', data, ...options.flatMap((option) => ['-c', option])], {
        ...as,
        endWith: 'QUIT',
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      server = started
      let told = ''
      started.stderr?.on('data', (chunk: Buffer) => {
        told += chunk.toString()
        if (told.includes('ready to accept connections')) resolve()
        if (told.length > 20_000) told = told.slice(-10_000)
      })
      // Once it was ready this says nothing more.
      started.once('close', (code) => reject(new Error(`postgres ended with ${code}: ${told}`)))
    })
  const halt = (how: 'fast' | 'immediate'): Promise<void> =>
    new Promise((resolve) => {
      if (server === undefined || server.exitCode !== null) return resolve()
      server.once('close', () => resolve())
      server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    })

  await start()
  return {
    url: `postgres://handset@127.0.0.1:${port}/postgres`,
    port,
    folder,
    start,
    halt,
    stop: async () => {
      await halt('immediate')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
