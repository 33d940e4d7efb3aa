import type { Messages } from './messages.ts'

export type PhoneTrouble = { readonly word: string; readonly detail?: string | undefined }

/** What a phone says: the sentence of its own word or of the service's, and what was got where that helps. */
export const phoneText = (
  { phoneProblems, failures }: Pick<Messages, 'phoneProblems' | 'failures'>,
  { word, detail }: PhoneTrouble,
): string => {
  const sentences: Readonly<Record<string, string>> = { ...failures, ...phoneProblems }
  const sentence = Object.hasOwn(sentences, word) ? sentences[word] : word
  return detail === undefined ? `${sentence}` : `${sentence} ${detail}`
}
