/** Everything secret in the export of a workspace: keys, tokens, their hashes, and private keys with what seals them. */
export const secretsIn = (value: unknown, name = ''): readonly string[] => {
  if (typeof value === 'string') {
    if (value.startsWith('{')) return secretsIn(JSON.parse(value))
    return /secret|token|private|hash|handle_key|^d$/i.test(name) ? [value] : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => secretsIn(part, Array.isArray(value) ? name : key))
}
