import type { FindingReason, Mistake } from '../../core/contract/suite-findings.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { approveRequest, notBegunReason, playCeremony, startRequest } from './ceremony.ts'
import { RpBroken, type RpDriver, type Visitor } from './rp-driver.ts'
import { openStage, openVisitor, type Persona, type Stage, type SuiteContext } from './stage.ts'

export type Made = Result<Persona, { readonly reason: FindingReason; readonly mistakes: readonly Mistake[] }>

/** Registers and signs in a user with an honest service, and learns the RP's name for the user. */
export const makePersona = async (scenery: SuiteContext, driver: RpDriver): Promise<Made> => {
  const mistakes: Mistake[] = []
  const no = (reason: FindingReason): Made => err({ reason, mistakes })
  const rp = driver.open(() => undefined)
  try {
    const user = await rp.prepare(scenery.newUser())
    const phone = await scenery.newPhone()
    const nobody: Persona = { user, phone, user_id: '', who: '', kept: {} }
    const story = 'registration-approved'
    const stage = openStage(scenery, { rp, persona: nobody, story, fault: undefined, trial: 'persona', mistakes })
    const first = openVisitor(stage, 'newcomer')
    const ceremony = { by: 'register', answer: 'approve', user, user_id: undefined, phone } as const
    const { ending, started, state } = await playCeremony(stage, first, ceremony)
    if (ending.verdict !== 'held') return no(ending.reason)
    if (state !== 'done' || started?.message === undefined)
      return no({ code: 'not_registered', params: { shown: (await first.shown()).text } })
    const { user_id } = started.message
    const kept = first.kept()
    const second = openVisitor(stage, 'newcomer', { kept })
    const who = await signInPersona(stage, second, { user, phone, user_id, who: '', kept })
    if (!who.ok) return no(who.error)
    return ok({ user, phone, user_id, who: who.value, kept })
  } catch (error) {
    if (error instanceof RpBroken) return no(error.mistake)
    throw error
  } finally {
    await rp.close()
  }
}

export const signInPersona = async (
  stage: Stage,
  visitor: Visitor,
  { user, user_id, phone }: Persona,
): Promise<Result<string, FindingReason>> => {
  const started = await startRequest(stage, visitor, { by: 'sign_in', user, user_id }, false)
  if (!started.begun.ok) return err(notBegunReason({ user }, started.begun.refusal))
  const approved = await approveRequest(stage, visitor, { by: 'sign_in', phone }, started)
  if (!approved.ok) return approved
  const who = await visitor.who()
  if (who !== undefined) return ok(who)
  return err({ code: 'not_signed_in', params: { shown: `${approved.value}: ${(await visitor.shown()).text}` } })
}
