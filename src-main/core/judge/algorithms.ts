export type HashName = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512'
export type EcCurve = 'P-256' | 'P-384' | 'P-521' | 'secp256k1'
export type OkpCurve = 'Ed25519' | 'Ed448'
export type MlDsa = 'ML-DSA-44' | 'ML-DSA-65' | 'ML-DSA-87'

/** The meaning of a COSE algorithm number (IANA COSE Algorithms, narrowed by WebAuthn §5.8.5). */
export type CoseAlgorithm =
  | { readonly name: string; readonly kty: 'EC2'; readonly crv: EcCurve; readonly hash: HashName }
  | { readonly name: string; readonly kty: 'OKP'; readonly crv: OkpCurve }
  | { readonly name: string; readonly kty: 'RSA'; readonly padding: 'pkcs1' | 'pss'; readonly hash: HashName }
  | { readonly name: MlDsa; readonly kty: 'AKP'; readonly keyLength: number; readonly signatureLength: number }

const ALGORITHMS = {
  '-7': { name: 'ES256', kty: 'EC2', crv: 'P-256', hash: 'SHA-256' },
  '-35': { name: 'ES384', kty: 'EC2', crv: 'P-384', hash: 'SHA-384' },
  '-36': { name: 'ES512', kty: 'EC2', crv: 'P-521', hash: 'SHA-512' },
  '-47': { name: 'ES256K', kty: 'EC2', crv: 'secp256k1', hash: 'SHA-256' },
  '-9': { name: 'ESP256', kty: 'EC2', crv: 'P-256', hash: 'SHA-256' },
  '-51': { name: 'ESP384', kty: 'EC2', crv: 'P-384', hash: 'SHA-384' },
  '-52': { name: 'ESP512', kty: 'EC2', crv: 'P-521', hash: 'SHA-512' },
  '-8': { name: 'EdDSA', kty: 'OKP', crv: 'Ed25519' },
  '-19': { name: 'Ed25519', kty: 'OKP', crv: 'Ed25519' },
  '-53': { name: 'Ed448', kty: 'OKP', crv: 'Ed448' },
  '-257': { name: 'RS256', kty: 'RSA', padding: 'pkcs1', hash: 'SHA-256' },
  '-258': { name: 'RS384', kty: 'RSA', padding: 'pkcs1', hash: 'SHA-384' },
  '-259': { name: 'RS512', kty: 'RSA', padding: 'pkcs1', hash: 'SHA-512' },
  '-37': { name: 'PS256', kty: 'RSA', padding: 'pss', hash: 'SHA-256' },
  '-38': { name: 'PS384', kty: 'RSA', padding: 'pss', hash: 'SHA-384' },
  '-39': { name: 'PS512', kty: 'RSA', padding: 'pss', hash: 'SHA-512' },
  '-65535': { name: 'RS1', kty: 'RSA', padding: 'pkcs1', hash: 'SHA-1' },
  '-48': { name: 'ML-DSA-44', kty: 'AKP', keyLength: 1312, signatureLength: 2420 },
  '-49': { name: 'ML-DSA-65', kty: 'AKP', keyLength: 1952, signatureLength: 3309 },
  '-50': { name: 'ML-DSA-87', kty: 'AKP', keyLength: 2592, signatureLength: 4627 },
} as const satisfies Record<string, CoseAlgorithm>

const BY_NUMBER: ReadonlyMap<number, CoseAlgorithm> = new Map(
  Object.entries(ALGORITHMS).map(([number, algorithm]) => [Number(number), algorithm]),
)

export const coseAlgorithms: readonly number[] = [...BY_NUMBER.keys()]

export const findAlgorithm = (number: number): CoseAlgorithm | undefined => BY_NUMBER.get(number)

/** `ES256 (-7)`, or the bare number of an unknown algorithm. */
export const algorithmName = (number: number): string => {
  const known = BY_NUMBER.get(number)
  return known ? `${known.name} (${number})` : String(number)
}
