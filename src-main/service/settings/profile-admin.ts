import type { Refusal } from '../../contract/errors.ts'
import { defaultProfile, type Profile, parseProfile } from '../../contract/profile.ts'
import { refuseSetting } from '../../contract/setting-problem.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Admin } from '../admin/admin.ts'
import { inWorkspace, type Parts, recordSetting } from '../admin/parts.ts'

export const profileOf = (parts: Parts): Admin['profile'] => {
  const { settings } = parts.services
  const set = async (
    workspace: string,
    change: string,
    next: (before: Profile) => Result<Profile, Refusal>,
  ): Promise<Result<Profile, Refusal>> => {
    const profile = await settings.changeProfile(workspace, next)
    if (profile.ok) recordSetting(parts, workspace, { subject: 'profile', change, detail: profile.value })
    return profile
  }
  return {
    get: (workspace) => inWorkspace(parts, workspace, async () => ok(settings.profile(workspace))),
    patch: (workspace, part) =>
      inWorkspace(parts, workspace, () =>
        set(workspace, 'changed', (before) => {
          const profile = parseProfile(part, before)
          return profile.ok ? profile : err(refuseSetting(profile.error))
        }),
      ),
    reset: (workspace) => inWorkspace(parts, workspace, () => set(workspace, 'reset', () => ok(defaultProfile))),
  }
}
