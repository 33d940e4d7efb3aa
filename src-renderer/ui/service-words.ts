import { type Language, language } from './language.ts'

type Table = 'phoneModels' | 'profileNames' | 'profileSentences' | 'profileGroups' | 'profileUnits' | 'relaxedRules'

/** Translations of the service's English sentences, by the code, step or name that comes with each. */
export type ServiceWords = { readonly [Name in Table]: Readonly<Record<string, string>> }

let known: ServiceWords | undefined

/** Loads nothing for English, the language of the service. */
export const loadServiceWords = async (chosen: Language = language): Promise<void> => {
  known = chosen === 'zh' ? await import('../../src-main/core/messages/zh/service-words.ts') : undefined
}

/** The text of an element, and its language if it is not the page's. */
export type ShownText = { readonly children: string; readonly lang?: 'en' }

/** The translation if there is one. The result is spread into the element's props. */
export const translate = (table: Table, key: string, original: string): ShownText => {
  const text = wordFor(table, key)
  return text === undefined ? untranslated(original) : { children: text }
}

export const translateText = (table: Table, key: string, original: string): string =>
  translate(table, key, original).children

/** The service's text without translation, marked as English on a page in another language. */
export const untranslated = (original: string): ShownText =>
  known === undefined ? { children: original } : { children: original, lang: 'en' }

const wordFor = (table: Table, key: string): string | undefined => {
  const words = known?.[table]
  return words !== undefined && Object.hasOwn(words, key) ? words[key] : undefined
}
