import { type Language, language } from './language.ts'

const TABLES = [
  'phoneModels',
  'profileNames',
  'profileSentences',
  'profileGroups',
  'profileUnits',
  'relaxedRules',
] as const

type Table = (typeof TABLES)[number]

/** Translations of the service's English, by the machine word, step, name or code that comes with it. */
export type ServiceWords = { readonly [Name in Table]: Readonly<Record<string, string>> }

let known: ServiceWords | undefined

/** The service itself uses English: nothing is loaded for it. */
export const loadServiceWords = async (chosen: Language = language): Promise<void> => {
  known =
    chosen === 'zh' ? (await import('../../src-main/core/messages/zh/service-words.ts')).chineseServiceWords : undefined
}

/** The text of an element, and its language where that is not the page's. */
export type Said = { readonly children: string; readonly lang?: 'en' }

/** The service's text, in the page's language as far as that is known. Spread over the element that shows it. */
export const said = (table: Table, key: string, original: string): Said => {
  const text = wordFor(table, key)
  return text === undefined ? asSaid(original) : { children: text }
}

/** The same where only a string will do. */
export const saidText = (table: Table, key: string, original: string): string => said(table, key, original).children

/** Words that stay as the service said them, whatever the page's language. */
export const asSaid = (original: string): Said =>
  known === undefined ? { children: original } : { children: original, lang: 'en' }

const wordFor = (table: Table, key: string): string | undefined => {
  const words = known?.[table]
  return words !== undefined && Object.hasOwn(words, key) ? words[key] : undefined
}
