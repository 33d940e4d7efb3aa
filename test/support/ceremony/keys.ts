import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { type Bytes, concat, fromBase64url } from '../../../src-main/core/protocol/bytes.ts'
import { type Cbor, type CborPairs, map } from './cbor.ts'

/** A key that signs as a COSE algorithm asks, and its public half in all forms a test needs. */
export type TestKey = {
  readonly algorithm: number
  readonly cose: CborPairs
  readonly spki: Bytes
  /** x and y side by side, for formats that want the bare point. */
  readonly privateKey: KeyObject
  sign(data: Uint8Array): Bytes
}

const EC = {
  '-7': { namedCurve: 'P-256', crv: 1, hash: 'sha256' },
  '-35': { namedCurve: 'P-384', crv: 2, hash: 'sha384' },
  '-36': { namedCurve: 'P-521', crv: 3, hash: 'sha512' },
  '-47': { namedCurve: 'secp256k1', crv: 8, hash: 'sha256' },
} as const

const RSA = {
  '-257': { hash: 'sha256', pss: false },
  '-258': { hash: 'sha384', pss: false },
  '-259': { hash: 'sha512', pss: false },
  '-37': { hash: 'sha256', pss: true },
  '-38': { hash: 'sha384', pss: true },
  '-39': { hash: 'sha512', pss: true },
  '-65535': { hash: 'sha1', pss: false },
} as const

const OKP = { '-8': { name: 'ed25519', crv: 6 }, '-53': { name: 'ed448', crv: 7 } } as const
const AKP = { '-48': 'ml-dsa-44', '-49': 'ml-dsa-65', '-50': 'ml-dsa-87' } as const

export const testAlgorithms: readonly number[] = [EC, RSA, OKP, AKP].flatMap((table) => Object.keys(table).map(Number))

const cache = new Map<string, TestKey>()

/** One key per algorithm and name in a test run: RSA keys take their time. */
export const testKey = (algorithm: number, name = 'credential'): TestKey => {
  const known = cache.get(`${algorithm} ${name}`)
  if (known) return known
  const made = makeKey(algorithm)
  cache.set(`${algorithm} ${name}`, made)
  return made
}

const makeKey = (algorithm: number): TestKey => {
  const name = String(algorithm)
  if (name in EC) {
    const { namedCurve, crv, hash } = EC[name as keyof typeof EC]
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve })
    const { x, y } = publicKey.export({ format: 'jwk' })
    const cose = map([1, 2], [3, algorithm], [-1, crv], [-2, decode(x)], [-3, decode(y)])
    return finish(algorithm, cose, { publicKey, privateKey, hash })
  }
  if (name in RSA) {
    const { hash, pss } = RSA[name as keyof typeof RSA]
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const { n, e } = publicKey.export({ format: 'jwk' })
    const cose = map([1, 3], [3, algorithm], [-1, decode(n)], [-2, decode(e)])
    return finish(algorithm, cose, { publicKey, privateKey, hash, pss })
  }
  if (name in OKP) {
    const { name: type, crv } = OKP[name as keyof typeof OKP]
    const { publicKey, privateKey } = type === 'ed25519' ? generateKeyPairSync(type) : generateKeyPairSync('ed448')
    const { x } = publicKey.export({ format: 'jwk' })
    return finish(algorithm, map([1, 1], [3, algorithm], [-1, crv], [-2, decode(x)]), {
      publicKey,
      privateKey,
      hash: null,
    })
  }
  const { publicKey, privateKey } = generateKeyPairSync(AKP[name as keyof typeof AKP] as 'ml-dsa-44')
  const { pub } = publicKey.export({ format: 'jwk' }) as { pub?: string }
  return finish(algorithm, map([1, 7], [3, algorithm], [-1, decode(pub)]), { publicKey, privateKey, hash: null })
}

const finish = (
  algorithm: number,
  cose: CborPairs,
  key: { publicKey: KeyObject; privateKey: KeyObject; hash: string | null; pss?: boolean },
): TestKey => ({
  algorithm,
  cose,
  spki: Uint8Array.from(key.publicKey.export({ format: 'der', type: 'spki' })),
  privateKey: key.privateKey,
  sign: (data) => {
    const padding = key.pss
      ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
      : {}
    return Uint8Array.from(sign(key.hash, data, { key: key.privateKey, ...padding }))
  },
})

const decode = (text: string | undefined): Bytes => {
  const bytes = fromBase64url(text ?? '')
  if (!bytes.ok || text === undefined) throw new Error('a JWK member is missing')
  return bytes.value
}

/** The octets under a label of a COSE key. */
export const coseBytes = (key: CborPairs, label: number): Bytes => {
  const value: Cbor | undefined = key.pairs.find(([name]) => name === label)?.[1]
  if (!(value instanceof Uint8Array)) throw new Error(`no octets under ${label}`)
  return concat(value)
}

/** The same key with one member changed, added or (undefined) left out. */
export const withMember = (key: CborPairs, label: number, value: Cbor | undefined): CborPairs => {
  const rest = key.pairs.filter(([name]) => name !== label)
  if (value === undefined) return { pairs: rest }
  const at = key.pairs.findIndex(([name]) => name === label)
  return {
    pairs: at < 0 ? [...rest, [label, value]] : key.pairs.map((pair) => (pair[0] === label ? [label, value] : pair)),
  }
}
