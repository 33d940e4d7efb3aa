import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LinkProblem } from '../core/contract/link-problems.ts'
import { err, ok, orNothing, type Result } from '../core/protocol/result.ts'

/** A trace that the system hands to the program; the name is for display. */
export type TraceFile = { readonly name: string; readonly bytes: Uint8Array }

/** Largest trace that is read: all events of a bench compress to less. */
const LARGEST = 256 * 1024 * 1024

export const looksLikeTracePath = (text: string): boolean => /\.handset$/i.test(text) && !text.startsWith('-')

type Place = { readonly folder: string; readonly platform: string }

/** Linux desktops pass file: URLs; a relative path is resolved against the folder of the start. */
export const resolveTracePath = (text: string, { folder, platform }: Place): string => {
  const { resolve } = platform === 'win32' ? win32 : posix
  if (!/^file:/i.test(text)) return resolve(folder, text)
  return orNothing(() => fileURLToPath(text, { windows: platform === 'win32' })) ?? text
}

/** False for \\server\share, \\.\device and //server, which are on other machines or are not files. */
const isLocal = (path: string, platform: string): boolean =>
  platform === 'win32' ? /^[a-z]:[\\/][^:]*$/i.test(path) : posix.isAbsolute(path) && !path.startsWith('//')

/** The path is untrusted: only a regular file is read, and only up to the size of the largest trace. */
export const readTraceFile = (path: string, platform: string, largest = LARGEST): Result<TraceFile, LinkProblem> => {
  const name = (platform === 'win32' ? win32 : posix).basename(path)
  if (!looksLikeTracePath(path) || path.includes('\0') || !isLocal(path, platform)) {
    return err({ code: 'file_elsewhere', params: { path } })
  }
  let file: number | undefined
  try {
    if (!lstatSync(path).isFile()) return err({ code: 'file_not_plain', params: { path } })
    // A link or pipe that replaces the file meanwhile is neither followed nor waited for. Windows has neither flag.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const state = fstatSync(file)
    if (!state.isFile()) return err({ code: 'file_not_plain', params: { path } })
    if (state.size > largest) return err({ code: 'file_too_large', params: { path, bytes: state.size, largest } })
    return ok({ name, bytes: readFileSync(file) })
  } catch (reason) {
    const why = (reason as NodeJS.ErrnoException).code ?? String(reason)
    return err({ code: 'file_unreadable', params: { path, reason: why } })
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** The page fetches the trace from this path on our own service. */
export type OfferedTrace = { readonly name: string; readonly path: string }

/**
 * A script that drops the trace on the page as a user would; its result is true if the page takes the trace. It retries
 * while the page loads. The page fetches the bytes itself: 140 MB or more inside a script crash the renderer.
 */
export const createDropScript = ({ name, path }: OfferedTrace): string => `(async () => {
  const response = await fetch(${JSON.stringify(path)})
  if (!response.ok) return false
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([await response.blob()], ${JSON.stringify(name)}))
  for (let tries = 0; tries < 100; tries++) {
    if (!dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }))) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
})()`
