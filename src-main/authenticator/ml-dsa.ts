import { createHash } from 'node:crypto'
import { type Bytes, concat } from '../protocol/bytes.ts'
import type { MlDsaAlgorithm } from './algorithms.ts'
import { fromNtt, multiplyAdd, type Polynomial, Q, toNtt } from './ml-dsa-ring.ts'

type Parameters = {
  readonly rows: number
  readonly columns: number
  readonly eta: 2 | 4
  readonly tau: number
  readonly gamma1Bits: 17 | 19
  readonly gamma2: number
  readonly omega: number
  readonly challengeLength: number
  readonly highBits: 4 | 6
}

// FIPS 204 §4, table 1.
const PARAMETERS = {
  'ML-DSA-44': {
    ...{ rows: 4, columns: 4, eta: 2, tau: 39, gamma1Bits: 17, gamma2: (Q - 1) / 88 },
    ...{ omega: 80, challengeLength: 32, highBits: 6 },
  },
  'ML-DSA-65': {
    ...{ rows: 6, columns: 5, eta: 4, tau: 49, gamma1Bits: 19, gamma2: (Q - 1) / 32 },
    ...{ omega: 55, challengeLength: 48, highBits: 4 },
  },
  'ML-DSA-87': {
    ...{ rows: 8, columns: 7, eta: 2, tau: 60, gamma1Bits: 19, gamma2: (Q - 1) / 32 },
    ...{ omega: 75, challengeLength: 64, highBits: 4 },
  },
} as const satisfies Record<MlDsaAlgorithm['name'], Parameters>

const N = 256
const DROPPED_BITS = 13

const shake = (name: 'shake128' | 'shake256', length: number, ...parts: readonly Uint8Array[]): Bytes =>
  new Uint8Array(
    createHash(name, { outputLength: length })
      .update(concat(...parts))
      .digest(),
  )

/** Samples from an endless output: asks for more of it until there is enough. */
const sample = <T>(length: number, output: (length: number) => Bytes, read: (bytes: Bytes) => T | undefined): T =>
  read(output(length)) ?? sample(length * 2, output, read)

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)

// FIPS 204 algorithm 30: uniform coefficients below q, three octets at a time.
const uniform = (seed: Uint8Array, column: number, row: number): Polynomial =>
  sample(
    900,
    (length) => shake('shake128', length, seed, Uint8Array.of(column, row)),
    (bytes) => {
      const out = new Int32Array(N)
      let filled = 0
      for (let i = 0; i + 2 < bytes.length && filled < N; i += 3) {
        const value = (bytes[i] ?? 0) | ((bytes[i + 1] ?? 0) << 8) | (((bytes[i + 2] ?? 0) & 0x7f) << 16)
        if (value < Q) out[filled++] = value
      }
      return filled === N ? out : undefined
    },
  )

// Algorithm 31: coefficients within eta, half an octet at a time.
const small = (seed: Uint8Array, index: number, eta: 2 | 4): Polynomial =>
  sample(
    320,
    (length) => shake('shake256', length, seed, Uint8Array.of(index, 0)),
    (bytes) => {
      const out = new Int32Array(N)
      let filled = 0
      for (const octet of bytes) {
        for (const half of [octet & 15, octet >> 4]) {
          if (filled === N) break
          if (eta === 2 && half < 15) out[filled++] = 2 - (half % 5)
          else if (eta === 4 && half < 9) out[filled++] = 4 - half
        }
      }
      return filled === N ? out : undefined
    },
  )

// Algorithm 29: tau coefficients of plus or minus one.
const challengeFrom = (seed: Uint8Array, tau: number): Polynomial =>
  sample(
    256,
    (length) => shake('shake256', length, seed),
    (bytes) => {
      const out = new Int32Array(N)
      let at = 8
      for (let i = N - tau, bit = 0; i < N; i++, bit++) {
        while ((bytes[at] ?? 0) > i) at++
        const j = bytes[at++]
        if (j === undefined) return undefined
        out[i] = out[j] ?? 0
        out[j] = ((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1 ? -1 : 1
      }
      return out
    },
  )

/** Coefficients of `bits` bits each, the lowest first (algorithm 16). */
const pack = (values: Iterable<number>, bits: number): Bytes => {
  const out = new Uint8Array((N * bits) / 8)
  let at = 0
  for (const value of values) {
    for (let bit = 0; bit < bits; bit++, at++) {
      if ((value >> bit) & 1) out[at >> 3] = (out[at >> 3] ?? 0) | (1 << (at & 7))
    }
  }
  return out
}

const unpack = (bytes: Uint8Array, bits: number): Polynomial =>
  Int32Array.from(range(N), (i) => {
    let value = 0
    for (let bit = 0; bit < bits; bit++) {
      const at = i * bits + bit
      value |= (((bytes[at >> 3] ?? 0) >> (at & 7)) & 1) << bit
    }
    return value
  })

const modulo = (value: number): number => ((value % Q) + Q) % Q

/** The representative nearest to zero. */
const centred = (value: number): number => {
  const positive = modulo(value)
  return positive > (Q - 1) / 2 ? positive - Q : positive
}

const norm = (vector: readonly Polynomial[]): number =>
  vector.reduce((most, poly) => poly.reduce((max, value) => Math.max(max, Math.abs(centred(value))), most), 0)

// Algorithm 36.
const decompose = (value: number, gamma2: number): readonly [number, number] => {
  const positive = modulo(value)
  const rest = positive % (2 * gamma2)
  const low = rest > gamma2 ? rest - 2 * gamma2 : rest
  return positive - low === Q - 1 ? [0, low - 1] : [(positive - low) / (2 * gamma2), low]
}

const map = (vector: readonly Polynomial[], change: (value: number) => number): readonly Polynomial[] =>
  vector.map((poly) => poly.map(change))

const combine = (
  a: readonly Polynomial[],
  b: readonly Polynomial[],
  join: (x: number, y: number) => number,
): readonly Polynomial[] => a.map((poly, i) => poly.map((value, j) => join(value, b[i]?.[j] ?? 0)))

const times = (poly: Polynomial, vector: readonly Polynomial[]): readonly Polynomial[] =>
  vector.map((one) => fromNtt(multiplyAdd(new Int32Array(N), poly, one)))

const product = (matrix: readonly (readonly Polynomial[])[], vector: readonly Polynomial[]): readonly Polynomial[] =>
  matrix.map((row) =>
    fromNtt(row.reduce((sum, poly, i) => multiplyAdd(sum, poly, vector[i] ?? new Int32Array(N)), new Int32Array(N))),
  )

// Algorithm 6, as far as a signature needs it.
const expand = (parameters: Parameters, seed: Uint8Array) => {
  const { rows, columns, eta } = parameters
  const expanded = shake('shake256', 128, seed, Uint8Array.of(rows, columns))
  const [publicSeed, secretSeed, key] = [expanded.slice(0, 32), expanded.slice(32, 96), expanded.slice(96)]
  const matrix = range(rows).map((row) => range(columns).map((column) => uniform(publicSeed, column, row)))
  const s1 = range(columns).map((i) => toNtt(small(secretSeed, i, eta)))
  const s2 = range(rows).map((i) => small(secretSeed, columns + i, eta))
  const t = combine(product(matrix, s1), s2, (a, b) => modulo(a + b))
  const half = 1 << (DROPPED_BITS - 1)
  // Algorithm 35: what is above the dropped bits, rounded, is public.
  const t1 = map(t, (value) => (value + half - 1) >> DROPPED_BITS)
  const t0 = combine(t, t1, (value, high) => value - (high << DROPPED_BITS))
  const publicKey = concat(publicSeed, ...t1.map((poly) => pack(poly, 10)))
  return { key, matrix, s1, s2: s2.map(toNtt), t0: t0.map(toNtt), publicKey }
}

/** The public key of a seed (FIPS 204 algorithm 1). */
export const mlDsaPublicKey = (name: MlDsaAlgorithm['name'], seed: Uint8Array): Bytes =>
  expand(PARAMETERS[name], seed).publicKey

// Algorithm 20: positions of the ones, then how many there are up to each row.
const packHint = (hint: readonly Polynomial[], { omega, rows }: Parameters): Bytes => {
  const out = new Uint8Array(omega + rows)
  let count = 0
  for (const [row, poly] of hint.entries()) {
    for (const [i, value] of poly.entries()) if (value !== 0) out[count++] = i
    out[omega + row] = count
  }
  return out
}

/** ML-DSA with the deterministic variant's rnd of zeros (FIPS 204 §3.4) and an empty context. Not constant-time. */
export const signMlDsaDeterministic = (options: {
  readonly name: MlDsaAlgorithm['name']
  readonly seed: Uint8Array
  readonly data: Uint8Array
}): Bytes => {
  const parameters: Parameters = PARAMETERS[options.name]
  const { columns, tau, eta, gamma1Bits, gamma2, omega, challengeLength, highBits } = parameters
  const gamma1 = 1 << gamma1Bits
  const beta = tau * eta
  const { key, matrix, s1, s2, t0, publicKey } = expand(parameters, options.seed)
  const publicHash = shake('shake256', 64, publicKey)
  const message = shake('shake256', 64, publicHash, Uint8Array.of(0, 0), options.data)
  const maskSeed = shake('shake256', 64, key, new Uint8Array(32), message)
  const maskBits = gamma1Bits + 1
  for (let kappa = 0; ; kappa += columns) {
    const y = range(columns).map((i) => {
      const nonce = Uint8Array.of((kappa + i) & 0xff, (kappa + i) >> 8)
      return unpack(shake('shake256', 32 * maskBits, maskSeed, nonce), maskBits).map((value) => gamma1 - value)
    })
    const w = product(matrix, y.map(toNtt))
    const w1 = map(w, (value) => decompose(value, gamma2)[0])
    const challenge = shake('shake256', challengeLength, message, ...w1.map((poly) => pack(poly, highBits)))
    const c = toNtt(challengeFrom(challenge, tau))
    const z = combine(y, times(c, s1), (a, b) => a + b)
    const rest = combine(w, times(c, s2), (a, b) => a - b)
    const low = map(rest, (value) => decompose(value, gamma2)[1])
    if (norm(z) >= gamma1 - beta || norm(low) >= gamma2 - beta) continue
    const ct0 = times(c, t0)
    const hint = combine(rest, ct0, (a, b) => Number(decompose(a + b, gamma2)[0] !== decompose(a, gamma2)[0]))
    const ones = hint.reduce((sum, poly) => sum + poly.reduce((all, value) => all + value, 0), 0)
    if (norm(ct0) >= gamma2 || ones > omega) continue
    const packed = z.map((poly) =>
      pack(
        poly.map((value) => gamma1 - centred(value)),
        maskBits,
      ),
    )
    return concat(challenge, ...packed, packHint(hint, parameters))
  }
}
