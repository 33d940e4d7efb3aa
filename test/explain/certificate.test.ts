import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decodeCertificate, NAME_TYPE, nameValue, showName } from '../../src-main/explain/certificate.ts'
import { basicConstraints, fidoAaguid, mayCertify } from '../../src-main/explain/certificate-extensions.ts'
import type { Bytes } from '../../src-main/protocol/bytes.ts'
import {
  certificate,
  extension,
  intermediateCertificate,
  rootCertificate,
  rootKey,
  VALID_FROM,
  VALID_TO,
} from '../support/ceremony/certificates.ts'
import { bits, context, integer, octets, oid, sequence, tlv } from '../support/ceremony/der.ts'
import { AAGUID } from '../support/ceremony/registration.ts'
import { vectorRoot } from '../support/ceremony/vectors.ts'

const decoded = (bytes: Bytes) => {
  const result = decodeCertificate(bytes)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

describe('a good certificate', () => {
  it('is read field by field', () => {
    const read = decoded(certificate())
    expect(read).toMatchObject({ version: 3, serialNumber: '1267', notBefore: VALID_FROM, notAfter: VALID_TO })
    expect(showName(read.subject)).toBe('C=NL, O=Handset, OU=Authenticator Attestation, CN=Model 1')
    expect(nameValue(read.issuer, NAME_TYPE.commonName)).toBe('Test root')
    expect(read.key).toMatchObject({ kty: 'EC2', crv: 'P-256' })
  })

  it.each([
    ['the W3C root', vectorRoot],
    ['a leaf', certificate()],
    ['an intermediate', intermediateCertificate()],
  ])('is read as node:crypto reads it: %s', (_, bytes) => {
    const ours = decoded(bytes)
    const theirs = new X509Certificate(bytes)
    expect(ours.notBefore).toBe(Date.parse(theirs.validFrom))
    expect(ours.serialNumber.replace(/^00/, '').toUpperCase()).toBe(theirs.serialNumber.padStart(2, '0'))
    expect(theirs.subject).toContain(`CN=${nameValue(ours.subject, NAME_TYPE.commonName)}`)
    expect(typeof basicConstraints(ours) === 'object' && basicConstraints(ours)).toMatchObject({ ca: theirs.ca })
  })

  it('shows what is no text in a name as hex', () => {
    const subject = sequence(tlv(0x31, sequence(oid('2.5.4.6'), bits(Uint8Array.of(1)))))
    expect(showName(decoded(certificate({ subject })).subject)).toBe('C=#03020001')
  })

  it('reads a BMPString in a name as text, and half a character as none', () => {
    const named = (content: Uint8Array) => sequence(tlv(0x31, sequence(oid('2.5.4.11'), tlv(0x1e, content))))
    const unit = Buffer.from('Authenticator Attestation', 'utf16le').swap16()
    const shown = (content: Uint8Array) => showName(decoded(certificate({ subject: named(content) })).subject)
    expect(shown(unit)).toBe('OU=Authenticator Attestation')
    expect(shown(unit.subarray(0, 3))).toBe('OU=#1e03004100')
    expect(shown(Uint8Array.of(0xd8, 0))).toBe('OU=#1e02d800')
  })

  it('may have a negative serial number, as some makers wrote', () => {
    expect(decoded(certificate({ serial: -5 })).serialNumber).toBe('fb')
  })

  it('tells its constraints and its AAGUID', () => {
    expect(basicConstraints(decoded(intermediateCertificate()))).toEqual({ ca: true, pathLength: 0 })
    expect(mayCertify(decoded(intermediateCertificate()))).toBe(true)
    expect(mayCertify(decoded(certificate()))).toBeUndefined()
    expect(fidoAaguid(decoded(certificate({ extensions: [extension.aaguid(AAGUID)] })))).toEqual(AAGUID)
  })
})

describe('a certificate that cannot be read', () => {
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'))
  const [name, time] = [
    sequence(),
    sequence(
      tlv(0x17, new TextEncoder().encode('240101000000Z')),
      tlv(0x17, new TextEncoder().encode('340101000000Z')),
    ),
  ]
  const { spki } = rootKey()
  const body = (...fields: readonly Uint8Array[]) => sequence(sequence(...fields), algorithm, bits(new Uint8Array(8)))
  const version = context(0, integer(2))
  const twice = context(3, sequence(...[1, 2].map(() => sequence(oid('1.2.3'), octets(new Uint8Array())))))

  it.each([
    ['is no sequence of three', sequence(), { part: 'signed_sequence' }],
    [
      'has a version of the future',
      body(context(0, integer(3)), integer(1), algorithm, name, time, name, spki),
      { part: 'version' },
    ],
    ['has no serial number', body(version, tlv(0x02), algorithm, name, time, name, spki), { part: 'serial_number' }],
    [
      'has an issuer that is no name',
      body(version, integer(1), algorithm, integer(1), time, name, spki),
      { part: 'issuer' },
    ],
    [
      'has a subject that is no name',
      body(version, integer(1), algorithm, name, time, sequence(integer(1)), spki),
      { part: 'subject' },
    ],
    ['has no validity', body(version, integer(1), algorithm, name, name, name, spki), { part: 'validity' }],
    ['has no public key', body(version, integer(1), algorithm, name, time, name), { part: 'public_key' }],
    [
      'is signed otherwise than it says',
      body(version, integer(1), sequence(oid('1.3.101.112')), name, time, name, spki),
      { part: 'signature_algorithm' },
    ],
    [
      'has an extension twice',
      body(version, integer(1), algorithm, name, time, name, spki, twice),
      { part: 'extensions' },
    ],
    [
      'has a field of the future',
      body(version, integer(1), algorithm, name, time, name, spki, context(4)),
      { part: 'extensions' },
    ],
    ['is larger than any', new Uint8Array(40_000), { size: 40_000 }],
    ['ends too early', rootCertificate().slice(0, 100), { fault: 'truncated', byte: 4 }],
  ])('%s', (_, bytes, error) => expect(decodeCertificate(bytes)).toEqual({ ok: false, error }))

  it('is the exception: unique identifiers are skipped', () => {
    expect(
      decodeCertificate(body(version, integer(1), algorithm, name, time, name, spki, tlv(0x81, Uint8Array.of(0)))).ok,
    ).toBe(true)
  })
})
