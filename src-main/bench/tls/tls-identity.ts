import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { isIP, isIPv4 } from 'node:net'
import { join } from 'node:path'
import type { StartProblem } from '../../core/contract/start-problems.ts'
import { toHex, utf8 } from '../../core/protocol/bytes.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { DAY_MS, type Millis } from '../../core/protocol/time.ts'
import { makeFolder } from '../../disk/data-directory.ts'
import { writeOwnerOnly } from '../../disk/owner-only.ts'
import { ES256 } from '../../phones/authenticator/algorithms.ts'
import {
  authorityKeyIdentifier,
  basicConstraints,
  type CertificateExtension,
  extendedKeyUsage,
  issueCertificate,
  keyUsage,
  type Name,
  serialNumber,
  subjectKeyIdentifier,
} from '../../phones/authenticator/attestation/attestation-authority.ts'
import { sequence, taggedPrimitive } from '../../phones/authenticator/der.ts'
import { type EcPrivateKey, makeEcKey, publicKeyDer } from '../../phones/authenticator/private-key.ts'
import { checkCertificate, type ServerCertificate } from './given-certificate.ts'

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
    // An authority that would expire before a certificate issued now is replaced.
    if (Date.parse(new X509Certificate(kept.certificate).validTo) - now > SERVER_DAYS * DAY_MS) return ok(kept)
  }
  const made = make()
  makeFolder(folder)
  // The key is written first: without its certificate it is useless, and both are made again.
  writeOwnerOnly(files.key, made.key)
  writeOwnerOnly(files.certificate, made.certificate)
  return ok(made)
}

/** Clients trust the authority, and therefore every certificate that it issues. */
export type Authority = { readonly certificate: string; readonly key: string }

type Surroundings = { readonly now: Millis; readonly random: RandomSource }

const SERVER = '1.3.6.1.5.5.7.3.1'
const AUTHORITY_DAYS = 3650
// Apple's systems refuse server certificates that are valid for more than 825 days.
const SERVER_DAYS = 397

export const makeAuthority = ({ now, random }: Surroundings): Authority => {
  const key = makeEcKey(ES256, random)
  const serial = serialNumber(random)
  // Trust stores tell authorities apart by their names.
  const name: Name = [
    ['O', 'Handset'],
    ['CN', `Handset CA ${toHex(serial.subarray(0, 4))}`],
  ]
  const certificate = issueCertificate(
    {
      version: 3,
      serialNumber: serial,
      issuer: name,
      subject: name,
      ...validFor(AUTHORITY_DAYS, now),
      publicKey: publicKeyDer(key),
      extensions: [basicConstraints(true, 0), keyUsage('certificates'), subjectKeyIdentifier(key)],
    },
    key,
  )
  return { certificate: new X509Certificate(certificate).toString(), key: pemOf(key) }
}

export const issueServerCertificate = (
  authority: Authority,
  { names, now, random }: Surroundings & { readonly names: readonly string[] },
): ServerCertificate => {
  const issuer = createPrivateKey(authority.key).export({ format: 'jwk' }) as EcPrivateKey
  const key = makeEcKey(ES256, random)
  const certificate = issueCertificate(
    {
      version: 3,
      serialNumber: serialNumber(random),
      issuer: nameOf(authority),
      subject: [
        ['O', 'Handset'],
        ['CN', names[0] ?? 'localhost'],
      ],
      ...validFor(SERVER_DAYS, now),
      publicKey: publicKeyDer(key),
      extensions: [
        basicConstraints(false),
        keyUsage('digitalSignature'),
        extendedKeyUsage(SERVER),
        subjectKeyIdentifier(key),
        authorityKeyIdentifier(issuer),
        subjectAlternativeNames(names),
      ],
    },
    issuer,
  )
  return { certificate: new X509Certificate(certificate).toString() + authority.certificate, key: pemOf(key) }
}

/** Valid from the day before, since the clocks of two machines differ. */
const validFor = (days: number, now: Millis) => ({ notBefore: now - DAY_MS, notAfter: now + (days - 1) * DAY_MS })

const pemOf = (key: EcPrivateKey): string =>
  createPrivateKey({ key: { ...key }, format: 'jwk' })
    .export({ type: 'pkcs8', format: 'pem' })
    .toString()

/** The authority's name in the form in which `makeAuthority` writes it. */
const nameOf = ({ certificate }: Authority): Name =>
  new X509Certificate(certificate).subject.split('\n').map((line) => {
    const [attribute, text = ''] = line.split('=')
    return [attribute === 'O' ? 'O' : 'CN', text]
  })

const LOOPBACK = ['localhost', '127.0.0.1', '::1']
const EVERYWHERE = new Set(['0.0.0.0', '::'])

/** All names of the bench for its clients: hosts and further names, without ports and brackets. */
export const serverNames = ({
  hosts,
  allowHosts = [],
  machineNames,
}: {
  readonly hosts: readonly string[]
  readonly allowHosts?: readonly string[]
  /** Used when the bench listens on all interfaces. */
  readonly machineNames: () => readonly string[]
}): readonly string[] => {
  const others = hosts.some((host) => EVERYWHERE.has(host)) ? machineNames() : []
  const given = [...hosts.filter((host) => !EVERYWHERE.has(host)), ...allowHosts].map(hostIn)
  return [...new Set([...LOOPBACK, ...given, ...others].map((name) => name.toLowerCase()))]
}

/** The name in `name:port`, the address in `[address]:port`. */
const hostIn = (text: string): string =>
  isIP(text) > 0 ? text : (/^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/:\d+$/, ''))

/** RFC 5280 §4.2.1.6: [2] a name, [7] an address. */
const subjectAlternativeNames = (names: readonly string[]): CertificateExtension => ({
  oid: '2.5.29.17',
  critical: false,
  value: sequence(
    ...names.map((name) => (isIP(name) > 0 ? taggedPrimitive(7, addressOctets(name)) : taggedPrimitive(2, utf8(name)))),
  ),
})

const addressOctets = (address: string): Uint8Array => {
  if (isIPv4(address)) return Uint8Array.from(address.split('.').map(Number))
  // The URL parser turns every spelling, even with an IPv4 tail, into hexadecimal groups.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groupsOf = (text = ''): readonly number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const [before, after] = [groupsOf(head), groupsOf(tail)]
  const groups = [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]))
}
