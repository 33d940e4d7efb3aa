/** bench:judges over Handset's own judge, as the service calls it; `at-once` verifies on the main thread instead. */
import { verify } from 'node:crypto'
import type { StoredCredential } from '../../../src-main/core/judge/ceremony-case.ts'
import { judgeAuthentication } from '../../../src-main/core/judge/judge-authentication.ts'
import { judgeRegistration } from '../../../src-main/core/judge/judge-registration.ts'
import type { Verdict } from '../../../src-main/core/judge/verdict.ts'
import { toBase64url } from '../../../src-main/core/protocol/bytes.ts'
import { rememberByText } from '../../../src-main/core/protocol/remember.ts'
import { createNodeCrypto, nodeCrypto } from '../../../src-main/service/second-opinion/node-crypto.ts'
import { creationOptions, type Line } from './line.ts'
import { judgeLines, origin, rpId } from './loop.mjs'

const atOnce = createNodeCrypto((digest, data, key, signature) => verify(digest, data, key, signature))
const crypto = process.argv[5] === 'at-once' ? atOnce : nodeCrypto
const expectations = { origins: [origin], rpId }

/** The store has keys as text, of which the service remembers so many. */
const keyBytes = rememberByText((text) => new Uint8Array(Buffer.from(text, 'base64url')), 1_000)

const accepted = <T>({ value, failure }: Verdict<T>): T => {
  if (value === undefined) throw new Error(failure?.word)
  return value
}

type Row = Omit<StoredCredential, 'publicKey'> & { readonly publicKey: string }

await judgeLines({
  register: async (line: Line, response: unknown): Promise<Row> => {
    const options = creationOptions(line)
    const policy = { attestation: 'accept-any', roots: [], now: Date.now(), credentialKnown: () => false } as const
    const value = accepted(await judgeRegistration({ ...expectations, ...policy, response, options }, crypto))
    return { ...value, publicKey: toBase64url(value.publicKey), userHandle: line.user }
  },
  signIn: async ({ challenge, id, user }: Line, response: unknown, row: Row): Promise<void> => {
    const options = {
      ...{ challenge, rpId, userVerification: 'required' as const },
      allowCredentials: [{ type: 'public-key' as const, id }],
    }
    const credential = () => ({ ...row, publicKey: keyBytes(row.publicKey) })
    const policy = { expectedUserHandle: user, counterRegression: 'fail' } as const
    accepted(await judgeAuthentication({ ...expectations, ...policy, response, options, credential }, crypto))
  },
})
