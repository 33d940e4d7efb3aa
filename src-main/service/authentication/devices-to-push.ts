import type { RequestContext } from '../services.ts'
import type { CredentialRecord } from '../store/records.ts'

/** A device-bound credential's push goes to its device, a cloud credential's to all devices of its account. */
export const devicesToPush = async (
  { services, workspace }: RequestContext,
  held: readonly CredentialRecord[],
): Promise<readonly string[]> => {
  const ids = new Set<string>()
  for (const { storage, device, account } of held) {
    if (storage === 'chip') ids.add(device)
    else for (const { id } of await services.store.devices.list(workspace, { account })) ids.add(id)
  }
  return [...ids]
}
