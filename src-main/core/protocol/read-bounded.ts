import { type Bytes, concatAll } from './bytes.ts'

/** Undefined if the body is longer than `most` bytes; the rest is then not read. */
export const readBounded = async (body: AsyncIterable<Uint8Array> | null, most: number): Promise<Bytes | undefined> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > most) return undefined
    chunks.push(chunk)
  }
  return concatAll(chunks)
}
