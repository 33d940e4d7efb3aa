import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StartProblem } from '../../core/contract/start-problems.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { DAY_MS, type Millis } from '../../core/protocol/time.ts'
import { makeFolder } from '../../disk/data-directory.ts'
import { writeOwnerOnly } from '../../disk/owner-only.ts'
import type { Authority } from './authority.ts'
import { checkCertificate } from './given-certificate.ts'

/** The authority of a data directory: made once, so that clients need trust it only once. */
export const keptAuthority = (
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
    if (Date.parse(new X509Certificate(kept.certificate).validTo) - now > LEAST_LEFT) return ok(kept)
  }
  const made = make()
  makeFolder(folder)
  // The key first: without its certificate it is useless, and both are made again.
  writeOwnerOnly(files.key, made.key)
  writeOwnerOnly(files.certificate, made.certificate)
  return ok(made)
}

/** An authority that ends before the certificates it issues is replaced. */
const LEAST_LEFT = 397 * DAY_MS
