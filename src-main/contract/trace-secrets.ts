import { answer, list, optional, text, type ValueOf } from './schema.ts'

/** The secret of an access key that signed a request of a trace. */
export const tracedKey = answer({ access_key_id: text(), secret: text() })

/** What events mask, as far as the workspace still has it. Private keys are in no event, so nothing masks them. */
export const traceSecrets = answer({
  access_keys: list(tracedKey),
  devices: list(
    answer({
      device_id: text(),
      device_token: text('The bearer token of its phone.'),
      proof: optional(text('By which its phone signed in.')),
    }),
    { description: 'Of the virtual phones that are signed in.' },
  ),
})

export type TracedKey = ValueOf<typeof tracedKey>
export type TraceSecrets = ValueOf<typeof traceSecrets>
export type DeviceSecrets = TraceSecrets['devices'][number]
