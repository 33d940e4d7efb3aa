import * as crypto from 'node:crypto'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { type Bytes, concat, concatAll, fromBase64url, fromHex, toBase64url, toHex } from '../../core/protocol/bytes.ts'
import { type RandomSource, randomBelow } from '../../core/protocol/random.ts'
import { orNothing, unwrap } from '../../core/protocol/result.ts'
import { type Algorithm, digest, type EcAlgorithm, type MlDsaAlgorithm, type OkpAlgorithm } from './algorithms.ts'
import { bitString, integer, objectIdentifier, octetString, sequence, taggedPrimitive } from './der.ts'

export type EcPrivateKey = { kty: 'EC'; crv: EcAlgorithm['curve']; x: string; y: string; d: string }
export type OkpPrivateKey = { kty: 'OKP'; crv: OkpAlgorithm['curve']; x: string; d: string }
export type MlDsaPrivateKey = { kty: 'AKP'; alg: MlDsaAlgorithm['name']; pub: string; priv: string }

/** A private key as a JSON Web Key: a plain record that a phone can store, seal and show. */
export type PrivateKey = Readonly<EcPrivateKey | OkpPrivateKey | RsaPrivateKey | MlDsaPrivateKey>

/** The octets of a key's member. */
export const octets = (text: string): Bytes => unwrap(fromBase64url(text), 'key member')

export const privateOctets = (key: PrivateKey): Bytes => octets(key.kty === 'AKP' ? key.priv : key.d)

export type RsaPrivateKey = Record<'n' | 'e' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi', string> & { kty: 'RSA' }

/** Primes p and q of 2048-bit keys. They are public: drawing RSA keys from a seed would take too long. */
const PRIMES = [
  [
    '6ajJhIIeb05jGRJlVzSu0MPsY70yQmnmNOgb7nvhug0lE9ii_N_9amCoA9tvRlC8fiwl6FUAdaLfZuCyQeZQEOy-4gXeZsvq9mjXDMuhBaGIrQLXCYjKnEKAfm6Wfq8Zscc0m4PAl_X9PIXoBI21m9BvKJjt36UPneQUUsALMf8',
    '4BPzB7Awb9_p7k8s2Amw-Aoj3SKZCZUVczNxHljAkKDAjBcOX-EcLoJdCi83arMyE8OKN0B24L5BwsbqJpEx1cJRb1oh6RJQroJxbG0diINikia5tJPQ-PO0eFAlx6UQ1kmYLWSpsYr0oBJCn0TNJ4LTBd28VuT2vr1U_BHd2E0',
  ],
  [
    '-0h2C2O7XaA99Lh9KPa6nFNmkwB2AiT__fCY0k4e7TF0YwHyts9jJ05Uyz0TtRCqsr5i1ryXbOiYfqAkwg-92us0ve0-6Y9zWYh38bD03jJvKqEmbimlpq9TgpZ42Ux7X8NUaMp4EMhuh10V7CKlg-Lb20hmxsRcA9Fbnx-pprM',
    'uxDLe2u583QbQSZnZGHO6GtzZTwfef8n2qYKBd2Ed49fgXerHyUGj1m2b8v06cvGvjZOSWikvNKmE_Bv-NopHLYmsXJnWmKbPzGNWiurw6o8UlKfSjN1YeevszVbj6x8RE1N6WSltI8S9jP-N1YE_aLEahiB--BHviDZqCxjzrM',
  ],
  [
    '8H2gTrc46sOHNm1etKHsrwfAkTmB2dxR6j5GIyBLdCSCu-j3yX-WHKhtdxRDCfo5yiyfZCrv1SNy6UoeFHDP4sIVgwSNtJ7w21WplU7CAskPDRRYrwD1HXhluVoseK8vj-ei-KBy0xGIZ3W3yTwYBsgnfAv-_iT832LEmQByvqc',
    'zEBWX3_aB2oYGMZn9Gxhk0JGMblgn78PIk_C970KmGZuQdwCTnWoi-QbAtzPmyN2DBisjT-qJ5xaR4ntUz7mbWwCTGGgtRhRmOOT0OPE10FNgeLoDVNEjY3z-m4nJnvV6n_IcKHh2sqH1btPFLgMAQ6Vpe4buu_Z8CAsXdtwj6U',
  ],
  [
    '6Ges_f0fj2YDKxo1uAf4qZDtvOpGFTYZFIqkTQAPqduW1gUAg52z-b2_0Fmz3I4uliW3SN2ItTERBm1iksVxS7RKT-c51VTEXD8ziwXIdsWK-xdbfBs_sVDCVBfN3kXdqKI2K3YYGyp-ELtYKlnz-xwIMZO6SWHq9cI_j-VNWok',
    '3SEbkeMwNP2ZjjLVy8tggF-9-w_IXczZcSI52isOxnBj9C3cqSOaeJ1lLpCkMiArwZDZW1c75K-AE7UbRryAKZBLgGH7hUIcxL66hSVtJjUWxul4Rre7Yg4S-fX0VKuH3nvR1osZ8Slfzy20Xxreui2FtTNnnT8NUt21KLjJw28',
  ],
  [
    '_r4Q7NAz098OsPCDmwefXTkNJ8RF_mWV38ewbJax62q6crYl8KB80_93N4B7d03fXlBFLJ1uowbnJxGZVLqavozLj12jKRj4nM8UDWt9BZ4_tdthqJysrMf3qS3aip2c4ZjCayww3JOQO1XZv0xByDn_eFfbpUhXPgA0eYSpvFM',
    'wRos82hhItFgRtw00h2SlC0ahGSMovSRKvC8J5lyU7x__O0qdog8Fe3rlFQE273q2XTFrzZUqs4FMcp-2Bs4xqufRzlCTJ9Sy3cVfoFXrZpBe5eqQSXZsIsAb0Z9cqHH9OJYJPJcDxTg5KyKc_96KEQKQOE5H7w7gJ_HBKl8310',
  ],
  [
    '1km0R0bJHANCj1SmWPbi6_C8oDtDM3DR5sf3JhE3QMiLbxa9fpV8KDfpIwJ3gYW0RDSgvbvLzh7MUQzhF2uw6hu_K9YpBcL6kKFdEFs3JnWUjBvDEAa_qqJlQk9yrII5pB2LvaDsZGCf15eXN3Ms1rTj0DWnL-a5nGW7v5VjW4M',
    'tpdjY5Gn4sX7beA0puFPnpYdg39UjKedU7H--sODnUA5DQxfPg8eaJqW7PpD0PY80if7J6ZUPlTllOimBsSjWEcy8e5SFGPqv_O_vyF4U0HDRkdlVjTjOmCMpte3RSCbrGsDzALjtQufOvIN0iYhHPj2YIDpfYBIEwVTi-9vO9s',
  ],
  [
    '5cHmQxUzctoBBu26FpSQn_k5MZlEnJvF7Pv8sp2yMpjac-Udq9RUwjY_9M6Msdd6BBj0Bas5GgOoiFNNnYikAiHQPDBflmsbfhOQlSuTj3N88-xuSoibMgQPEIek9uPAGZpiQrIGT-lFM63OQNg5BD73G2R65bQaVN-ecLiXW8c',
    'z8m_1PsYUdqyibmA1wUYaBOchBhsPTWInaYRiAqxqPShbIgQ4TP85IpfS6jMfB9Z44_ey5dNdpaHHFmJfSs8UsUSjoEeQ-EprSF6LKkkZXtZYyVntjLwN8BbxbwrIYBM7CNpm9SQW8zSRjzV2OZOFK3JMF7DXBNN_ptemX_v8v8',
  ],
  [
    '83CI5nQKom6n1on5Zqnp9pvcS52HuPB1DoAcaPKOM7qndlMkfp5JVOfJHIXCwguzJBxSrqN7B2MeMaLfGD_DKWRI0FnnNDRdg_btwWnMCYOQ05RzlammIuUtgVzHRlD10SJtRSWIdICUAhrOcwBWD_TmNd8e7_X9WSxWEgAVbCs',
    '22Lg1keVmF_eH6RK6Mmv_rlSyHOZh-Yfh9Ivh13RA5yyBFCMwbTmFENpwFLw5JkleN8r1dVB_A20lMLJAY3LHZlLWwj1qaeQmj7njgFMY01QGXvH3wsBEy51FikzuhcwNpUXRW-4okyyDdhMaUQFv7e6mHQpJ1HpbHYsxnnE390',
  ],
] as const

const EXPONENT = 65537n

const toInt = (text: string): bigint => bytesToInt(octets(text))

/** As few octets as possible, unless their number is given. */
export const intToBytes = (value: bigint, length = Math.ceil(value.toString(16).length / 2)): Bytes =>
  unwrap(fromHex(value.toString(16).padStart(length * 2, '0')), 'hex')

const toText = (value: bigint): string => toBase64url(intToBytes(value))

const keyOf = (primes: readonly [string, string]): RsaPrivateKey => {
  const [p, q] = [toInt(primes[0]), toInt(primes[1])]
  const d = modularInverse(EXPONENT, (p - 1n) * (q - 1n))
  return {
    kty: 'RSA',
    n: toText(p * q),
    e: toText(EXPONENT),
    d: toText(d),
    p: primes[0],
    q: primes[1],
    dp: toText(d % (p - 1n)),
    dq: toText(d % (q - 1n)),
    qi: toText(modularInverse(q, p)),
  }
}

/** A key of the pool other than `other`, chosen by the source. Two credentials of a seeded run may share a key. */
export const rsaKeyFromPool = (random: RandomSource, other?: { readonly n?: string }): RsaPrivateKey => {
  const able = other === undefined ? PRIMES : PRIMES.filter(([p, q]) => toText(toInt(p) * toInt(q)) !== other.n)
  const primes = able[randomBelow(random, able.length)]
  if (primes === undefined) throw new Error('the pool is empty')
  return keyOf(primes)
}

type Curve = { readonly name: string; readonly order: bigint; readonly bits: number; readonly bytes: number }

const curve = (name: string, order: bigint): Curve => {
  const bits = order.toString(2).length
  return { name, order, bits, bytes: Math.ceil(bits / 8) }
}

/** Extended Euclid: the x in [0, modulus) with value · x ≡ 1. The two must have no common divisor. */
const modularInverse = (value: bigint, modulus: bigint): bigint => {
  let [r0, r1, x0, x1] = [modulus, value % modulus, 0n, 1n]
  while (r1 !== 0n) {
    const quotient = r0 / r1
    ;[r0, r1] = [r1, r0 - quotient * r1]
    ;[x0, x1] = [x1, x0 - quotient * x1]
  }
  return ((x0 % modulus) + modulus) % modulus
}

/** Keys in JavaScript: the private one is a scalar or seed, the public one the key bits of SubjectPublicKeyInfo. */
type PortableKeys = {
  publicKey(secret: Uint8Array): Bytes
  /** Deterministic, in WebAuthn §6.5.5's form. */
  sign(data: Uint8Array, secret: Uint8Array): Bytes
}

// Loaded by the first signature: few phones have such keys, and loading takes a fifth of the start time.
const load = createRequire(import.meta.url)

/** FIPS 204 §3.4 with an empty context; node:crypto has only the hedged variant. */
const mlDsa = (set: 'ml_dsa44' | 'ml_dsa65' | 'ml_dsa87') => (): PortableKeys => {
  const library: typeof import('@noble/post-quantum/ml-dsa.js') = load('#ml-dsa')
  const { keygen, sign } = library[set]
  return {
    publicKey: (seed) => keygen(seed).publicKey,
    sign: (data, seed) => sign(data, keygen(seed).secretKey, { extraEntropy: false }),
  }
}

const PORTABLE = {
  secp256k1: () => {
    const { secp256k1 }: typeof import('@noble/curves/secp256k1.js') = load('#secp256k1')
    return {
      publicKey: (scalar) => secp256k1.getPublicKey(scalar, false),
      sign: (data, scalar) => secp256k1.sign(data, scalar, { lowS: false, format: 'der' }),
    }
  },
  Ed448: () => {
    const { ed448 }: typeof import('@noble/curves/ed448.js') = load('#ed448')
    return { publicKey: (seed) => ed448.getPublicKey(seed), sign: (data, seed) => ed448.sign(data, seed) }
  },
  'ML-DSA-44': mlDsa('ml_dsa44'),
  'ML-DSA-65': mlDsa('ml_dsa65'),
  'ML-DSA-87': mlDsa('ml_dsa87'),
} as const satisfies Readonly<Record<string, () => PortableKeys>>

type PortableName = keyof typeof PORTABLE

const isPortable = (name: string): name is PortableName => Object.hasOwn(PORTABLE, name)

export const portableKeys = (name: PortableName): PortableKeys => PORTABLE[name]()

/** Curves by JOSE name; `name` is OpenSSL's name. */
export const CURVES = {
  'P-256': curve('prime256v1', 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n),
  'P-384': curve(
    'secp384r1',
    0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  ),
  'P-521': curve(
    'secp521r1',
    0x1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
  ),
  secp256k1: curve('secp256k1', 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n),
} as const

const bytesToInt = (bytes: Uint8Array): bigint => (bytes.length === 0 ? 0n : BigInt(`0x${toHex(bytes)}`))

/** A private scalar by rejection (FIPS 186-5 A.2.2), as octets of the order's length. */
export const scalarFrom = (curve: Curve, random: RandomSource): Bytes => {
  for (;;) {
    const candidate = random.bytes(curve.bytes)
    candidate[0] = (candidate[0] ?? 0) & (0xff >> (curve.bytes * 8 - curve.bits))
    const value = bytesToInt(candidate)
    if (value > 0n && value < curve.order) return candidate
  }
}

// RFC 6979 §2.3.2: the leftmost bits of the octets.
const leftmostBits = (octets: Uint8Array, bits: number): bigint => {
  const excess = octets.length * 8 - bits
  return excess > 0 ? bytesToInt(octets) >> BigInt(excess) : bytesToInt(octets)
}

/** RFC 6979 §3.2: the sequence of candidates for k. */
function* nonces(curve: Curve, hash: string, scalar: Uint8Array, digest: Uint8Array): Generator<Bytes> {
  const mac = (key: Uint8Array, ...parts: Uint8Array[]): Bytes =>
    new Uint8Array(crypto.createHmac(hash, key).update(concatAll(parts)).digest())
  const seed = concat(scalar, intToBytes(leftmostBits(digest, curve.bits) % curve.order, curve.bytes))
  let v: Bytes = new Uint8Array(digest.length).fill(1)
  let k: Bytes = new Uint8Array(digest.length)
  for (const step of [0, 1]) {
    k = mac(k, v, Uint8Array.of(step), seed)
    v = mac(k, v)
  }
  for (;;) {
    let t: Bytes = new Uint8Array(0)
    while (t.length * 8 < curve.bits) {
      v = mac(k, v)
      t = concat(t, v)
    }
    const candidate = leftmostBits(t, curve.bits)
    if (candidate > 0n && candidate < curve.order) yield intToBytes(candidate, curve.bytes)
    k = mac(k, v, Uint8Array.of(0))
    v = mac(k, v)
  }
}

/** ECDSA with RFC 6979's deterministic nonce, as an ASN.1 ECDSA-Sig-Value. Not constant-time: simulated keys only. */
export const signEcdsaDeterministic = (options: {
  readonly curve: Curve
  readonly hash: string
  /** The private scalar, octets of the order's length. */
  readonly scalar: Uint8Array
  readonly data: Uint8Array
}): Bytes => {
  const { curve, hash, scalar } = options
  const n = curve.order
  const hashed = digest(hash, options.data)
  const e = leftmostBits(hashed, curve.bits)
  const ecdh = crypto.createECDH(curve.name)
  for (const k of nonces(curve, hash, scalar, hashed)) {
    ecdh.setPrivateKey(k)
    const point = ecdh.getPublicKey()
    const r = bytesToInt(point.subarray(1, 1 + (point.length - 1) / 2)) % n
    const s = (modularInverse(bytesToInt(k), n) * (e + r * bytesToInt(scalar))) % n
    if (r === 0n || s === 0n) continue
    return sequence(integer(intToBytes(r)), integer(intToBytes(s)))
  }
  throw new Error('the nonce sequence ended')
}

type SeedForm = OkpAlgorithm['curve'] | MlDsaAlgorithm['name']

const seedLength = (form: SeedForm): number => (form === 'Ed448' ? 57 : 32)

/** As PKCS #8: RFC 8410 §7 for the Edwards curves, RFC 9881 §6 (seed form) for ML-DSA. */
const importSeed = (form: SeedForm, seed: Uint8Array): crypto.KeyObject => {
  const inner = form === 'Ed25519' || form === 'Ed448' ? octetString(seed) : taggedPrimitive(0, seed)
  const key = Buffer.from(sequence(integer(0), algorithmIdentifier(form), octetString(inner)))
  return crypto.createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

const isNative = new Map<PortableName, boolean>()

const findNative = (name: PortableName): boolean =>
  name === 'secp256k1'
    ? crypto.getCurves().includes(CURVES[name].name)
    : orNothing(() => importSeed(name, new Uint8Array(seedLength(name)))) !== undefined

/**
 * The JavaScript implementation, if the runtime's own cryptography lacks these keys. Node's (OpenSSL) has all of them;
 * Electron's (BoringSSL) has only NIST's curves (electron/electron#32535) and no Ed448.
 */
const portableFor = (name: string): PortableKeys | undefined => {
  if (!isPortable(name)) return undefined
  const native = isNative.get(name) ?? findNative(name)
  isNative.set(name, native)
  return native ? undefined : portableKeys(name)
}

const fromSeed = (form: SeedForm, random: RandomSource): PrivateKey => {
  const seed = random.bytes(seedLength(form))
  const portable = portableFor(form)
  if (portable === undefined) return importSeed(form, seed).export({ format: 'jwk' }) as PrivateKey
  const [secret, open] = [toBase64url(seed), toBase64url(portable.publicKey(seed))]
  if (form === 'Ed448' || form === 'Ed25519') return { kty: 'OKP', crv: form, x: open, d: secret }
  return { kty: 'AKP', alg: form, pub: open, priv: secret }
}

const pointOf = ({ curve, d }: { readonly curve: EcAlgorithm['curve']; readonly d: Uint8Array }): Uint8Array => {
  const portable = portableFor(curve)
  if (portable !== undefined) return portable.publicKey(d)
  const ecdh = crypto.createECDH(CURVES[curve].name)
  ecdh.setPrivateKey(d)
  return ecdh.getPublicKey()
}

/** Synchronous, for callers that need only EC keys. */
export const makeEcKey = (algorithm: EcAlgorithm, random: RandomSource): EcPrivateKey => {
  const d = scalarFrom(CURVES[algorithm.curve], random)
  const point = pointOf({ curve: algorithm.curve, d })
  const half = (point.length - 1) / 2
  return {
    kty: 'EC',
    crv: algorithm.curve,
    x: toBase64url(point.subarray(1, 1 + half)),
    y: toBase64url(point.subarray(1 + half)),
    d: toBase64url(d),
  }
}

/** Of the pool if the source is repeatable, else a new one. */
export const makeRsaKey = async (random: RandomSource): Promise<RsaPrivateKey> => {
  if (random.repeatable) return rsaKeyFromPool(random)
  const { privateKey } = await promisify(crypto.generateKeyPair)('rsa', { modulusLength: 2048 })
  return privateKey.export({ format: 'jwk' }) as RsaPrivateKey
}

export const drawPrivateKey = (algorithm: Algorithm, random: RandomSource): PrivateKey => {
  if (algorithm.kind === 'ec') return makeEcKey(algorithm, random)
  if (algorithm.kind === 'rsa') return rsaKeyFromPool(random)
  return fromSeed(algorithm.kind === 'okp' ? algorithm.curve : algorithm.name, random)
}

export const makePrivateKey = async (algorithm: Algorithm, random: RandomSource): Promise<PrivateKey> =>
  algorithm.kind === 'rsa' ? makeRsaKey(random) : drawPrivateKey(algorithm, random)

/** The curve, the parameter set, or `RSA`. */
export const keyKind = (key: PrivateKey): string => ('crv' in key ? key.crv : 'alg' in key ? key.alg : key.kty)

/** The kind of key that the algorithm needs. */
export const kindFor = (algorithm: Algorithm): string =>
  'curve' in algorithm ? algorithm.curve : algorithm.kind === 'rsa' ? 'RSA' : algorithm.name

export const fitsKey = (algorithm: Algorithm, key: PrivateKey): boolean => keyKind(key) === kindFor(algorithm)

// Importing a key costs more than signing with it, and phones sign with the same record again and again.
const imported = new WeakMap<PrivateKey, crypto.KeyObject>()

const privateKeyObject = (key: PrivateKey): crypto.KeyObject => {
  const known = imported.get(key)
  if (known !== undefined) return known
  const made = crypto.createPrivateKey({ key, format: 'jwk' })
  imported.set(key, made)
  return made
}

/** Throws for an invalid key. */
export const importPrivateKey = (key: PrivateKey): crypto.KeyObject | Bytes =>
  portableFor(keyKind(key))?.publicKey(privateOctets(key)) ?? privateKeyObject(key)

/** OIDs of an AlgorithmIdentifier (RFC 5480, RFC 8410, RFC 9881). */
const OIDS = {
  secp256k1: ['1.2.840.10045.2.1', '1.3.132.0.10'],
  Ed25519: ['1.3.101.112'],
  Ed448: ['1.3.101.113'],
  'ML-DSA-44': ['2.16.840.1.101.3.4.3.17'],
  'ML-DSA-65': ['2.16.840.1.101.3.4.3.18'],
  'ML-DSA-87': ['2.16.840.1.101.3.4.3.19'],
} as const satisfies Record<PortableName | SeedForm, readonly string[]>

const algorithmIdentifier = (name: keyof typeof OIDS): Bytes => sequence(...OIDS[name].map(objectIdentifier))

/** The key's bits in SubjectPublicKeyInfo. */
export const publicKeyBits = (key: PrivateKey): Bytes => {
  if (key.kty === 'RSA') return sequence(integer(octets(key.n)), integer(octets(key.e)))
  return key.kty === 'EC' ? ecPoint(key) : octets(key.kty === 'AKP' ? key.pub : key.x)
}

/** SubjectPublicKeyInfo, DER. */
export const publicKeyDer = (key: PrivateKey): Bytes => {
  const kind = keyKind(key)
  if (!isPortable(kind) || portableFor(kind) === undefined) {
    return new Uint8Array(crypto.createPublicKey({ key, format: 'jwk' }).export({ format: 'der', type: 'spki' }))
  }
  return sequence(algorithmIdentifier(kind), bitString(publicKeyBits(key)))
}

/** The uncompressed point of SEC 1 §2.3.3. */
export const ecPoint = (key: EcPrivateKey): Bytes => concat(Uint8Array.of(4), octets(key.x), octets(key.y))

/** A signature in WebAuthn §6.5.5's form. Under a repeatable source the same call gives the same bytes. */
export const sign = (options: {
  readonly algorithm: Algorithm
  readonly privateKey: PrivateKey
  readonly data: Uint8Array
  readonly random: RandomSource
}): Bytes => {
  const { algorithm, privateKey, data, random } = options
  // Otherwise node:crypto would sign with the key's own algorithm and a random nonce.
  if (!fitsKey(algorithm, privateKey))
    throw new Error(`${algorithm.name} cannot sign with a ${keyKind(privateKey)} key`)
  const portable = portableFor(keyKind(privateKey))
  if (portable !== undefined) return portable.sign(data, privateOctets(privateKey))
  if (algorithm.kind === 'ec' && privateKey.kty === 'EC' && random.repeatable) {
    const scalar = octets(privateKey.d)
    return signEcdsaDeterministic({ curve: CURVES[privateKey.crv], hash: algorithm.hash, scalar, data })
  }
  if (algorithm.kind === 'ml-dsa' && privateKey.kty === 'AKP' && random.repeatable) {
    return portableKeys(algorithm.name).sign(data, octets(privateKey.priv))
  }
  const key = privateKeyObject(privateKey)
  if (algorithm.kind === 'rsa' && algorithm.padding === 'pss')
    return signPss({ key, hash: algorithm.hash, data, random })
  return new Uint8Array(crypto.sign('hash' in algorithm ? algorithm.hash : null, data, key))
}

// RFC 8017 B.2.1.
const mgf1 = (hash: string, seed: Uint8Array, length: number): Bytes => {
  let mask: Bytes = new Uint8Array(0)
  for (let counter = 0; mask.length < length; counter++) {
    const block = new Uint8Array(4)
    new DataView(block.buffer).setUint32(0, counter)
    mask = concat(mask, digest(hash, seed, block))
  }
  return mask.slice(0, length)
}

/** RSASSA-PSS (RFC 8017 §9.1.1) with a salt from the source: node:crypto accepts no salt. */
const signPss = (options: {
  readonly key: crypto.KeyObject
  readonly hash: string
  readonly data: Uint8Array
  readonly random: RandomSource
}): Bytes => {
  const { key, hash } = options
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  const length = Math.ceil((bits - 1) / 8)
  const hashed = digest(hash, options.data)
  // RFC 8230 §2: the salt is as long as the hash.
  const salt = options.random.bytes(hashed.length)
  const h = digest(hash, new Uint8Array(8), hashed, salt)
  const block = concat(new Uint8Array(length - hashed.length * 2 - 2), Uint8Array.of(1), salt)
  const mask = mgf1(hash, h, block.length)
  const masked = block.map((byte, i) => byte ^ (mask[i] ?? 0))
  masked[0] = (masked[0] ?? 0) & (0xff >> (length * 8 - (bits - 1)))
  const message = concat(masked, h, Uint8Array.of(0xbc))
  // Node's decryption without padding is RSASP1, the private operation.
  return new Uint8Array(crypto.privateDecrypt({ key, padding: crypto.constants.RSA_NO_PADDING }, message))
}
