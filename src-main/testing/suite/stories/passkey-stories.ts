import type { Ending } from '../../../core/contract/suite-findings.ts'
import { answers, scans, starts } from '../ceremony.ts'
import type { Visitor } from '../rp-driver.ts'
import { arm, broke, enter, HELD, type Stage, settled, stored, unplayable } from '../stage.ts'

/** The user is signed in, with the fault armed for their next action. */
const signedIn = async (stage: Stage): Promise<Visitor | undefined> => {
  const { persona } = stage
  const visitor = enter(stage, { who: persona.who }, { kept: persona.kept })
  const ceremony = { by: 'sign_in', user: persona.user, user_id: persona.user_id, phone: persona.phone } as const
  const started = await starts(stage, visitor, ceremony, false)
  if ((await scans(stage, ceremony, started)) !== undefined) return undefined
  await answers(persona.phone, 'approve')
  await settled(stage, visitor, started.begun)
  if ((await visitor.who()) !== persona.who) return undefined
  await arm(stage, { user_id: persona.user_id })
  return visitor
}

const NOT_SIGNED_IN = unplayable({ code: 'not_signed_in', params: { shown: '' } })

const listed = async (stage: Stage): Promise<Ending> => {
  const { persona, workspace, fault } = stage
  const visitor = await signedIn(stage)
  if (visitor === undefined) return NOT_SIGNED_IN
  const held = await stored(workspace, persona.user_id)
  const shown = await visitor.passkeys()
  stage.hasMarkup ||= await visitor.hasMarkup()
  if (fault === undefined) return shown?.length === held.length ? HELD : unplayable({ code: 'shows_no_passkeys' })
  // Fewer is failing closed; passkeys of others, or duplicates, are not.
  if (shown === undefined || (shown.length <= held.length && shown.every((id) => held.includes(id)))) return HELD
  return broke({ code: 'shows_other_passkeys', params: { shown, held } })
}

const removed = async (stage: Stage): Promise<Ending> => {
  const { persona, workspace, fault } = stage
  const visitor = await signedIn(stage)
  if (visitor === undefined) return NOT_SIGNED_IN
  const ids = await stored(workspace, persona.user_id)
  const said = await visitor.remove(ids)
  const went = ids.length - (await stored(workspace, persona.user_id)).length
  if (fault === undefined) return went === 1 ? HELD : unplayable({ code: 'removes_no_passkeys' })
  if (said === undefined || said === 'unsaid' || said === went) return HELD
  return broke({ code: 'removed_others', params: { said, went } })
}

export const PASSKEY_STORIES = { 'passkeys-listed': listed, 'passkeys-removed': removed } as const
