/** Whether a value has what the pattern names: objects by the members named, lists entry by entry, the rest as is. */
export const eventMatches = (value: unknown, pattern: unknown): boolean => {
  if (typeof pattern !== 'object' || pattern === null) return value === pattern
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(pattern)) {
    return (
      Array.isArray(value) && pattern.length === value.length && pattern.every((one, i) => eventMatches(value[i], one))
    )
  }
  return Object.entries(pattern).every(
    ([key, wanted]) => Object.hasOwn(value, key) && eventMatches((value as Record<string, unknown>)[key], wanted),
  )
}

/** Every text in a pattern: none of them is missing from what matches it. */
export const textsOf = (pattern: unknown): readonly string[] =>
  typeof pattern === 'string'
    ? [pattern]
    : typeof pattern === 'object' && pattern !== null
      ? Object.values(pattern).flatMap(textsOf)
      : []
