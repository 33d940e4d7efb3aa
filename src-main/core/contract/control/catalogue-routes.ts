import { answer, anything, choice, count, dictionary, flag, list, optional, text } from '../schema.ts'
import type { ControlRoutes } from './route.ts'
import { seenBy } from './service-fault-routes.ts'

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
