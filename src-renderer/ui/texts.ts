import { language } from './language.ts'
import { english, type Texts } from './texts-en.ts'

export type { Texts }

/** In the language of this page; another one than English is loaded only where it is spoken. */
export const texts: Texts = language === 'zh' ? (await import('./texts-zh.ts')).chinese : english
