import type { ControlPhone } from '../../../src-main/contract/control/states.ts'
import { shouldOfService, topicsOf } from '../../../src-main/contract/fault-advice.ts'
import { FAULT_NAMES } from '../../../src-main/contract/faults.ts'
import { SERVICE_FAULT_NAMES, serviceFaultOf } from '../../../src-main/contract/service-faults.ts'
import { breakSomething } from '../../faults/breaking.ts'
import { faultText, messages, serviceFaultText } from '../../ui/messages.ts'
import { texts } from '../../ui/texts.ts'
import { type Source, sourceOf } from './finding.ts'

/** What can be broken, found by its name, its text and by what people call such a thing. */
export const faultsSource = (phones: readonly ControlPhone[]): Source => {
  const { breaking } = texts
  const [phone] = phones
  const topics = (name: Parameters<typeof topicsOf>[0]) =>
    topicsOf(name)
      .map((topic) => messages.faultTopics[topic])
      .join(' ')
  const ofService = SERVICE_FAULT_NAMES.map((name) => {
    const { group, act } = serviceFaultOf(name)
    return {
      key: name,
      title: serviceFaultText(name),
      leads: `${messages.serviceFaultGroups[group]} · ${breaking.should} ${messages.shoulds[shouldOfService(name)]}`,
      also: `${name} ${messages.carefulActs[act]} ${breaking.service} ${topics(name)}`,
      to: { run: () => breakSomething({ of: 'service', fault: name, anchor: anchorOf('timeline') }) },
    }
  })
  const ofPhone =
    phone === undefined
      ? []
      : FAULT_NAMES.map((name) => ({
          key: `phone-${name}`,
          title: faultText(name),
          leads: breaking.phone(phone.name),
          also: `${name} ${topics(name)}`,
          to: {
            run: () => breakSomething({ of: { phone: phone.id }, fault: name, anchor: anchorOf('phone-stand') }),
          },
        }))
  return sourceOf('faults', [...ofService, ...ofPhone])
}

const anchorOf = (part: string): Element | undefined =>
  document.querySelector(`[data-part="${part}"] [data-part="break-button"]`) ?? undefined
