import type { CreationOptionsJson } from '../../../src-main/core/protocol/webauthn-json.ts'
import type { AttestationKind } from '../../../src-main/phones/authenticator/models.ts'

export const RP_ID = 'shop.example'
export const ORIGIN = 'https://shop.example'

export const ALGORITHMS = { ES256: -7, EdDSA: -8, RS256: -257 } as const
export type AlgorithmWord = keyof typeof ALGORITHMS
export const ATTESTATIONS = { none: 'none', self: 'self', packed: 'packed', tpm: 'tpm' } as const satisfies Record<
  string,
  AttestationKind
>
export type Kind = `${AlgorithmWord} ${keyof typeof ATTESTATIONS}`

/** One answer to judge; `group` is what its time is added to. Its public key comes with the registration of the same id. */
export type Line = {
  readonly group: 'registration' | AlgorithmWord
  readonly kind: Kind
  /** Judged, but neither counted nor measured. */
  readonly warm: boolean
  readonly challenge: string
  readonly user: string
  readonly id: string
  /** The JSON text of the answer, as a request has it. */
  readonly body: string
}

export const creationOptions = ({ challenge, user }: Pick<Line, 'challenge' | 'user'>): CreationOptionsJson => ({
  rp: { id: RP_ID, name: 'Bench' },
  user: { id: user, name: 'person', displayName: 'Person' },
  challenge,
  pubKeyCredParams: Object.values(ALGORITHMS).map((alg) => ({ type: 'public-key', alg })),
  authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  attestation: 'direct',
})
