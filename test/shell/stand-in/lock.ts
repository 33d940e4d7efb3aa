import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** One instance for each user data directory; a second one leaves its message (electron:api/app, requestSingleInstanceLock). */
export type InstanceLock = {
  /** False when a living process holds it, which then hears the message. */
  request(message: unknown): boolean
  release(): void
}

const readOwner = (file: string): number | undefined => {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export const instanceLock = (folder: () => string, heard: (message: unknown) => void): InstanceLock => {
  let held: { readonly file: string; stop(): void } | undefined
  const take = (file: string): boolean => {
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        writeFileSync(file, String(process.pid), { flag: 'wx' })
        return true
      } catch {
        const owner = readOwner(file)
        if (owner !== undefined && isAlive(owner)) return false
        rmSync(file, { force: true })
      }
    }
    return false
  }
  return {
    request: (message) => {
      if (held !== undefined) return true
      const inbox = join(folder(), 'SingletonMessages')
      const file = join(folder(), 'SingletonOwner')
      mkdirSync(inbox, { recursive: true })
      if (!take(file)) {
        const name = join(inbox, `${process.pid}`)
        writeFileSync(`${name}.new`, JSON.stringify(message))
        renameSync(`${name}.new`, `${name}.json`)
        return false
      }
      const read = (): void => {
        for (const name of readdirSync(inbox).filter((each) => each.endsWith('.json'))) {
          const text = readFileSync(join(inbox, name), 'utf8')
          rmSync(join(inbox, name))
          heard(JSON.parse(text))
        }
      }
      const watcher = watch(inbox, read)
      held = { file, stop: () => watcher.close() }
      read()
      return true
    },
    release: () => {
      held?.stop()
      if (held !== undefined) rmSync(held.file, { force: true })
      held = undefined
    },
  }
}
