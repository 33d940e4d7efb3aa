import { defaultProfile, type Profile } from '../../core/contract/profile.ts'
import { ok } from '../../core/protocol/result.ts'
import { type Admin, inWorkspace, type Outcome, type Parts, recordSetting } from '../admin/admin.ts'
import type { Reach } from './settings.ts'

export const profileOf = (parts: Parts): Admin['profile'] => {
  const { settings } = parts.services
  const set = (
    workspace: string,
    change: string,
    next: (before: Profile) => Profile,
    reach?: Reach,
  ): Outcome<Profile> =>
    inWorkspace(parts, workspace, async () => {
      const profile = await settings.changeProfile(workspace, next, reach)
      recordSetting(parts, workspace, { subject: 'profile', change, detail: profile })
      return ok(profile)
    })
  return {
    get: (workspace) => inWorkspace(parts, workspace, async () => ok(settings.profile(workspace))),
    patch: (workspace, part) => set(workspace, 'changed', (before) => ({ ...before, ...part })),
    reset: (workspace) => set(workspace, 'reset', () => defaultProfile, 'all'),
  }
}
