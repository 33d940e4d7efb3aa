const HAN_THEN_LATIN = /\p{Script=Han}\|[A-Za-z0-9]/u
const LATIN_THEN_HAN = /[A-Za-z0-9]\|\p{Script=Han}/u

/** Puts a space between Chinese text and a name in Latin letters, but none next to a Chinese name. */
export const joinWithSpaces = (words: readonly string[], ...names: readonly unknown[]): string =>
  words.reduce((text, next, i) => join(join(text, String(names[i - 1])), next))

const join = (left: string, right: string): string => {
  const seam = `${left.slice(-1)}|${right.slice(0, 1)}`
  return HAN_THEN_LATIN.test(seam) || LATIN_THEN_HAN.test(seam) ? `${left} ${right}` : left + right
}
