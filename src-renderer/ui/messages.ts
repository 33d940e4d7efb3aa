import { errorNameOf, parseReason, type Reason, refuse } from '../../src-main/core/contract/errors.ts'
import type { Evidence } from '../../src-main/core/contract/judge/evidence.ts'
import { parsePhoneTrouble, phoneText } from '../../src-main/core/contract/phone-trouble.ts'
import { isServiceFaultName } from '../../src-main/core/contract/service-faults.ts'
import type { Messages } from '../../src-main/core/messages/messages.ts'
import { refusalText } from '../../src-main/core/messages/refusal-text.ts'
import { textOf, textOrData } from '../../src-main/core/protocol/coded.ts'
import { isObject } from '../../src-main/core/protocol/json.ts'
import { language } from './language.ts'

/** Loaded only in the language of this page. */
export const messages: Messages =
  language === 'zh'
    ? (await import('../../src-main/core/messages/zh/zh.ts')).zh
    : (await import('../../src-main/core/messages/en/en.ts')).en

export const evidenceText = (evidence: Evidence): string => textOrData(messages.evidence, evidence)

/** The text of a phone's fault; its name if this page does not know it. */
export const faultText = (name: string): string => textOf(messages.faults, { code: name })

export const serviceFaultText = (name: string): string => textOf(messages.serviceFaults, { code: name })

/** No name belongs to faults of both kinds. */
export const anyFaultText = (name: string): string =>
  isServiceFaultName(name) ? serviceFaultText(name) : faultText(name)

export const reasonText = (reason: Reason): string => textOf(messages.reasons, reason)

/** A phone's own code is more specific. An unknown code shows the service's sentence. */
export const refusalWords = ({ code, error = '', data }: Refused): string => {
  const own = parsePhoneTrouble(data)
  if (own !== undefined) return phoneText(messages, own)
  const name = errorNameOf(code)
  return name === undefined
    ? error
    : refusalText(messages, refuse(name, parseReason(isObject(data) ? data.reason : undefined)))
}

type Refused = { readonly code: number; readonly error?: string; readonly data?: unknown }
