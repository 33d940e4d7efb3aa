import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { err, ok, type Result } from '../protocol/result.ts'
import { formatRfc3339, type Millis } from '../protocol/time.ts'
import type { ServerCertificate } from './authority.ts'

/** What is wrong, and with which of the two. */
export type CertificateProblem = { readonly of: 'certificate' | 'key'; readonly problem: string }

/** A certificate and its key, which fit each other and can be used now. */
export const checkCertificate = (
  { certificate, key }: ServerCertificate,
  now: Millis,
): Result<ServerCertificate, CertificateProblem> => {
  const leaf = parsed(() => new X509Certificate(certificate))
  if (leaf === undefined) return err({ of: 'certificate', problem: 'it holds no certificate in PEM' })
  const [from, to] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)]
  if (now > to) return err({ of: 'certificate', problem: `the certificate has expired at ${formatRfc3339(to)}` })
  if (now < from)
    return err({ of: 'certificate', problem: `the certificate is valid from ${formatRfc3339(from)} only` })
  const privateKey = parseKey(key)
  if (!privateKey.ok) return privateKey
  if (!leaf.checkPrivateKey(privateKey.value)) {
    return err({ of: 'key', problem: 'it is the key of another certificate' })
  }
  try {
    createSecureContext({ cert: certificate, key })
  } catch (reason) {
    // OpenSSL refuses what is too weak, such as RSA keys of 1024 bits.
    return err({
      of: 'certificate',
      problem: `OpenSSL refuses it: ${reason instanceof Error ? reason.message : reason}`,
    })
  }
  return ok({ certificate, key })
}

const parseKey = (pem: string): Result<KeyObject, CertificateProblem> => {
  const key = parsed(() => createPrivateKey(pem))
  if (key !== undefined) return ok(key)
  return err({
    of: 'key',
    problem: pem.includes('ENCRYPTED')
      ? 'it is encrypted; write it without a passphrase, as openssl pkey does'
      : 'it holds no private key in PEM',
  })
}

const parsed = <T>(parse: () => T): T | undefined => {
  try {
    return parse()
  } catch {
    return undefined
  }
}
