import type { BenchEvent } from '../contract/events.ts'
import type { DeviceSecrets, TraceSecrets } from '../contract/trace-secrets.ts'
import { MASK } from '../protocol/secret.ts'
import type { TraceEntry } from './trace-entry.ts'

/** Entries with what is masked in them, then the access keys that signed them. */
export async function* withSecrets(
  entries: AsyncIterable<TraceEntry> | Iterable<TraceEntry>,
  { devices, access_keys }: TraceSecrets,
): AsyncGenerator<TraceEntry> {
  const byDevice = new Map(devices.map((one) => [one.device_id, one]))
  const signed = new Set<string>()
  for await (const entry of entries) {
    if (!('event' in entry)) {
      yield entry
      continue
    }
    const { event } = entry
    if (event.kind === 'exchange' && event.access_key_id !== undefined) signed.add(event.access_key_id)
    yield { event: fillSecrets(event, (device) => byDevice.get(device)) }
  }
  for (const secret of access_keys) if (signed.has(secret.access_key_id)) yield { secret }
}

/** The event with what is masked in it, as far as the device's secrets are known. */
export const fillSecrets = (
  event: BenchEvent,
  secretsOf: (device: string) => DeviceSecrets | undefined,
): BenchEvent => {
  if (event.kind !== 'exchange' || event.device_id === undefined || !holdsMask(event)) return event
  const secrets = secretsOf(event.device_id)
  if (secrets === undefined) return event
  const { request, response } = event
  return {
    ...event,
    request: {
      ...request,
      headers: request.headers.map((pair) =>
        pair[1] === MASK && pair[0].toLowerCase() === 'authorization'
          ? [pair[0], `Bearer ${secrets.device_token}`]
          : pair,
      ),
      body: fillBody(request.body, secrets),
    },
    response: { ...response, body: fillBody(response.body, secrets) },
  }
}

const holdsMask = ({ request, response }: Extract<BenchEvent, { readonly kind: 'exchange' }>): boolean =>
  request.headers.some(([, value]) => value === MASK) || request.body.includes(MASK) || response.body.includes(MASK)

/** A body that is not JSON stays as it is: it was masked as a whole, or the sender wrote text like a mask. */
const fillBody = (body: string, secrets: DeviceSecrets): string => {
  if (!body.includes(MASK)) return body
  const known: Readonly<Record<string, string | undefined>> = {
    device_token: secrets.device_token,
    proof: secrets.proof,
  }
  try {
    return JSON.stringify(JSON.parse(body, (key, value: unknown) => (value === MASK ? (known[key] ?? value) : value)))
  } catch {
    return body
  }
}
