/** Everything secret in the export of a workspace: keys, tokens, their hashes, and private keys with what seals them. */
export const secretsIn = (value: unknown, name = ''): readonly string[] => {
  if (typeof value === 'string') {
    if (/^[{[]/.test(value)) return secretsIn(JSON.parse(value), name)
    return /secret|token|private|proof|hash|handle_key|^key$|^d$/i.test(name) ? [value] : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => secretsIn(part, Array.isArray(value) ? name : key))
}
