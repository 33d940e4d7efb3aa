/** Short names as the scenario language takes them, no two alike: what a phone or RP is called, or a word with a number. */
export type ShortNames = { readonly give: (id: string, called: string) => string; readonly of: (id: string) => string }

const WORD = /[A-Za-z][A-Za-z0-9]*/

export const createShortNames = (fallback: string): ShortNames => {
  const byId = new Map<string, string>()
  const taken = new Set<string>()

  const give = (id: string, called: string): string => {
    const known = byId.get(id)
    if (known !== undefined) return known
    const base = WORD.exec(called.normalize('NFD').replace(/\p{M}/gu, ''))?.[0].toLowerCase().slice(0, 32) ?? fallback
    let name = base
    for (let n = 2; taken.has(name); n++) name = `${base}${n}`
    taken.add(name)
    byId.set(id, name)
    return name
  }
  return { give, of: (id) => byId.get(id) ?? give(id, '') }
}
