/** Read at each end: a file’s beginning says whose it is, its end when it was saved. */
const END = 64 * 1024

/**
 * What a trace is called in an address: the same for the same file on every machine. Without a secure context browsers
 * have no digests, and the name holds in this browser alone.
 */
export const traceDigest = async (file: Blob): Promise<string> => {
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
