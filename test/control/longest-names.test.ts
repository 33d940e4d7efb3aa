import { expect, test } from 'vitest'
import { type ProfileKey, type ProfileSetting, profileSettings } from '../../src-main/contract/profile.ts'
import { cast, startTestBench } from '../support/bench.ts'

type LongestKey = Extract<ProfileKey, `${string}_max`>

/** Where a name of each kind is given. A setting that is new belongs here, and its highest value into row-rules.ts. */
const FIELDS: Readonly<Record<LongestKey, string>> = {
  user_id_max: 'user_id',
  username_max: 'username',
  display_name_max: 'display_name',
  credential_name_max: 'credential_name',
}

test('names as long as any profile allows can be exported and imported again', async () => {
  const longest = Object.entries<ProfileSetting>(profileSettings).flatMap(([key, { rule }]) =>
    Object.hasOwn(FIELDS, key) && rule.kind === 'number' ? [[key, rule.max] as const] : [],
  )
  const { client, close } = await startTestBench()
  try {
    const { rp, phone } = await cast(client)
    await client.call('profile.patch', { body: Object.fromEntries(longest) })
    // All four of four octets a character would be more than a request may hold.
    const names = longest.map(([key, max]) => [
      FIELDS[key as LongestKey],
      (FIELDS[key as LongestKey] === 'user_id' ? 'u' : '🦦').repeat(max),
    ])
    const body = { ...Object.fromEntries(names), poll: false } as { user_id: string; username: string }
    const { url } = await client.call('simulator.register', { params: { rp }, body })
    await client.call('phones.scan', { params: { id: phone }, body: { url } })
    await client.call('phones.approve', { params: { id: phone }, body: {} })
    const document = await client.call('workspace.export')
    await client.call('workspace.import', { body: document as never })
    const { credentials } = await client.call('credentials.list')
    expect(credentials.map(({ user_id }) => user_id)).toEqual([body.user_id])
  } finally {
    await close()
  }
})
