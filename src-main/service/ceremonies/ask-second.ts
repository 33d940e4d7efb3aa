import type { AuthenticationCase, RegistrationCase } from '../../explain/ceremony-case.ts'
import type { Verdict } from '../../explain/verdict.ts'
import type { SecondOpinion } from '../../protocol/exchange-event.ts'
import { agrees, secondOpinion } from '../judge/second-opinion.ts'
import type { Turn } from '../services.ts'

/** What the second verifier says of the ceremony, if the profile wants it heard. */
export const askSecond = async (
  { profile, services }: Turn,
  ceremony: RegistrationCase | AuthenticationCase,
  verdict: Verdict<unknown>,
): Promise<SecondOpinion> => {
  if (profile.second_opinion === 'off') return { heard: false, reason: 'It is switched off (profile second_opinion).' }
  const opinion = await secondOpinion(ceremony, { wall: services.wall.now() })
  if (!opinion.heard) return { heard: false, reason: opinion.why }
  return { ...opinion, ...(agrees(verdict, opinion) ? {} : { disagrees: true }) }
}
