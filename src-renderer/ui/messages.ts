import type { Evidence } from '../../src-main/contract/judge/evidence.ts'
import type { Messages } from '../../src-main/messages/messages.ts'
import type { PhoneTrouble } from '../../src-main/messages/phone-text.ts'
import { textOf } from '../../src-main/messages/text.ts'
import { language } from './language.ts'

/** The sentences for codes in the language of this page; one language is loaded, never both. */
export const messages: Messages =
  language === 'zh'
    ? (await import('../../src-main/messages/zh/zh.ts')).zh
    : (await import('../../src-main/messages/en/en.ts')).en

/** Data stays as it is. */
export const evidenceText = (told: Evidence): string =>
  typeof told === 'string' ? told : textOf(messages.evidence, told)

/** What goes wrong with a fault; the name of one that only the service knows. */
export const faultText = (name: string): string => textOf(messages.faults, { code: name })

/** What stands beside a phone's own refusal: its word; undefined where it was not a phone that refused. */
export const phoneTrouble = (data: unknown): PhoneTrouble | undefined => {
  const { word, detail } = (data ?? {}) as { readonly word?: unknown; readonly detail?: unknown }
  if (typeof word !== 'string') return undefined
  return { word, detail: typeof detail === 'string' ? detail : undefined }
}
