import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import type { CertificateProblem } from '../../core/contract/start-problems.ts'
import { errorMessage } from '../../core/protocol/message-of.ts'
import { err, ok, orNothing, type Result } from '../../core/protocol/result.ts'
import { formatRfc3339, type Millis } from '../../core/protocol/time.ts'

/** A certificate chain, the server's first, and its key; all as PEM. */
export type ServerCertificate = { readonly certificate: string; readonly key: string }

export const checkCertificate = (
  { certificate, key }: ServerCertificate,
  now: Millis,
): Result<ServerCertificate, CertificateProblem> => {
  const leaf = orNothing(() => new X509Certificate(certificate))
  if (leaf === undefined) return err({ of: 'certificate', code: 'no_certificate' })
  const [from, to] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)]
  if (now > to) return err({ of: 'certificate', code: 'certificate_expired', params: { at: formatRfc3339(to) } })
  if (now < from) {
    return err({ of: 'certificate', code: 'certificate_not_yet', params: { from: formatRfc3339(from) } })
  }
  const privateKey = orNothing(() => createPrivateKey(key))
  if (privateKey === undefined) {
    return err({ of: 'key', code: key.includes('ENCRYPTED') ? 'key_encrypted' : 'no_private_key' })
  }
  if (!leaf.checkPrivateKey(privateKey)) return err({ of: 'key', code: 'key_of_another' })
  try {
    createSecureContext({ cert: certificate, key })
  } catch (reason) {
    // OpenSSL refuses weak certificates, such as those with RSA keys of 1024 bits.
    const message = errorMessage(reason)
    return err({ of: 'certificate', code: 'openssl_refuses', params: { message } })
  }
  return ok({ certificate, key })
}
