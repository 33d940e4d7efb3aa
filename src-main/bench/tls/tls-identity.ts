import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StartProblem } from '../../core/contract/start-problems.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { DAY_MS, type Millis } from '../../core/protocol/time.ts'
import { makeFolder } from '../../disk/data-directory.ts'
import { writeOwnerOnly } from '../../disk/owner-only.ts'
import { type Authority, issueServerCertificate, makeAuthority, type ServerCertificate } from './authority.ts'
import { checkCertificate } from './given-certificate.ts'

/** `generated`: the bench's own authority issues the certificate. */
export type TlsSetting = 'generated' | ServerCertificate

export type TlsIdentity = ServerCertificate & {
  /** PEM of the bench's own authority; undefined when the certificate was given. */
  readonly authority: string | undefined
}

type Making = Parameters<typeof issueServerCertificate>[1] & { readonly directory: string | undefined }

/** Undefined if no TLS is wanted. */
export const makeTlsIdentity = (
  wanted: TlsSetting | undefined,
  { directory, ...about }: Making,
): Result<TlsIdentity | undefined, StartProblem> => {
  if (wanted === undefined) return ok(undefined)
  if (wanted !== 'generated') return ok({ ...wanted, authority: undefined })
  const make = (): Authority => makeAuthority(about)
  const authority = directory === undefined ? ok(make()) : keptAuthority(directory, { now: about.now, make })
  if (!authority.ok) return authority
  return ok({ ...issueServerCertificate(authority.value, about), authority: authority.value.certificate })
}

/** Clients on this machine accept the bench by this exact certificate, under any name. */
export const pinCertificate = (certificate: string) => ({
  ca: leafCertificate(certificate),
  allowPartialTrustChain: true,
  checkServerIdentity: () => undefined,
})

/** PEM of the first certificate of a chain. */
export const leafCertificate = (chain: string): string => new X509Certificate(chain).toString()

/** The authority of a data directory: made once, so that clients need trust it only once. */
const keptAuthority = (
  directory: string,
  { now, make }: { readonly now: Millis; readonly make: () => Authority },
): Result<Authority, StartProblem> => {
  const folder = join(directory, 'tls')
  const files = { certificate: join(folder, 'ca.pem'), key: join(folder, 'ca-key.pem') }
  if (existsSync(files.certificate) && existsSync(files.key)) {
    const kept = { certificate: readFileSync(files.certificate, 'utf8'), key: readFileSync(files.key, 'utf8') }
    const checked = checkCertificate(kept, now)
    if (!checked.ok) {
      const problem = checked.error
      return err({ code: 'authority_refused', params: { file: files[problem.of], folder, problem } })
    }
    if (Date.parse(new X509Certificate(kept.certificate).validTo) - now > MIN_LIFE_LEFT_MS) return ok(kept)
  }
  const made = make()
  makeFolder(folder)
  // The key is written first: without its certificate it is useless, and both are made again.
  writeOwnerOnly(files.key, made.key)
  writeOwnerOnly(files.certificate, made.certificate)
  return ok(made)
}

/** An authority that would expire before a certificate issued now is replaced. */
const MIN_LIFE_LEFT_MS = 397 * DAY_MS
