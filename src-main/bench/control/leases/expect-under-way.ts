import type { Refusal } from '../../../core/contract/errors.ts'
import type { Result } from '../../../core/protocol/result.ts'
import type { Admin } from '../../../service/admin/admin.ts'
import { BEFORE_ALL } from './lease.ts'
import type { TraceReader, User } from './lease-traces.ts'

const MOST = 1000

/**
 * Tells what was under way before the start: what a phone has taken, and what these users are to answer. A registration
 * that no phone has taken may be of others, and expires by itself.
 */
export const expectUnderWay = async (
  { messages }: Pick<Admin, 'messages'>,
  { workspace, users }: { readonly workspace: string; readonly users: readonly User[] },
  reader: Pick<TraceReader, 'expect'>,
): Promise<void> => {
  const tell = (found: Result<readonly Told[], Refusal>): void => {
    for (const { id, rp, user_id, kind, device } of found.ok ? found.value : []) {
      const began = kind === 'authentication' ? BEFORE_ALL + 1 : BEFORE_ALL
      reader.expect({ id, rp, user_id, began, ...(device === undefined ? {} : { boundBy: device }) })
    }
  }
  tell(await messages.list(workspace, { state: 'bind', limit: MOST }))
  for (const user of users) tell(await messages.list(workspace, { ...user, state: 'init', limit: MOST }))
}

type Told = {
  readonly id: string
  readonly rp: string
  readonly user_id: string
  readonly kind: 'registration' | 'authentication'
  readonly device?: string
}
