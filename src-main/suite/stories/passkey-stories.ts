import type { Finding } from '../../contract/suite-findings.ts'
import { broke, HELD, type Stage, signsIn, stored } from '../stage.ts'
import { NOT_SIGNED_IN } from './sign-in-stories.ts'

/** The user looks at their passkeys. */
const listed = async (stage: Stage): Promise<Finding> => {
  const visitor = stage.driver.visitor()
  if ((await signsIn(stage, visitor)) === undefined) return NOT_SIGNED_IN
  await stage.arm()
  const shown = await visitor.passkeys()
  if (shown === undefined) return stage.fault === undefined ? broke({ code: 'shows_no_passkeys' }) : HELD
  const held = await stored(stage)
  const same = shown.length === held.length && held.every((id) => shown.includes(id))
  return same ? HELD : broke({ code: 'shows_other_passkeys', params: { shown, held } })
}

/** The user removes their passkey. */
const removed = async (stage: Stage): Promise<Finding> => {
  const visitor = stage.driver.visitor()
  if ((await signsIn(stage, visitor)) === undefined) return NOT_SIGNED_IN
  const ids = await stored(stage)
  await stage.arm()
  const said = await visitor.remove(ids)
  const left = (await stored(stage)).length
  if (said === undefined) return stage.fault === undefined ? broke({ code: 'removes_no_passkeys' }) : HELD
  const went = ids.length - left
  return said === went ? HELD : broke({ code: 'removed_others', params: { said, went } })
}

export const PASSKEY_STORIES = { 'passkeys-listed': listed, 'passkeys-removed': removed } as const
