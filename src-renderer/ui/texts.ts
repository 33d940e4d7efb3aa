import { language } from './language.ts'
import { english, type Texts } from './texts-en.ts'

export type { Texts }

/** Chinese is loaded only if it is used. */
export const texts: Texts = language === 'zh' ? (await import('./texts-zh.ts')).chinese : english
