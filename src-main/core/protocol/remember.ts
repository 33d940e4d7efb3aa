/**
 * Works out each text once, for texts that come again and again: all requests of a second have one date, all of an RP
 * one beginning of their Authorization header. After `most` texts it starts over.
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

/** The same for objects: a result is dropped together with its key. */
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
