import { X509Certificate } from 'node:crypto'
import type { SecureContextOptions } from 'node:tls'
import type { StartProblem } from '../../core/contract/start-problems.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import { ok, type Result } from '../../core/protocol/result.ts'
import type { Millis } from '../../core/protocol/time.ts'
import { type Authority, issueServerCertificate, makeAuthority, type ServerCertificate } from './authority.ts'
import { keptAuthority } from './kept-authority.ts'

/** `generated`: from an authority of the bench's own. */
export type WantedTls = 'generated' | ServerCertificate

/** What the bench shows its clients, and what they have to trust. */
export type TlsIdentity = ServerCertificate & {
  /** PEM of the bench's own authority; undefined when the certificate was given. */
  readonly authority: string | undefined
}

/** Undefined where nothing is wanted: the bench speaks http. */
export const makeTlsIdentity = (
  wanted: WantedTls | undefined,
  {
    directory,
    ...about
  }: {
    readonly directory: string | undefined
    readonly names: readonly string[]
    readonly now: Millis
    readonly random: RandomSource
  },
): Result<TlsIdentity | undefined, StartProblem> => {
  if (wanted === undefined) return ok(undefined)
  if (wanted !== 'generated') return ok({ ...wanted, authority: undefined })
  const make = (): Authority => makeAuthority(about)
  const authority = directory === undefined ? ok(make()) : keptAuthority(directory, { now: about.now, make })
  if (!authority.ok) return authority
  return ok({ ...issueServerCertificate(authority.value, about), authority: authority.value.certificate })
}

/** How clients on this machine recognise the bench: by this exact certificate, with any names. */
export type PinnedTls = Pick<SecureContextOptions, 'ca' | 'allowPartialTrustChain'> & {
  readonly checkServerIdentity: () => undefined
}

export const pinTo = (certificate: string): PinnedTls => ({
  ca: leafOf(certificate),
  allowPartialTrustChain: true,
  checkServerIdentity: () => undefined,
})

/** PEM of the first certificate of a chain. */
export const leafOf = (chain: string): string => new X509Certificate(chain).toString()
