import { useSyncExternalStore } from 'react'
import { type Bytes, fromUtf8, utf8 } from '../../src-main/core/protocol/bytes.ts'
import { MAX_INSPECTED_BYTES } from '../../src-main/views/inspect/inspection.ts'
import { createShared } from '../ui/effects.ts'

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
const inspected = createShared(EMPTY)

export const useInspected = (): Inspected => useSyncExternalStore(inspected.subscribe, inspected.get)

export const inspectText = (text: string, given: GivenTexts = inspected.get().given): void => {
  const { length: size } = utf8(text)
  if (size > MAX_INSPECTED_BYTES) refuseInput({ code: 'tooLarge', size })
  else inspected.set({ input: { kind: 'text', text }, given })
}

export const inspectFile = async (file: File): Promise<void> => {
  if (file.type.startsWith('image/')) return refuseInput({ code: 'picture' })
  if (file.size > MAX_INSPECTED_BYTES) return refuseInput({ code: 'tooLarge', size: file.size })
  // The item is a folder, or the file no longer exists.
  const read = await file.arrayBuffer().catch(() => undefined)
  if (read === undefined) return refuseInput({ code: 'unreadable' })
  const bytes = new Uint8Array(read)
  const text = bytes.length > LONGEST_TEXT ? undefined : fromUtf8(bytes)
  const isText = text !== undefined && !text.includes('\0')
  const input: InspectInput = isText ? { kind: 'text', text } : { kind: 'file', name: file.name, bytes }
  inspected.set({ given: inspected.get().given, input })
}

export const giveForVerdict = (field: GivenField, text: string): void =>
  inspected.set({ ...inspected.get(), given: { ...inspected.get().given, [field]: text } })

export const forgetInspected = (): void => inspected.set(EMPTY)

export const refuseInput = (problem: InputProblem): void => inspected.set({ ...inspected.get(), problem })

/** Longer files are not shown as text, because that would make the field slow. */
const LONGEST_TEXT = 200_000
