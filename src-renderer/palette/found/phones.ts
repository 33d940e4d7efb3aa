import type { ControlPhone } from '../../../src-main/core/contract/control/states.ts'
import { texts } from '../../ui/texts.ts'
import { createSource, type Finding, type FindingSource } from './finding.ts'

/** Settings on the console’s page of phones, in its order. */
export const PHONE_SETTINGS = ['name', 'online', 'model', 'algorithm', 'storage', 'answer', 'delay'] as const

export type PhoneSetting = (typeof PHONE_SETTINGS)[number]

export const phonesSource = (phones: readonly ControlPhone[]): FindingSource => {
  const { console: words, frame } = texts
  const leads = `${frame.console} · ${words.phones}`
  const at = (id: string, part: string): Finding['to'] => ({
    address: { screen: 'console', place: { kind: 'phones', id, part } },
  })
  return createSource(
    'phones',
    phones.flatMap(({ id, name, model, account, device_id }) => [
      {
        key: id,
        title: name,
        leads,
        ids: device_id === undefined ? [id] : [id, device_id],
        also: `${words.phones} ${model} ${account.name} ${account.phone}`,
        to: at(id, 'name'),
      },
      ...PHONE_SETTINGS.filter((part) => part !== 'name').map((part) => ({
        key: `${id}-${part}`,
        title: `${name}: ${words.phonesPage[part]}`,
        leads,
        also: texts.palette.found.also[part] ?? '',
        to: at(id, part),
      })),
    ]),
  )
}
