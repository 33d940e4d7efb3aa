import { list, object, text, type ValueOf, whole } from './schema.ts'
import { scope } from './scope.ts'

const ids = list(text())

/** Stored so that the lease expires after a restart as well. */
export const keptLease = object({
  id: text(),
  name: text(),
  ttl_ms: whole(),
  phones: ids,
  workspaces: ids,
  faults: ids,
  scopes: list(scope),
  devices: ids,
  accounts: ids,
  users: list(object({ rp: text(), user_id: text() })),
})

export const keptLeases = list(keptLease)

export type KeptLease = ValueOf<typeof keptLease>
