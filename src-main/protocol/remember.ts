/**
 * Works out each text once, for texts that come again and again: all requests of a second have one date, all of an RP
 * one beginning of their Authorization header. After `most` texts it begins anew.
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
