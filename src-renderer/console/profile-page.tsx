import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { defaultProfile, PROFILE_KEYS, profileSettings } from '../../src-main/core/contract/profile.ts'
import { Button, Problem, Segmented } from '../ui/primitives.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { translateText } from '../ui/service-words.ts'
import { texts } from '../ui/texts.ts'
import { useQuery, useRunAction } from '../ui/use-asked.ts'
import { useScrollTo } from '../ui/use-led-to.ts'
import { SettingRow } from './setting-row.tsx'

const groups = [...new Set(PROFILE_KEYS.map((key): string => profileSettings[key].group))]

/** Settings where the real service's behaviour is unknown, generated from the table that the service reads. */
export const ProfilePage = ({ setting: wanted }: { readonly setting: string | undefined }) => {
  const words = texts.console.profilePage
  const { send, problem } = useRunAction()
  const answer = useQuery((client) => client.call('profile.get'))
  const named = PROFILE_KEYS.find((key) => key === wanted)
  const [group, setGroup] = useState(named === undefined ? (groups[0] ?? '') : profileSettings[named].group)
  const profile = answer?.profile
  useScrollTo(wanted, profile !== undefined)
  if (profile === undefined) return null
  const changed = PROFILE_KEYS.filter((key) => JSON.stringify(defaultProfile[key]) !== JSON.stringify(profile[key]))
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
        {PROFILE_KEYS.filter((key) => profileSettings[key].group === group).map((key) => (
          <SettingRow
            key={key}
            led={key === wanted}
            settingKey={key}
            setting={profileSettings[key]}
            value={profile[key]}
            changed={changed.includes(key)}
            onChange={(value) => send('profile.patch', { body: { [key]: value } })}
            onReset={() => send('profile.reset', { body: { keys: [key] } })}
          />
        ))}
      </div>
    </>
  )
}
