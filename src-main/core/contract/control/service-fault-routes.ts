import { RP_OPERATIONS } from '../rp/routes.ts'
import { RP_CARES } from '../rp-care.ts'
import {
  answer,
  anything,
  choice,
  count,
  decimal,
  described,
  dictionary,
  expecting,
  flag,
  list,
  object,
  optional,
  text,
  type ValueOf,
  whole,
} from '../schema.ts'
import { scope } from '../scope.ts'
import { MOST_ARMED, SERVICE_FAULT_GROUPS, SERVICE_FAULT_NAMES } from '../service-faults.ts'
import type { ControlRoutes } from './route.ts'

export const seenBy = choice(
  [...RP_CARES, 'either', 'neither'],
  'Which RP simulator ends otherwise under the fault; of `neither` the phone or the timeline shows it.',
)

const name = {
  ...choice(SERVICE_FAULT_NAMES, 'A name of `GET /service-faults`.'),
  ...expecting({ code: 'service_fault' }),
}
const operation = choice(RP_OPERATIONS)

export const newServiceFault = object({
  fault: name,
  times: optional(whole('Once when neither is given.', { minimum: 1, maximum: 1000 })),
  probability: optional(
    decimal('More than 0: a fault that never strikes is not armed.', { exclusiveMinimum: 0, maximum: 1 }),
  ),
  parameters: optional(dictionary('Those of the fault, by name.')),
  only: optional(
    list(operation, {
      description: 'The calls that it strikes, among those of the fault; an empty list: all of them.',
    }),
  ),
  scope: optional(scope),
})

export const armedServiceFault = answer({
  id: text(),
  fault: name,
  left: optional(count('Answers it will still strike.')),
  probability: optional(decimal()),
  parameters: optional(dictionary()),
  only: list(operation),
  scope: optional(scope),
})

export const armedServiceFaults = answer({ faults: list(armedServiceFault, { maxItems: MOST_ARMED }) })

export type NewServiceFault = ValueOf<typeof newServiceFault>
export type ArmedServiceFault = ValueOf<typeof armedServiceFault>

export const serviceFaultRoutes = {
  'service.arm': {
    method: 'POST',
    path: '/service/faults',
    scope: 'workspace',
    summary: 'Arms a fault of the service for the next answers to RPs.',
    body: object({
      ...newServiceFault.properties,
      lease: optional(text('A lease: the fault is disarmed when it ends.')),
    }),
    data: armedServiceFault,
  },
  'service.faults': {
    method: 'GET',
    path: '/service/faults',
    scope: 'workspace',
    summary: 'The armed faults of the service, oldest first.',
    data: armedServiceFaults,
  },
  'service.disarm-all': {
    method: 'DELETE',
    path: '/service/faults',
    scope: 'workspace',
    summary: 'Disarms all faults of the service.',
    data: armedServiceFaults,
  },
  'service.disarm': {
    method: 'DELETE',
    path: '/service/faults/{id}',
    scope: 'workspace',
    summary: 'Disarms one fault of the service.',
    params: object({ id: text('The armed fault.') }),
    data: armedServiceFaults,
  },
  'catalogue.service-faults': {
    method: 'GET',
    path: '/service-faults',
    scope: 'workspace',
    summary: 'The faults that can be armed on the service.',
    data: answer({
      faults: list(
        answer({
          name: text(),
          group: choice(SERVICE_FAULT_GROUPS),
          title: text('What the service gets wrong.'),
          careful: text('What a careful RP does.'),
          harm: choice(['admits', 'breaks'], '`admits`: an RP that falls for it lets somebody in who should not be.'),
          seen: seenBy,
          on: described(list(operation), 'The calls whose answers it can strike.'),
          when: text('What an answer must say for the fault to strike it.'),
          parameters: optional(dictionary('By name what each may be, and what it is by itself.')),
        }),
      ),
    }),
  },
} as const satisfies ControlRoutes

export const catalogueRoutes = {
  'catalogue.models': {
    method: 'GET',
    path: '/phone-models',
    scope: 'workspace',
    summary: 'The models a phone can be.',
    data: answer({
      models: list(
        answer({
          name: text(),
          title: text(),
          aaguid: text(),
          algorithms: list(text('The first that the service lists is taken.')),
          choices: list(text('An algorithm that a phone of this model can be told to use.')),
          attestation: text(),
          variant: optional(dictionary('In what its attestation differs from others of its format.')),
          storage: choice(['chip', 'cloud']),
          counter: choice(['growing', 'zero', 'stuck']),
          credentialIdLength: count(),
          discoverable: flag(),
          transports: list(text()),
        }),
      ),
    }),
  },
  'catalogue.faults': {
    method: 'GET',
    path: '/phone-faults',
    scope: 'workspace',
    summary: 'The faults that can be armed on a phone.',
    data: answer({
      faults: list(
        answer({
          name: text(),
          title: text(),
          ceremony: choice(['registration', 'authentication', 'both']),
          seam: text('Where it strikes.'),
          expected: anything(
            'What a correct service shows: a status, a machine word or a code; by ceremony where they differ.',
          ),
          seen: seenBy,
          needs: optional(dictionary('What must be so for it to be felt.')),
          action: optional(text('Carried out by the phone, not inside the authenticator.')),
          parameters: optional(
            dictionary('What whoever arms it may change: whole numbers, here as they are by themselves.'),
          ),
          smallest: optional(dictionary('The smallest that each of them may be.')),
          largest: optional(dictionary('The largest that each of them may be.')),
        }),
      ),
    }),
  },
} as const satisfies ControlRoutes
