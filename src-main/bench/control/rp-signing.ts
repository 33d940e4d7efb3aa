import { refuse } from '../../core/contract/errors.ts'
import { err, ok } from '../../core/protocol/result.ts'
import type { Clock } from '../../core/protocol/time.ts'
import type { Admin } from '../../service/admin/admin.ts'
import type { BenchClocks } from '../harness/clocks.ts'
import type { RelyingPartiesOptions } from '../harness/relying-parties.ts'

/** The time and the key by which a simulated RP signs, as its workspace has them. */
export const createRpSigning = ({
  admin,
  clock,
  real,
}: {
  readonly admin: Admin
  readonly clock: BenchClocks['of']
  readonly real: Clock
}): Pick<RelyingPartiesOptions, 'signingTime' | 'keyOf'> => ({
  signingTime: async (workspace) => {
    const profile = await admin.profile.get(workspace)
    return profile.ok && profile.value.skew_clock === 'bench' ? clock(workspace).now() : real.now()
  },
  keyOf: async (workspace, rp) => {
    const keys = await admin.accessKeys.list(workspace, rp)
    if (!keys.ok) return keys
    const active = keys.value.find(({ state }) => state === 'active')
    if (active === undefined) return err(refuse('wrong_state', { code: 'no_active_key' }))
    const revealed = await admin.accessKeys.reveal(workspace, active.id)
    return revealed.ok ? ok({ accessKeyId: revealed.value.id, secretKey: revealed.value.secret }) : revealed
  },
})
