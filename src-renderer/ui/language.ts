import { keepStored, readStored } from './use-stored.ts'

export type Language = 'en' | 'zh'

export const LANGUAGES = {
  en: { name: 'English', locale: 'en-GB', tag: 'en' },
  zh: { name: '中文', locale: 'zh-CN', tag: 'zh-CN' },
} as const satisfies Record<Language, { readonly name: string; readonly locale: string; readonly tag: string }>

const STORED = 'handset.language'

export const chooseLanguage = (stored: string | null, preferred: readonly string[]): Language =>
  [stored ?? '', ...preferred].map((each) => each.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en'

const isLanguage = (text: string | undefined): text is Language => text === 'en' || text === 'zh'

/** Outside a page, e.g. in Node, the language is English regardless of the machine's language. */
export const language: Language =
  typeof document === 'undefined' ? 'en' : chooseLanguage(readStored(STORED), navigator.languages)

export const { locale, tag: languageTag } = LANGUAGES[language]

/** Reloads the page, because texts are loaded once at the start. Without storage, it keeps the browser's language. */
export const switchLanguage = (next: Language): void => {
  keepStored(STORED, next)
  location.reload()
}
