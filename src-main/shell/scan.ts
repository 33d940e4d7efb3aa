import type { ControlPhone } from '../core/contract/control/states.ts'
import { parsePhoneTrouble, phoneText } from '../core/contract/phone-trouble.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { type Body, type ControlClient, ControlError } from '../sdk/client.ts'
import { texts } from './texts.ts'

export type Picture = { readonly data: string; readonly type: 'png' | 'jpeg' }

/** The named phone, or else the first that can scan now, or else the first, whose refusal says why it cannot. */
export const choosePhone = (phones: readonly ControlPhone[], named?: string): string | undefined => {
  if (named !== undefined) return named
  const able = phones.find((phone) => phone.signed_in && phone.network === 'online' && !phone.lost)
  return (able ?? phones[0])?.id
}

type ScanParts = { readonly client: ControlClient; readonly phone?: string }

/** After these refusals of the phone, the next picture is tried. */
const NOTHING_SEEN = new Set(['no_code', 'not_ours', 'foreign_code'])

/** Lets a phone scan the first of these codes that it can read. */
export const scanFirst = async (
  codes: readonly Body<'phones.scan'>[],
  { client, phone }: ScanParts,
): Promise<Result<string, string>> => {
  try {
    const id = choosePhone((await client.call('phones.list')).phones, phone)
    if (id === undefined) return err(texts.scan.noPhone)
    for (const [at, body] of codes.entries()) {
      try {
        return ok((await client.call('phones.scan', { params: { id }, body })).name)
      } catch (reason) {
        if (at === codes.length - 1 || !NOTHING_SEEN.has(troubleIn(reason)?.word ?? '')) throw reason
      }
    }
    return err(texts.scan.noScreen)
  } catch (reason) {
    if (!(reason instanceof ControlError)) throw reason
    // The phone's reason says more than the call's error.
    const own = troubleIn(reason)
    return err(own === undefined ? reason.message : phoneText(texts.messages, own))
  }
}

export const troubleIn = (reason: unknown) =>
  reason instanceof ControlError ? parsePhoneTrouble(reason.data) : undefined
