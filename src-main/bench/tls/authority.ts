import { createPrivateKey, X509Certificate } from 'node:crypto'
import { toHex } from '../../core/protocol/bytes.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import { DAY_MS, type Millis } from '../../core/protocol/time.ts'
import { algorithmNamed } from '../../phones/authenticator/algorithms.ts'
import {
  authorityKeyIdentifier,
  basicConstraints,
  extendedKeyUsage,
  issueCertificate,
  keyUsage,
  type Name,
  serialNumber,
  subjectKeyIdentifier,
} from '../../phones/authenticator/attestation/attestation-authority.ts'
import { type EcPrivateKey, makeEcKey, publicKeyDer } from '../../phones/authenticator/private-key.ts'
import { subjectAlternativeNames } from './server-names.ts'

/** Clients trust the authority, and therefore every certificate that it issues. */
export type Authority = { readonly certificate: string; readonly key: string }

/** A certificate chain, the server's first, and its key; all as PEM. */
export type ServerCertificate = { readonly certificate: string; readonly key: string }

type Surroundings = { readonly now: Millis; readonly random: RandomSource }

const P256 = algorithmNamed('ES256')
const SERVER = '1.3.6.1.5.5.7.3.1'
const AUTHORITY_DAYS = 3650
// Apple's systems refuse server certificates that are valid for more than 825 days.
const SERVER_DAYS = 397

export const makeAuthority = ({ now, random }: Surroundings): Authority => {
  const key = makeEcKey(P256, random)
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
  const key = makeEcKey(P256, random)
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
