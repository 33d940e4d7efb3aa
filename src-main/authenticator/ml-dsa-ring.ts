/** A polynomial of degree below 256 over the integers modulo q, or its number-theoretic transform. */
export type Polynomial = Int32Array

export const Q = 8380417
const N = 256
const ROOT = 1753
// 256⁻¹ modulo q.
const SCALE = 8347681

const reversed8 = (value: number): number => {
  let out = 0
  for (let bit = 0; bit < 8; bit++) out |= ((value >> bit) & 1) << (7 - bit)
  return out
}

// Products stay below 2^46, so that plain numbers are exact.
const multiply = (a: number, b: number): number => (a * b) % Q

const power = (base: number, exponent: number): number => {
  let out = 1
  for (let i = 0; i < exponent; i++) out = multiply(out, base)
  return out
}

// FIPS 204 appendix B.
const ZETAS = Int32Array.from({ length: N }, (_, i) => power(ROOT, reversed8(i)))

/** FIPS 204 algorithm 41. */
export const toNtt = (poly: Polynomial): Polynomial => {
  const w = Int32Array.from(poly)
  let m = 0
  for (let length = N / 2; length >= 1; length /= 2) {
    for (let start = 0; start < N; start += 2 * length) {
      const zeta = ZETAS[++m] ?? 0
      for (let j = start; j < start + length; j++) {
        const t = multiply(zeta, w[j + length] ?? 0)
        w[j + length] = ((w[j] ?? 0) - t) % Q
        w[j] = ((w[j] ?? 0) + t) % Q
      }
    }
  }
  return w
}

/** FIPS 204 algorithm 42. */
export const fromNtt = (poly: Polynomial): Polynomial => {
  const w = Int32Array.from(poly)
  let m = N
  for (let length = 1; length < N; length *= 2) {
    for (let start = 0; start < N; start += 2 * length) {
      const zeta = -(ZETAS[--m] ?? 0)
      for (let j = start; j < start + length; j++) {
        const t = w[j] ?? 0
        w[j] = (t + (w[j + length] ?? 0)) % Q
        w[j + length] = multiply(zeta, (t - (w[j + length] ?? 0)) % Q)
      }
    }
  }
  return w.map((value) => multiply(value, SCALE))
}

/** sum + a · b, coefficient by coefficient: the product of two transforms. Returns `sum`. */
export const multiplyAdd = (sum: Polynomial, a: Polynomial, b: Polynomial): Polynomial => {
  for (let i = 0; i < N; i++) sum[i] = ((sum[i] ?? 0) + multiply(a[i] ?? 0, b[i] ?? 0)) % Q
  return sum
}
