import { isObject } from '../../core/protocol/json.ts'

/** JSON in UTF-8 in which no object has a member twice; undefined for anything else. */
export const parseStrictly = (bytes: Uint8Array): unknown => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    let members = 0
    const value: unknown = JSON.parse(text, (_, each) => {
      if (isObject(each)) members += Object.keys(each).length
      return each
    })
    // A member that was given twice was counted once.
    const written = text.match(/"(?:[^"\\]|\\.)*"(?:\s*:)?/g) ?? []
    return written.filter((each) => each.endsWith(':')).length === members ? value : undefined
  } catch {
    return undefined
  }
}
