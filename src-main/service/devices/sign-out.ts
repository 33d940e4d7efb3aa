import type { AppData } from '../../core/contract/app/routes.ts'
import type { Refusal } from '../../core/contract/errors.ts'
import { ok, type Result } from '../../core/protocol/result.ts'
import { observeIn, type RequestContext } from '../services.ts'
import type { SignedIn } from './authenticate-device.ts'

/** The token is dead from then on. */
export const signOut = async (
  context: RequestContext,
  { device, account }: SignedIn,
): Promise<Result<AppData<'devices.sign_out'>, Refusal>> => {
  const deleted = await context.services.store.devices.delete(context.workspace, device.id)
  context.services.inboxes.end(context.workspace, device.id)
  if (deleted) {
    const fact = { kind: 'device', change: 'signed_out', device_id: device.id, account: account.id } as const
    observeIn(context, { kind: 'phone', id: device.id }, fact)
  }
  return ok({ deleted })
}
