import { type Refusal, refuse } from '../../protocol/errors.ts'
import { defaultProfile, type Profile, parseProfile } from '../../protocol/profile.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Console } from './console.ts'
import { inWorkspace, type Parts, tellSetting } from './parts.ts'

export const profileOf = (parts: Parts): Console['profile'] => {
  const { settings } = parts.services
  const set = async (workspace: string, profile: Profile, change: string): Promise<Result<Profile, Refusal>> => {
    await settings.setProfile(workspace, profile)
    tellSetting(parts, workspace, { subject: 'profile', change, detail: profile })
    return ok(profile)
  }
  return {
    get: (workspace) => inWorkspace(parts, workspace, async () => ok(settings.profile(workspace))),
    patch: (workspace, part) =>
      inWorkspace(parts, workspace, async () => {
        const profile = parseProfile(part, settings.profile(workspace))
        return profile.ok ? set(workspace, profile.value, 'changed') : err(refuse('invalid_parameter', profile.error))
      }),
    reset: (workspace) => inWorkspace(parts, workspace, () => set(workspace, defaultProfile, 'reset')),
  }
}
