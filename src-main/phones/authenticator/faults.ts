import { FAULT_NAMES, type FaultName } from '../../core/contract/faults.ts'
import { mapValues } from '../../core/protocol/json.ts'
import { statementFaults } from './faults/attestation-object-faults.ts'
import { authenticatorDataFaults } from './faults/authenticator-data-faults.ts'
import { certificateFaults } from './faults/certificate-faults.ts'
import { clientDataFaults } from './faults/client-data-faults.ts'
import type { Ceremony, Fault, FaultDefinition, FaultOutcome } from './faults/fault.ts'
import { formatFaults } from './faults/faults-of-one-format.ts'
import { PARAMETER_RANGES, type PhoneAction } from './faults/phone-action-names.ts'
import { phoneFaults } from './faults/phone-faults.ts'
import { publicKeyFaults } from './faults/public-key-faults.ts'
import { responseFaults } from './faults/response-faults.ts'
import { signatureFaults } from './faults/signature-faults.ts'

const TABLE = {
  ...clientDataFaults,
  ...authenticatorDataFaults,
  ...publicKeyFaults,
  ...statementFaults,
  ...certificateFaults,
  ...formatFaults,
  ...signatureFaults,
  ...responseFaults,
  ...phoneFaults,
} satisfies Readonly<Record<FaultName, FaultDefinition>>

/** Every fault by name, in the order in which a ceremony passes their seams. */
export const FAULTS: Readonly<Record<FaultName, Fault>> = Object.fromEntries(
  FAULT_NAMES.map((name) => [name, { name, ...(TABLE[name] as FaultDefinition) }]),
) as Record<FaultName, Fault>

/** The outcome at a correct service when the fault applies to this ceremony. */
export const expectedOutcome = ({ expected }: FaultDefinition, ceremony: Ceremony): FaultOutcome =>
  typeof expected === 'object' ? expected[ceremony] : expected

/** `either`: the service refuses the answer or lets it expire, which every RP sees; `neither`: no RP sees the fault. */
export const seenByRps = ({ expected }: FaultDefinition): 'either' | 'neither' => {
  const outcomes = typeof expected === 'object' ? Object.values(expected) : [expected]
  return outcomes.some((each) => typeof each === 'string' && !['success', 'none'].includes(each)) ? 'either' : 'neither'
}

/** A fault without its implementation: for pages and documents. */
export const describeFault = ({ apply, ...fault }: Fault) => ({
  ...fault,
  ...('phone' in apply ? describeAction(apply.phone) : {}),
})

const describeAction = ({ action, parameters = {} }: PhoneAction) => ({
  action,
  parameters,
  smallest: mapValues(parameters, (_, name) => PARAMETER_RANGES[name].least),
  largest: mapValues(parameters, (_, name) => PARAMETER_RANGES[name].most),
})
