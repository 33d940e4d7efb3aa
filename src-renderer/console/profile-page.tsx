import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import {
  defaultProfile,
  PROFILE_KEYS,
  type ProfileKey,
  type ProfileSetting,
  profileSettings,
} from '../../src-main/core/contract/profile.ts'
import { Button, Problem, Segmented } from '../ui/primitives.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { translateText } from '../ui/service-words.ts'
import { texts } from '../ui/texts.ts'
import { useQuery, useRunAction } from '../ui/use-asked.ts'
import { useScrollTo } from '../ui/use-led-to.ts'
import { SettingRow } from './setting-row.tsx'

const settings: readonly (readonly [ProfileKey, ProfileSetting])[] = PROFILE_KEYS.map((key) => [
  key,
  profileSettings[key],
])
const groups = [...new Set(settings.map(([, { group }]) => group))]

/** Settings where the real service's behaviour is unknown, generated from the table that the service reads. */
export const ProfilePage = ({ setting: wanted }: { readonly setting: string | undefined }) => {
  const words = texts.console.profilePage
  const { send, problem } = useRunAction()
  const answer = useQuery((client) => client.call('profile.get'))
  const [group, setGroup] = useState(() => settings.find(([key]) => key === wanted)?.[1].group ?? groups[0] ?? '')
  const profile = answer?.profile
  useScrollTo(wanted, profile !== undefined)
  if (profile === undefined) return null
  const changed = settings.filter(([key]) => !isDefault(key, profile[key]))
  return (
    <>
      <SectionHead of="page" title={texts.console.profile} lead={words.lead}>
        <Segmented
          name={words.groups}
          value={group}
          options={groups.map((value) => ({ value, text: translateText('profileGroups', value, value) }))}
          onPick={setGroup}
        />
        <span className="grow" />
        {changed.length === 0 ? null : (
          <Button
            Icon={RotateCcw}
            look="ghost"
            onClick={() => send('profile.reset', { body: {} })}
            text={words.resetAll(changed.length)}
          />
        )}
      </SectionHead>
      <Problem problem={problem} />
      <div className="line-above">
        {settings
          .filter(([, setting]) => setting.group === group)
          .map(([key, setting]) => (
            <SettingRow
              key={key}
              led={key === wanted}
              settingKey={key}
              setting={setting}
              value={profile[key]}
              changed={!isDefault(key, profile[key])}
              onChange={(value) => send('profile.patch', { body: { [key]: value } })}
              onReset={() => send('profile.reset', { body: { keys: [key] } })}
            />
          ))}
      </div>
    </>
  )
}

const isDefault = (key: ProfileKey, value: unknown): boolean =>
  JSON.stringify(defaultProfile[key]) === JSON.stringify(value)
