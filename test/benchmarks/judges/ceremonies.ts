import { createRandom } from '../../../src-main/bench/harness/random.ts'
import { toBase64url } from '../../../src-main/core/protocol/bytes.ts'
import { randomBelow } from '../../../src-main/core/protocol/random.ts'
import { makeRepeatableAuthority } from '../../../src-main/phones/authenticator/attestation/attestation-authority.ts'
import { getAssertion } from '../../../src-main/phones/authenticator/get-assertion.ts'
import { makeCredential } from '../../../src-main/phones/authenticator/make-credential.ts'
import { type AuthenticatorModel, MODELS } from '../../../src-main/phones/authenticator/models.ts'
import type { Credential } from '../../../src-main/phones/authenticator/seams.ts'
import {
  ALGORITHMS,
  type AlgorithmWord,
  ATTESTATIONS,
  creationOptions,
  type Kind,
  type Line,
  ORIGIN,
  RP_ID,
} from './line.ts'

const words = Object.keys(ALGORITHMS) as readonly AlgorithmWord[]
/** TPMs have no Ed25519. */
export const KINDS: readonly Kind[] = (Object.keys(ATTESTATIONS) as readonly (keyof typeof ATTESTATIONS)[]).flatMap(
  (attestation) =>
    words.filter((word) => word !== 'EdDSA' || attestation !== 'tpm').map((word): Kind => `${word} ${attestation}`),
)

const modelOf = (kind: Kind): AuthenticatorModel => {
  const [word, attestation] = kind.split(' ') as [AlgorithmWord, keyof typeof ATTESTATIONS]
  return {
    ...MODELS['every-algorithm'],
    algorithms: [word === 'EdDSA' ? 'Ed25519' : word],
    attestation: ATTESTATIONS[attestation],
    ...(attestation === 'tpm' && { variant: { attestationKey: word === 'RS256' ? 'RS256' : 'ES256' } }),
  }
}

const NOW = Date.UTC(2026, 5, 1)

/** The same for the same numbers: honest registrations of each kind in turn, then sign-ins with these credentials. */
export const makeLines = async (count: {
  readonly registrations: number
  readonly signIns: number
}): Promise<readonly Line[]> => {
  const random = createRandom({ seed: 1 }).stream('main', 'judges', 'bench')
  const ports = { random, now: () => NOW, attestationKeys: makeRepeatableAuthority({ random, now: NOW }) }
  const lines: Line[] = []
  const credentials: { kind: Kind; credential: Credential }[] = []
  for (let n = 0; n < count.registrations; n++) {
    const kind = KINDS[n % KINDS.length] ?? 'ES256 none'
    const options = creationOptions({ challenge: toBase64url(random.bytes(32)), user: toBase64url(random.bytes(32)) })
    const common = { origin: ORIGIN, model: modelOf(kind), storage: 'chip', userVerified: true } as const
    const made = await makeCredential({ ...common, options, existing: { forRp: () => [] } }, ports)
    if (!made.ok) throw new Error(made.error.code)
    const { credential, response } = made.value
    credentials.push({ kind, credential })
    lines.push(lineOf({ group: 'registration', kind, challenge: options.challenge, credential, response }))
  }
  for (let n = 0; n < count.signIns; n++) {
    const chosen = credentials[randomBelow(random, credentials.length)]
    if (chosen === undefined) throw new Error('a sign-in needs a registration')
    const { kind, credential } = chosen
    const options = { challenge: toBase64url(random.bytes(32)), rpId: RP_ID, userVerification: 'required' } as const
    const forRp = () => [credential]
    const made = await getAssertion({ options, origin: ORIGIN, userVerified: true, credentials: { forRp } }, ports)
    if (!made.ok) throw new Error(made.error.code)
    chosen.credential = made.value.credential
    const group = words.find((word) => kind.startsWith(word)) ?? 'ES256'
    lines.push(lineOf({ group, kind, challenge: options.challenge, credential, response: made.value.response }))
  }
  return lines
}

const lineOf = ({
  credential,
  response,
  ...line
}: Pick<Line, 'group' | 'kind' | 'challenge'> & {
  readonly credential: Credential
  readonly response: unknown
}): Line => ({ ...line, warm: false, user: credential.userHandle, id: credential.id, body: JSON.stringify(response) })
