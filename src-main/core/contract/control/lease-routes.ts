import { answer, count, duration, flag, list, object, partial, shortText, text } from '../schema.ts'
import { type ControlRoutes, del, get, post } from './route.ts'

/** Default lifetime of a lease without a stream, and the shortest first lifetime of any lease. */
export const LEASE_TTL_MS = 10_000

export const leaseState = answer({
  id: text(),
  name: text(),
  ttl_ms: count('How long it lasts once no stream holds it any more, in real time.'),
  held: flag('Whether a stream holds it now.'),
  phones: list(text(), 'The phones that were made with it and are there.'),
  workspaces: list(text(), 'The workspaces that were made with it.'),
})

export const removedCounts = answer({
  faults: count('Faults of the service that were still armed.'),
  conditions: count('Scopes that still had conditions of their own.'),
  phones: count(),
  devices: count('Devices that the phones could not sign out themselves.'),
  messages: count('Messages that were ended because nobody is left to answer them.'),
  credentials: count(),
  accounts: count(),
  workspaces: count(),
})

const leaseId = object({ id: text('The lease.') })

/** A test owns the things it makes for a limited time; then they are removed, even if the test was killed. */
export const leaseRoutes = {
  'leases.list': get('/leases', 'The leases, oldest first.', { data: answer({ leases: list(leaseState) }) }),
  'leases.create': post(
    '/leases',
    'Begins a lease: what is made with it goes when it ends. It expires unless a stream holds it.',
    {
      body: partial({
        name: shortText('For display, such as the name of a test.'),
        ttl_ms: duration(
          'How long it lasts once no stream holds it any more, 10,000 when absent; a new one at least 10,000.',
          86_400_000,
        ),
      }),
      data: leaseState,
    },
  ),
  'leases.get': get('/leases/{id}', 'One lease.', { params: leaseId, data: leaseState }),
  'leases.hold': get(
    '/leases/{id}/hold',
    'A stream that keeps the lease from expiring while it is open. It ends with the lease, and tells nothing.',
    { stream: true, params: leaseId, data: leaseState },
  ),
  'leases.delete': del(
    '/leases/{id}',
    'Ends a lease: disarms its faults of the service, sets its conditions back, removes its phones, what they registered, their accounts, and ends what they were asked.',
    { params: leaseId, data: answer({ removed: removedCounts }) },
  ),
} as const satisfies ControlRoutes
