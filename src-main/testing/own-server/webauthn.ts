import { createRandom } from '../../bench/harness/random.ts'
import { findProblem } from '../../core/contract/validate.ts'
import { POLICIES, webauthnServerSchema } from '../../core/contract/webauthn-server.ts'
import { didYouMean } from '../../core/protocol/nearest.ts'
import { realNow } from '../../sdk/real-time.ts'
import { WEBAUTHN_CASES } from '../check/webauthn/cases.ts'
import { checkWebauthn } from '../check/webauthn/run.ts'
import type { WebauthnTarget } from '../check/webauthn/server.ts'

/** A case of `handset check --webauthn`: one mistake of an authenticator, or one thing that a server must accept. */
export type WebauthnCase = {
  readonly id: string
  readonly name: string
  /** The step of WebAuthn Level 3 that a server breaks when the case fails. */
  readonly step: string
  /** Played only for a server with this rule. */
  readonly policy?: string
}

export const webauthnCases: readonly WebauthnCase[] = WEBAUTHN_CASES.map(({ id, name, step, policy }) => ({
  ...{ id, name, step },
  ...(policy === undefined ? {} : { policy }),
}))

/** Your server, as a file of `handset check --webauthn --config` describes it; without `calls` it has FIDO's test API. */
export type WebauthnServer = {
  readonly url: string
  /** The origin of its page; that of `url` when absent. */
  readonly origin?: string
  /** The certificates to trust, PEM. */
  readonly ca?: string
  /** Rules that the server enforces, though WebAuthn leaves them open. */
  readonly policies?: readonly string[]
  readonly user_id?: string
  readonly before?: readonly object[]
  readonly calls?: object
}

export type WebauthnVerdict = WebauthnCase & {
  readonly verdict: 'passed' | 'failed' | 'vacuous' | 'warning' | 'skipped'
  readonly text: string
}

/** Plays the cases with these ids, or all of them. */
export const playWebauthn = async (
  server: WebauthnServer,
  ids: readonly string[] = webauthnCases.map(({ id }) => id),
): Promise<readonly WebauthnVerdict[]> => {
  const { policies = [], ...target } = server
  const wrong = problemOf(server)
  if (wrong !== undefined) throw new TypeError(`handset: ${wrong}`)
  const stranger = ids.find((id) => !webauthnCases.some((each) => each.id === id))
  if (stranger !== undefined) {
    const known = webauthnCases.map(({ id }) => id)
    throw new TypeError(`handset: there is no case "${stranger}".${didYouMean(stranger, known)}`)
  }
  const played = await checkWebauthn({
    target: target as WebauthnTarget,
    cases: WEBAUTHN_CASES.filter(({ id }) => ids.includes(id)),
    policies: new Set(POLICIES.filter((policy) => policies.includes(policy))),
    random: createRandom().stream('check', 'check', 'check'),
    ...{ parallel: 4, now: realNow, signal: new AbortController().signal, onResult: () => undefined },
  })
  return played.map(({ case: { id, name, step }, finding: { verdict, text = '' } }) => {
    if (verdict === 'review') throw new Error(`handset: nobody can look at ${id} here.`)
    return { id, name, step, verdict, text }
  })
}

/** Plays one case; rejects if it FAILED or proves nothing, else resolves with its verdict. */
export const holdWebauthn = async (server: WebauthnServer, id: string): Promise<WebauthnVerdict> => {
  const [played] = await playWebauthn(server, [id])
  if (played === undefined) throw new Error(`handset: ${id} was not played.`)
  if (played.verdict === 'failed' || played.verdict === 'vacuous')
    throw new Error(
      `handset: ${played.verdict.toUpperCase()}, WebAuthn §${played.step}: ${played.name}: ${played.text}`,
    )
  return played
}

const problemOf = ({ ca, ...server }: WebauthnServer): string | undefined => {
  const stranger = (server.policies ?? []).find((policy) => !POLICIES.some((each) => each === policy))
  if (stranger !== undefined) return `there is no policy "${stranger}"; they are ${POLICIES.join(', ')}.`
  if (server.calls === undefined) return URL.canParse(server.url) ? undefined : 'url must be an address.'
  const problem = findProblem({ ...server, ...(ca === undefined ? {} : { ca }) }, webauthnServerSchema)
  return (
    problem &&
    `${'field' in problem.params ? problem.params.field : 'the server'} is not as webauthn.yaml has it (${problem.code}).`
  )
}
