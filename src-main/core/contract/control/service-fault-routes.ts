import { RP_OPERATIONS } from '../rp/routes.ts'
import { RP_CARES } from '../rp-care.ts'
import * as t from '../schema.ts'
import { scope } from '../scope.ts'
import { MAX_ARMED, SERVICE_FAULT_GROUPS, SERVICE_FAULT_NAMES } from '../service-faults.ts'
import { howOften } from './phone-state.ts'
import { type ControlRoutes, del, get, post } from './route.ts'

export const seenBy = t.choice(
  [...RP_CARES, 'either', 'neither'],
  'Which RP simulator ends otherwise under the fault; of `neither` the phone or the timeline shows it.',
)

const name = {
  ...t.choice(SERVICE_FAULT_NAMES, 'A name of `GET /service-faults`.'),
  ...t.expecting({ code: 'service_fault' }),
}
const operation = t.choice(RP_OPERATIONS)

export const newServiceFault = t.object({
  fault: name,
  ...t.allOptional({
    ...howOften,
    parameters: t.dictionary('Those of the fault, by name.'),
    only: t.list(operation, 'The calls that it strikes, among those of the fault; an empty list: all of them.'),
    scope,
  }),
})

export const armedServiceFault = t.answer({
  id: t.text(),
  fault: name,
  left: t.optional(t.count('Answers it will still strike.')),
  probability: t.optional(t.decimal()),
  parameters: t.optional(t.dictionary()),
  only: t.list(operation),
  scope: t.optional(scope),
})

export const armedServiceFaults = t.answer({ faults: t.list(armedServiceFault, { maxItems: MAX_ARMED }) })

export type NewServiceFault = t.ValueOf<typeof newServiceFault>
export type ArmedServiceFault = t.ValueOf<typeof armedServiceFault>

export const serviceFaultRoutes = {
  'service.arm': post('/service/faults', 'Arms a fault of the service for the next answers to RPs.', {
    body: t.object({
      ...newServiceFault.properties,
      lease: t.optional(t.text('A lease: the fault is disarmed when it ends.')),
    }),
    data: armedServiceFault,
  }),
  'service.faults': get('/service/faults', 'The armed faults of the service, oldest first.', {
    data: armedServiceFaults,
  }),
  'service.disarm-all': del('/service/faults', 'Disarms all faults of the service.', { data: armedServiceFaults }),
  'service.disarm': del('/service/faults/{id}', 'Disarms one fault of the service.', {
    params: t.object({ id: t.text('The armed fault.') }),
    data: armedServiceFaults,
  }),
  'catalogue.service-faults': get('/service-faults', 'The faults that can be armed on the service.', {
    data: t.answer({
      faults: t.list(
        t.answer({
          name: t.text(),
          group: t.choice(SERVICE_FAULT_GROUPS),
          title: t.text('What the service gets wrong.'),
          careful: t.text('What a careful RP does.'),
          harm: t.choice(['admits', 'breaks'], '`admits`: an RP that falls for it lets somebody in who should not be.'),
          seen: seenBy,
          on: t.described(t.list(operation), 'The calls whose answers it can strike.'),
          when: t.text('What an answer must say for the fault to strike it.'),
          parameters: t.optional(t.dictionary('By name what each may be, and what it is by itself.')),
        }),
      ),
    }),
  }),
} as const satisfies ControlRoutes

export const catalogueRoutes = {
  'catalogue.models': get('/phone-models', 'The models a phone can be.', {
    data: t.answer({
      models: t.list(
        t.answer({
          name: t.text(),
          title: t.text(),
          aaguid: t.text(),
          algorithms: t.list(t.text('The first that the service lists is taken.')),
          choices: t.list(t.text('An algorithm that a phone of this model can be told to use.')),
          attestation: t.text(),
          variant: t.optional(t.dictionary('In what its attestation differs from others of its format.')),
          storage: t.choice(['chip', 'cloud']),
          counter: t.choice(['growing', 'zero', 'stuck']),
          credentialIdLength: t.count(),
          discoverable: t.flag(),
          transports: t.list(t.text()),
        }),
      ),
    }),
  }),
  'catalogue.faults': get('/phone-faults', 'The faults that can be armed on a phone.', {
    data: t.answer({
      faults: t.list(
        t.answer({
          name: t.text(),
          title: t.text(),
          ceremony: t.choice(['registration', 'authentication', 'both', 'none'], '`none`: it strikes a signal.'),
          seam: t.text('Where it strikes.'),
          expected: t.anything(
            'What a correct service shows: a status, a machine word or a code, `none` of a signal; by ceremony where they differ.',
          ),
          seen: seenBy,
          needs: t.optional(t.dictionary('What must be so for it to be felt.')),
          action: t.optional(t.text('Carried out by the phone, not inside the authenticator.')),
          parameters: t.optional(
            t.dictionary('What whoever arms it may change: whole numbers, here as they are by themselves.'),
          ),
          smallest: t.optional(t.dictionary('The smallest that each of them may be.')),
          largest: t.optional(t.dictionary('The largest that each of them may be.')),
        }),
      ),
    }),
  }),
} as const satisfies ControlRoutes
