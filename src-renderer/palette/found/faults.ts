import type { ControlPhone } from '../../../src-main/core/contract/control/states.ts'
import { FAULT_NAMES } from '../../../src-main/core/contract/faults.ts'
import { breakSomething } from '../../faults/breaking.ts'
import { type FaultEntry, type Listed, phoneEntries, searchOf, serviceEntries } from '../../faults/fault-entries.ts'
import { faultText, messages } from '../../ui/messages.ts'
import { texts } from '../../ui/texts.ts'
import { type Source, sourceOf } from './finding.ts'

/**
 * What can be broken, found by its name, its text and by what people call such a thing. `listed`: what the service says
 * of the phones' faults.
 */
export const faultsSource = (phones: readonly ControlPhone[], listed: readonly Listed[] = []): Source => {
  const { breaking } = texts
  const [phone] = phones
  const adviceOf = ({ group, should }: FaultEntry) => `${group} · ${breaking.should}${messages.shoulds[should]}`
  const ofService = serviceEntries().map((entry) => ({
    key: entry.name,
    title: entry.title,
    leads: adviceOf(entry),
    also: `${entry.search} ${breaking.service}`,
    to: { run: () => breakSomething({ of: 'service', fault: entry.name, anchor: anchorOf('timeline') }) },
  }))
  const known = new Map(phoneEntries(listed).map((entry) => [entry.name, entry]))
  const ofPhone =
    phone === undefined
      ? []
      : FAULT_NAMES.map((name) => {
          const entry = known.get(name)
          return {
            key: `phone-${name}`,
            title: faultText(name),
            leads: entry === undefined ? breaking.phone(phone.name) : `${phone.name} · ${adviceOf(entry)}`,
            also: entry?.search ?? searchOf(name),
            to: {
              run: () => breakSomething({ of: { phone: phone.id }, fault: name, anchor: anchorOf('phone-stand') }),
            },
          }
        })
  return sourceOf('faults', [...ofService, ...ofPhone])
}

const anchorOf = (part: string): Element | undefined =>
  document.querySelector(`[data-part="${part}"] [data-part="break-button"]`) ?? undefined
