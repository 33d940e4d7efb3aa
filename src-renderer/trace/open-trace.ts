import type { TraceProblem } from '../../src-main/core/contract/trace.ts'
import { workspaceDocument } from '../../src-main/core/contract/workspace-document.ts'
import { isObject, parseJsonOrNothing } from '../../src-main/core/protocol/json.ts'
import { err, ok, type Result } from '../../src-main/core/protocol/result.ts'
import { pageNow } from '../ui/page-clock.ts'
import { openTraceBench, type TraceBench } from '../viewer/trace-store.ts'
import { keepTrace } from './kept-traces.ts'
import { createWorkerSource } from './worker-source.ts'

export type OpenedTrace = TraceBench & { readonly fileName: string; readonly digest: string }

export type OpenProblem = TraceProblem['code'] | 'workspace' | 'unreadable'

/** Larger files are refused unread, because their content is about ten times as large. */
const LARGEST_FILE = 1024 * 1024 * 1024

/** Large traces are shown before they are read completely; later problems go to `onProblem`. */
export const openTraceFile = async (
  file: File,
  onProblem: (problem: OpenProblem) => void,
): Promise<Result<OpenedTrace, OpenProblem>> => {
  if (file.size > LARGEST_FILE) return err('too_large')
  try {
    // Fails for a folder, and for a file that no longer exists.
    await file.slice(0, 1).arrayBuffer()
    const read = await openTraceBench(file, createWorkerSource(), ({ code }) => onProblem(code))
    if (!read.ok) return err((await isWorkspaceFile(file)) ? 'workspace' : read.error.code)
    const digest = await traceDigest(file)
    // Without storage, e.g. in a private window, the user must choose the file again after a reload.
    await keepTrace(digest, file, pageNow()).catch(() => undefined)
    return ok({ ...read.value, fileName: file.name, digest })
  } catch {
    return err('unreadable')
  }
}

const LARGEST_WORKSPACE = 64 * 1024 * 1024

/** True for a workspace file, which the console saves; users may confuse it with a trace. */
const isWorkspaceFile = async (file: File): Promise<boolean> => {
  if (file.size > LARGEST_WORKSPACE) return false
  const value = parseJsonOrNothing(await file.text().catch(() => ''))
  return isObject(value) && value.format === workspaceDocument.properties.format.const
}

/** Bytes read at each end: a file’s beginning identifies its bench, its end the time when it was saved. */
const END = 64 * 1024

/**
 * The name of a trace in an address: the same for the same file on every machine. Without a secure context browsers
 * have no digests, and the name is valid in this browser alone.
 */
const traceDigest = async (file: Blob): Promise<string> => {
  const bytes = new Uint8Array(16)
  if (crypto.subtle === undefined) return textOf(crypto.getRandomValues(bytes))
  const ends = new Blob([`${file.size} `, file.slice(0, END), file.slice(-END)])
  bytes.set(new Uint8Array(await crypto.subtle.digest('SHA-256', await ends.arrayBuffer())).subarray(0, bytes.length))
  return textOf(bytes)
}

const textOf = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
