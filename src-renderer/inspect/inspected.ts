import { useSyncExternalStore } from 'react'
import { type Bytes, fromUtf8, utf8 } from '../../src-main/core/protocol/bytes.ts'
import { MAX_INSPECTED_BYTES } from '../../src-main/views/inspect/inspection.ts'

export type InspectInput =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly name: string; readonly bytes: Bytes }

export const GIVEN_FIELDS = [
  ...['options', 'origin', 'publicKey', 'accessKeyId', 'secret', 'rpId', 'signCount', 'roots'],
] as const
export type GivenField = (typeof GIVEN_FIELDS)[number]

export type GivenTexts = Readonly<Partial<Record<GivenField, string>>>

export type InputProblem =
  | { readonly code: 'tooLarge'; readonly size: number }
  | { readonly code: 'picture' | 'unreadable' | 'nothing' }

export type Inspected = { readonly input: InspectInput; readonly given: GivenTexts; readonly problem?: InputProblem }

const EMPTY: Inspected = { input: { kind: 'text', text: '' }, given: {} }

// Kept in memory only: pasted text may be secret, so it is in neither the address nor the browser's storage.
let inspected = EMPTY
const listeners = new Set<() => void>()

const put = (next: Inspected): void => {
  inspected = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useInspected = (): Inspected => useSyncExternalStore(subscribe, () => inspected)

export const inspectText = (text: string, given: GivenTexts = inspected.given): void => {
  const { length: size } = utf8(text)
  put(
    size > MAX_INSPECTED_BYTES
      ? { ...inspected, problem: { code: 'tooLarge', size } }
      : { input: { kind: 'text', text }, given },
  )
}

export const inspectFile = async (file: File): Promise<void> => {
  const refuse = (problem: InputProblem) => put({ ...inspected, problem })
  if (file.type.startsWith('image/')) return refuse({ code: 'picture' })
  if (file.size > MAX_INSPECTED_BYTES) return refuse({ code: 'tooLarge', size: file.size })
  // The item is a folder, or the file no longer exists.
  const read = await file.arrayBuffer().catch(() => undefined)
  if (read === undefined) return refuse({ code: 'unreadable' })
  const bytes = new Uint8Array(read)
  const text = bytes.length > LONGEST_TEXT ? undefined : fromUtf8(bytes)
  const isText = text !== undefined && !text.includes('\0')
  put({ given: inspected.given, input: isText ? { kind: 'text', text } : { kind: 'file', name: file.name, bytes } })
}

export const giveForVerdict = (field: GivenField, text: string): void =>
  put({ ...inspected, given: { ...inspected.given, [field]: text } })

export const forgetInspected = (): void => put(EMPTY)

export const refuseInput = (problem: InputProblem): void => put({ ...inspected, problem })

/** Longer files are not shown as text, because that would make the field slow. */
const LONGEST_TEXT = 200_000
