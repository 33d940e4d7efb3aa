import type { DeletedData } from '../../protocol/app-json.ts'
import type { Refusal } from '../../protocol/errors.ts'
import { ok, type Result } from '../../protocol/result.ts'
import { observeIn, type Turn } from '../services.ts'
import type { SignedIn } from './signed-in.ts'

/** The token is dead from then on. */
export const signOut = async (turn: Turn, { device, account }: SignedIn): Promise<Result<DeletedData, Refusal>> => {
  const deleted = await turn.services.store.devices.delete(turn.workspace, device.id)
  turn.services.inboxes.end(turn.workspace, device.id)
  if (deleted) {
    const fact = { kind: 'device', change: 'signed_out', device_id: device.id, account: account.id } as const
    observeIn(turn, { kind: 'phone', id: device.id }, fact)
  }
  return ok({ deleted })
}
