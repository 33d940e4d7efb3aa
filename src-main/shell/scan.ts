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

export const scanAddress = async (url: string, { client, phone }: ScanParts): Promise<Result<string, string>> =>
  withPhone(client, phone, (id) => scanWith(client, id, { url }))

export const scanPictures = async (
  pictures: readonly Picture[],
  { client, phone }: ScanParts,
): Promise<Result<string, string>> =>
  withPhone(client, phone, async (id) => {
    let outcome: Outcome = err({ text: texts.scan.noScreen })
    for (const image of pictures) {
      outcome = await scanWith(client, id, { image })
      if (outcome.ok || !NOTHING_SEEN.has(outcome.error.word ?? '')) return outcome
    }
    return outcome
  })

/** After these refusals of the phone, the next picture is tried. */
const NOTHING_SEEN = new Set(['no_code', 'not_ours', 'foreign_code'])

type Outcome = Result<string, { readonly text: string; readonly word?: string }>

const withPhone = async (
  client: ControlClient,
  named: string | undefined,
  scan: (id: string) => Promise<Outcome>,
): Promise<Result<string, string>> => {
  const id = await asOutcome(async () => choosePhone((await client.call('phones.list')).phones, named) ?? '')
  if (!id.ok) return err(id.error.text)
  if (id.value === '') return err(texts.scan.noPhone)
  const outcome = await scan(id.value)
  return outcome.ok ? outcome : err(outcome.error.text)
}

const scanWith = (client: ControlClient, id: string, body: Body<'phones.scan'>): Promise<Outcome> =>
  asOutcome(async () => (await client.call('phones.scan', { params: { id }, body })).name)

const asOutcome = async (ask: () => Promise<string>): Promise<Outcome> => {
  try {
    return ok(await ask())
  } catch (reason) {
    if (!(reason instanceof ControlError)) throw reason
    // The phone's reason says more than the call's error.
    const own = parsePhoneTrouble(reason.data)
    return err(own === undefined ? { text: reason.message } : { text: phoneText(texts.messages, own), word: own.word })
  }
}
