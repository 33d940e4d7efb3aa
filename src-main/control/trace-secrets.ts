import type { Refusal } from '../contract/errors.ts'
import type { TracedKey, TraceSecrets } from '../contract/trace-secrets.ts'
import type { SecretSource } from '../harness/trace-files.ts'
import { ok, type Result } from '../protocol/result.ts'
import type { ControlParts } from './control-parts.ts'

type Parts = Pick<ControlParts, 'admin' | 'phones'>

/** What events mask of a workspace, as far as it still has it. */
export const traceSecretsOf = async (
  { admin, phones }: Parts,
  workspace: string,
): Promise<Result<TraceSecrets, Refusal>> => {
  const rps = await admin.rps.list(workspace)
  if (!rps.ok) return rps
  const access_keys: TracedKey[] = []
  for (const { id } of rps.value) {
    const keys = await admin.accessKeys.list(workspace, id)
    // It may be gone by now.
    for (const key of keys.ok ? keys.value : []) {
      const revealed = await admin.accessKeys.reveal(workspace, key.id)
      if (revealed.ok) access_keys.push({ access_key_id: key.id, secret: revealed.value.secret })
    }
  }
  return ok({ access_keys, devices: phones.secrets(workspace) })
}

/** For traces that are written while the bench runs: what has been closed by then has no secrets any more. */
export const secretSource = (parts: () => Parts): SecretSource => ({
  devices: (workspace) => parts().phones.secrets(workspace),
  keys: async (workspace) => {
    const secrets = await traceSecretsOf(parts(), workspace)
    return secrets.ok ? secrets.value.access_keys : []
  },
})
