import type { MessageVerdict } from '../../core/contract/control/states.ts'
import type { Overruling } from '../../core/contract/judge/failure-words.ts'
import type { Profile } from '../../core/contract/profile.ts'
import { algorithmName } from '../../core/judge/algorithms.ts'
import type { AuthenticationCase, Expectations, RegistrationCase } from '../../core/judge/ceremony-case.ts'
import type { JudgeSwitches } from '../../core/judge/switches.ts'
import type { Verdict } from '../../core/judge/verdict.ts'
import type { Judged } from '../second-opinion/opinions.ts'
import { formOpinion } from '../second-opinion/second-opinions.ts'
import { observeIn, type RequestContext } from '../services.ts'
import type { MessageRecord, RpRecord } from '../store/store.ts'

type Judgement = {
  readonly ceremony: RegistrationCase | AuthenticationCase
  readonly verdict: Verdict<unknown>
}

/** The stored verdict on a ceremony, and the judgement for a second opinion that no request waits for. */
export type Heard = { readonly verdict: MessageVerdict; readonly judgement: Judged }

/** Only under `must-agree` the second opinion has a vote, and the answer waits for it. */
export const hear = async ({ profile, services }: RequestContext, { ceremony, verdict }: Judgement): Promise<Heard> => {
  const record = verdictRecord(verdict, ceremony.response)
  const { accepted, failure } = verdict
  // Hundreds wait for their second opinion: what was decoded and every step would wait with them.
  const judgement: Judged = { ceremony, verdict: { accepted, ...(failure && { failure }) } }
  if (profile.second_opinion !== 'must-agree') return { verdict: record, judgement }
  const second_opinion = await formOpinion(judgement, services.wall)
  return { verdict: withSecondVote({ ...record, second_opinion }), judgement }
}

/** The part of a judgement that is stored with the message. */
const verdictRecord = (
  verdict: Pick<Verdict<unknown>, 'accepted' | 'failure' | 'steps' | 'decoded'>,
  response: unknown,
): MessageVerdict => ({
  accepted: verdict.accepted,
  ...(verdict.failure === undefined ? {} : { failure: verdict.failure }),
  ...(verdict.decoded.algorithm === undefined ? {} : { algorithm: algorithmName(verdict.decoded.algorithm) }),
  steps: verdict.steps,
  response,
})

export const overruled = (verdict: MessageVerdict, word: Overruling): MessageVerdict => ({
  ...verdict,
  accepted: false,
  failure: { word, step: 'service' },
})

/** Refuses if only the judge accepts. */
export const withSecondVote = (verdict: MessageVerdict): MessageVerdict =>
  verdict.accepted && verdict.second_opinion?.disagrees === true
    ? overruled(verdict, 'second_opinion_disagrees')
    : verdict

export const observeVerdict = (context: RequestContext, message: MessageRecord, verdict: MessageVerdict): void => {
  const { response: _response, ...told } = verdict
  observeIn(context, { kind: 'service' }, { kind: 'verdict', msg_id: message.id, ceremony: message.kind, ...told })
}

/** The same for both ceremonies. */
export const expectationsOf = (rp: RpRecord, profile: Profile): Expectations => ({
  origins: rp.origins,
  rpId: rp.rp_id,
  ...(profile.top_origins.length === 0 ? {} : { crossOrigin: { allowed: true, topOrigins: profile.top_origins } }),
  switches: switchesOf(profile.judge_relaxes),
})

export const switchesOf = (relaxed: Profile['judge_relaxes']): JudgeSwitches => ({
  acceptU2fAaguid: relaxed.includes('u2f-aaguid'),
  acceptUnknownTpmManufacturer: relaxed.includes('tpm-manufacturer'),
  acceptTpmSha1Names: relaxed.includes('tpm-sha1-names'),
  acceptAndroidKeyWithoutAuthorizations: relaxed.includes('android-key-authorizations'),
  acceptAppleAlg: relaxed.includes('apple-alg'),
  acceptSignatureUnusedBits: relaxed.includes('certificate-unused-bits'),
  acceptNonCanonicalCbor: relaxed.includes('non-canonical-cbor'),
  acceptReservedFlags: relaxed.includes('reserved-flags'),
  acceptAnyTokenBinding: relaxed.includes('token-binding'),
})
