/**
 * Texts recur: all requests of a second have the same date, and all requests of an RP the same beginning of the
 * Authorization header. The cache is cleared when it has `most` texts.
 */
export const rememberByText = <T>(work: (text: string) => T, most = 64): ((text: string) => T) => {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = work(text)
    if (known.size >= most) known.clear()
    known.set(text, made)
    return made
  }
}

export const rememberByObject = <K extends object, T>(work: (key: K) => T): ((key: K) => T) => {
  const known = new WeakMap<K, T>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = work(key)
    known.set(key, made)
    return made
  }
}
