/** Whether the whole text is as the pattern says: `*` stands for any characters, `?` for one. Takes linear room and never explodes. */
export const matchesGlob = (pattern: string, text: string): boolean => {
  const wanted = [...pattern]
  const given = [...text]
  let [p, t] = [0, 0]
  let star: { readonly p: number; t: number } | undefined
  while (t < given.length) {
    if (wanted[p] === '*') {
      star = { p, t }
      p += 1
    } else if (wanted[p] === '?' || wanted[p] === given[t]) {
      p += 1
      t += 1
    } else if (star !== undefined) {
      star.t += 1
      p = star.p + 1
      t = star.t
    } else return false
  }
  return wanted.slice(p).every((character) => character === '*')
}
