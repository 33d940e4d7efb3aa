import { count, list, partial, shortText, text, type ValueOf, whole } from '../schema.ts'

const LABELS_MAX = 32
/** With a shorter lease, a job that pauses for a moment would count as abandoned. */
const LEASE_LEAST_MS = 1_000
const LEASE_MOST_MS = 31 * 86_400_000

/** Kinds that are left out are unlimited. */
export const quota = partial({
  phones: count('Phones.'),
  credentials: count('Credentials, of all users.'),
  messages: count('Messages under way at a time.'),
})

export const labels = list(shortText(), { maxItems: LABELS_MAX, uniqueItems: true, description: 'For finding it.' })

export const leaseMs = whole(
  'Closed once nobody has called its control interface, and no RP its service, for so long in real time.',
  { minimum: LEASE_LEAST_MS, maximum: LEASE_MOST_MS },
)

/** No reset, import or restore changes it. */
export const workspaceAbout = partial({
  owner: shortText('Whose it is, for people.'),
  labels,
  lease_ms: leaseMs,
  quota,
  opened_by: text('The token that opened it.'),
})

export type Quota = ValueOf<typeof quota>
export type WorkspaceAbout = ValueOf<typeof workspaceAbout>
