/** Words of a sentence that add nothing to a name: little words, and what a part of a name means. */
const LITTLE =
  'a an and are as at by does for from has have in is it its no not of on only that the there to was with written belongs claims says contains cannot be read marked'
const MEANT: Readonly<Record<string, readonly string[]>> = {
  missing: ['lacks', 'never', 'without'],
  empty: ['string'],
  truncated: ['cut', 'off'],
  list: ['array'],
  twice: ['two', 'repeated'],
  trailing: ['follow', 'follows'],
  repeats: ['twice', 'contains', 'each'],
  unknown: ['undefined'],
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? []

/** `expired` and `expires` are one word here. */
const stem = (word: string): string => word.slice(0, 5)

/** Whether a sentence only says in words what a name says, below a heading. */
export const isSaidByName = (sentence: string, name: string, heading: string): boolean => {
  const parts = wordsOf(name)
  const said = new Set(
    [...parts, ...parts.flatMap((part) => MEANT[part] ?? []), ...wordsOf(heading), ...LITTLE.split(' ')].map(stem),
  )
  return wordsOf(sentence.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')).every((word) => said.has(stem(word)))
}
