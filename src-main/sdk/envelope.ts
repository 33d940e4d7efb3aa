import { isObject } from '../core/protocol/json.ts'

export type Envelope = { readonly code: number; readonly error: string; readonly data: unknown }

/** What every answer of a bench is; anything else comes from something else, or was cut off. */
export const parseEnvelope = (text: string): Envelope | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value) || !('data' in value)) return undefined
    const { code, error, data } = value
    return Number.isSafeInteger(code) && typeof error === 'string' ? { code: Number(code), error, data } : undefined
  } catch {
    return undefined
  }
}
