/** Extended Euclid: the x in [0, modulus) with value · x ≡ 1. The two must have no common divisor. */
export const modularInverse = (value: bigint, modulus: bigint): bigint => {
  let [r0, r1, x0, x1] = [modulus, value % modulus, 0n, 1n]
  while (r1 !== 0n) {
    const quotient = r0 / r1
    ;[r0, r1] = [r1, r0 - quotient * r1]
    ;[x0, x1] = [x1, x0 - quotient * x1]
  }
  return ((x0 % modulus) + modulus) % modulus
}
