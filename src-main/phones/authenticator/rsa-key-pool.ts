import { type Bytes, fromBase64url, toBase64url, toHex } from '../../core/protocol/bytes.ts'
import { below, type RandomSource } from '../../core/protocol/random.ts'
import { modularInverse } from './ecdsa.ts'

/** As a JSON Web Key. */
export type RsaPrivateKey = Record<'n' | 'e' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi', string> & { kty: 'RSA' }

/** Public on purpose: RSA keys can't be drawn from a seed in reasonable time. The primes p and q of 2048-bit keys. */
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

const toInt = (text: string): bigint => {
  const bytes = fromBase64url(text)
  if (!bytes.ok) throw new Error('a number of the key pool is not base64url')
  return BigInt(`0x${toHex(bytes.value)}`)
}

const toText = (value: bigint): string => {
  const hex = value.toString(16)
  const bytes: Bytes = Uint8Array.from(hex.padStart(hex.length + (hex.length % 2), '0').match(/../g) ?? [], (pair) =>
    Number.parseInt(pair, 16),
  )
  return toBase64url(bytes)
}

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

/** One of the pool's keys, chosen by the source. Two credentials of one seeded run may share a key; `other` is left out. */
export const rsaKeyFromPool = (random: RandomSource, other?: { readonly n?: string }): RsaPrivateKey => {
  const able = other === undefined ? PRIMES : PRIMES.filter(([p, q]) => toText(toInt(p) * toInt(q)) !== other.n)
  const primes = able[below(random, able.length)]
  if (primes === undefined) throw new Error('the pool is empty')
  return keyOf(primes)
}
