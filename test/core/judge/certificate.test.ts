import { X509Certificate } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FAILURE_WORDS } from '../../../src-main/core/contract/judge/failure-words.ts'
import * as certificates from '../../../src-main/core/judge/certificate.ts'
import * as asn1 from '../../../src-main/core/judge/der.ts'
import { type Bytes, fromHex, toBase64url, toHex, utf8 } from '../../../src-main/core/protocol/bytes.ts'
import { authentication } from '../../support/ceremony/authentication.ts'
import * as x509 from '../../support/ceremony/certificates.ts'
import { bits, context, HIGH, integer, octets, oid, sequence, tlv } from '../../support/ceremony/der.ts'
import { AAGUID, registration } from '../../support/ceremony/registration.ts'
import { packedStatement, tpmStatement } from '../../support/ceremony/statements.ts'
import { vectorRoot } from '../../support/ceremony/vectors.ts'
import { judgedAuthentication, judgedRegistration } from '../../support/ceremony/verdicts.ts'

const decoded = (bytes: Bytes) => {
  const result = certificates.decodeCertificate(bytes)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

it('a good certificate is read field by field', () => {
  const read = decoded(x509.certificate())
  expect(read).toMatchObject({ version: 3, serialNumber: '1267', notBefore: x509.VALID_FROM, notAfter: x509.VALID_TO })
  expect(certificates.nameEvidence(read.subject)).toBe('C=NL, O=Handset, OU=Authenticator Attestation, CN=Model 1')
  expect(certificates.attributeValue(read.issuer, certificates.NAME_ATTRIBUTE_OID.commonName)).toBe('Test root')
  expect(read.key).toMatchObject({ kty: 'EC2', crv: 'P-256' })
})

it.each([
  ['the W3C root', vectorRoot],
  ['a leaf', x509.certificate()],
  ['an intermediate', x509.intermediateCertificate()],
])('a good certificate is read as node:crypto reads it: %s', (_, bytes) => {
  const ours = decoded(bytes)
  const theirs = new X509Certificate(bytes)
  expect(ours.notBefore).toBe(Date.parse(theirs.validFrom))
  expect(ours.serialNumber.replace(/^00/, '').toUpperCase()).toBe(theirs.serialNumber.padStart(2, '0'))
  expect(theirs.subject).toContain(
    `CN=${certificates.attributeValue(ours.subject, certificates.NAME_ATTRIBUTE_OID.commonName)}`,
  )
  expect(typeof certificates.basicConstraints(ours) === 'object' && certificates.basicConstraints(ours)).toMatchObject({
    ca: theirs.ca,
  })
})

it('a good certificate shows what is no text in a name as hex', () => {
  const subject = sequence(tlv(0x31, sequence(oid('2.5.4.6'), bits(Uint8Array.of(1)))))
  expect(certificates.nameEvidence(decoded(x509.certificate({ subject })).subject)).toBe('C=#03020001')
})

it('a good certificate reads a BMPString in a name as text, and half a character as none', () => {
  const named = (content: Uint8Array) => sequence(tlv(0x31, sequence(oid('2.5.4.11'), tlv(0x1e, content))))
  const unit = Buffer.from('Authenticator Attestation', 'utf16le').swap16()
  const shown = (content: Uint8Array) =>
    certificates.nameEvidence(decoded(x509.certificate({ subject: named(content) })).subject)
  expect(shown(unit)).toBe('OU=Authenticator Attestation')
  expect(shown(unit.subarray(0, 3))).toBe('OU=#1e03004100')
  expect(shown(Uint8Array.of(0xd8, 0))).toBe('OU=#1e02d800')
})

it('a good certificate may have a negative serial number, as some makers wrote', () => {
  expect(decoded(x509.certificate({ serial: -5 })).serialNumber).toBe('fb')
})

it('a good certificate tells its constraints and its AAGUID', () => {
  expect(certificates.basicConstraints(decoded(x509.intermediateCertificate()))).toEqual({ ca: true, pathLength: 0 })
  expect(certificates.canSignCertificates(decoded(x509.intermediateCertificate()))).toBe(true)
  expect(certificates.canSignCertificates(decoded(x509.certificate()))).toBeUndefined()
  expect(certificates.fidoAaguid(decoded(x509.certificate({ extensions: [x509.extension.aaguid(AAGUID)] })))).toEqual(
    AAGUID,
  )
})

const algorithm = sequence(oid('1.2.840.10045.4.3.2'))
const name = sequence()
const time = sequence(...['240101000000Z', '340101000000Z'].map((text) => tlv(0x17, utf8(text))))
const { spki } = x509.rootKey()
const good = { version: context(0, integer(2)), serial: integer(1), algorithm, issuer: name, time, subject: name, spki }
const body = (changes: Partial<typeof good> = {}, ...more: readonly Uint8Array[]) =>
  sequence(sequence(...Object.values({ ...good, ...changes }), ...more), algorithm, bits(new Uint8Array(8)))
const twice = context(3, sequence(...[1, 2].map(() => sequence(oid('1.2.3'), octets(new Uint8Array())))))

it.each([
  ['is no sequence of three', sequence(), { part: 'signed_sequence' }],
  ['has a version of the future', body({ version: context(0, integer(3)) }), { part: 'version' }],
  ['has no serial number', body({ serial: tlv(0x02) }), { part: 'serial_number' }],
  ['has an issuer that is no name', body({ issuer: integer(1) }), { part: 'issuer' }],
  ['has a subject that is no name', body({ subject: sequence(integer(1)) }), { part: 'subject' }],
  ['has no validity', body({ time: name }), { part: 'validity' }],
  ['has no public key', body({ spki: new Uint8Array() }), { part: 'public_key' }],
  ['is signed otherwise', body({ algorithm: sequence(oid('1.3.101.112')) }), { part: 'signature_algorithm' }],
  ['has an extension twice', body({}, twice), { part: 'extensions' }],
  ['has a field of the future', body({}, context(4)), { part: 'extensions' }],
  ['is larger than any', new Uint8Array(40_000), { size: 40_000 }],
  ['ends too early', x509.rootCertificate().slice(0, 100), { fault: 'truncated', byte: 4 }],
])('a certificate that cannot be read: %s', (_, bytes, error) =>
  expect(certificates.decodeCertificate(bytes)).toEqual({ ok: false, error }),
)

it('a certificate that cannot be read is the exception: unique identifiers are skipped', () => {
  expect(certificates.decodeCertificate(body({}, tlv(0x81, Uint8Array.of(0)))).ok).toBe(true)
})

const bytes = (hex: string) => {
  const value = fromHex(hex.replaceAll(' ', ''))
  if (!value.ok) throw new Error(value.error)
  return value.value
}

const node = (hex: string) => {
  const der = asn1.decodeDer(bytes(hex))
  if (!der.ok) throw new Error(der.error.fault)
  return der.value
}

const fault = (hex: string) => {
  const der = asn1.decodeDer(bytes(hex))
  return der.ok ? undefined : der.error.fault
}

it.each([
  ['', 'truncated'],
  ['30', 'truncated'],
  ['3001', 'truncated'],
  ['30 03 02 01', 'truncated'],
  ['30 02 02 01', 'truncated'],
  ['30 03 02 02 00', 'truncated'],
  ['30 80 00 00', 'indefinite_length'],
  ['30 81 00', 'length_not_minimal'],
  ['30 81 7f', 'length_not_minimal'],
  ['30 82 00 ff', 'length_not_minimal'],
  ['30 85 01 00 00 00 00', 'truncated'],
  ['1f 1e 00', 'tag_not_minimal'],
  ['1f 80 1f 00', 'tag_not_minimal'],
  ['1f', 'truncated'],
  ['05 00 00', 'trailing_bytes'],
])('what is not DER: %s is %s', (hex, expected) => expect(fault(hex)).toBe(expected))

it('what is not DER: nesting beyond 24 levels', () => {
  const nested = (levels: number) =>
    Array.from({ length: levels }).reduce<Uint8Array>((inner) => sequence(inner), new Uint8Array())
  expect(fault(toHex(nested(24)))).toBeUndefined()
  expect(fault(toHex(nested(25)))).toBe('too_deep')
})

it('what is not DER: more than 4,096 elements', () => {
  const many = (count: number) => toHex(sequence(...Array.from({ length: count }, () => tlv(0x05))))
  expect(fault(many(4095))).toBeUndefined()
  expect(fault(many(4096))).toBe('too_many_elements')
})

it('reads tags above 30', () => {
  const root = node(toHex(tlv(HIGH + 702, tlv(0x05))))
  expect(root).toMatchObject({ tagClass: 'context', tag: 702, constructed: true, children: [{ tag: 5 }] })
})

it('knows where each element stands', () => {
  const [first, second] = node('30 06 02 01 05 02 01 06').children
  expect([first?.start, first?.end, second?.start, second?.end]).toEqual([2, 5, 5, 8])
  expect(toHex(second?.bytes ?? new Uint8Array())).toBe('020106')
})

it.each([
  ['02 01 00', 0],
  ['02 01 7f', 127],
  ['02 02 00 80', 128],
  ['02 01 ff', -1],
  ['02 02 ff 7f', -129],
  ['02 04 7f ff ff ff', 2147483647],
])('an INTEGER: %s is %i', (hex, value) => expect(asn1.smallInteger(node(hex))).toBe(value))

it.each(['02 00', '02 02 00 7f', '02 02 ff 80', '04 01 00'])('an INTEGER: %s is none', (hex) => {
  expect(asn1.integerBytes(node(hex))).toBeUndefined()
})

it('an INTEGER that is negative has no unsigned octets', () =>
  expect(asn1.unsignedBytes(node('02 01 80'))).toBeUndefined())

it('an INTEGER that is positive loses the octet that keeps it so', () => {
  expect(toHex(asn1.unsignedBytes(node('02 02 00 ff')) ?? new Uint8Array())).toBe('ff')
})

it('an INTEGER of five octets is not small', () =>
  expect(asn1.smallInteger(node('02 05 01 00 00 00 00'))).toBeUndefined())

it.each([
  ['01 01 ff', true],
  ['01 01 00', false],
  ['01 01 01', undefined],
  ['01 02 ff ff', undefined],
])('other types: the BOOLEAN %s is %s', (hex, value) => expect(asn1.booleanValue(node(hex))).toBe(value))

it.each(['1.2.840.10045.2.1', '2.5.29.19', '2.23.133.8.3', '1.3.6.1.4.1.45724.1.1.4', '0.9.2342'])(
  'other types: the OBJECT IDENTIFIER %s is read',
  (dotted) => expect(asn1.oidText(node(toHex(oid(dotted))))).toBe(dotted),
)

it('other types: an OBJECT IDENTIFIER may have two octets for its first arcs', () => {
  expect(asn1.oidText(node('06 03 88 37 03'))).toBe('2.999.3')
})

it.each(['06 00', '06 02 80 01', '06 01 88', '04 01 2a'])('the octets %s are no OBJECT IDENTIFIER', (hex) => {
  expect(asn1.oidText(node(hex))).toBeUndefined()
})

it('other types: a BIT STRING that does not fill its last octet gives no octets', () => {
  expect(asn1.bitStringBytes(node('03 02 01 80'))).toBeUndefined()
  expect(asn1.bitStringBytes(node('03 02 00 80'))).toEqual(Uint8Array.of(0x80))
})

it.each([
  ['03 02 07 80', [0x80]],
  ['03 02 02 04', [0x04]],
  ['03 01 00', []],
])('named bits are read from %s', (hex, octets) => expect(asn1.namedBits(node(hex))).toEqual(Uint8Array.from(octets)))

it.each(['03 00', '03 01 01', '03 02 08 00', '03 02 03 04', '04 02 00 04'])('no named bits are in %s', (hex) => {
  expect(asn1.namedBits(node(hex))).toBeUndefined()
})

describe('a time', () => {
  const time = (tag: number, text: string) => asn1.parseDerTime(node(toHex(tlv(tag, utf8(text)))))

  it.each([
    [0x17, '240101000000Z', Date.UTC(2024, 0, 1)],
    [0x17, '491231235959Z', Date.UTC(2049, 11, 31, 23, 59, 59)],
    [0x17, '500101000000Z', Date.UTC(1950, 0, 1)],
    [0x17, '991231235959Z', Date.UTC(1999, 11, 31, 23, 59, 59)],
    [0x18, '30240101000000Z', Date.UTC(3024, 0, 1)],
    [0x18, '20240229000000Z', Date.UTC(2024, 1, 29)],
  ])('with tag %i, %s is %i', (tag, text, expected) => expect(time(tag, text)).toBe(expected))

  it.each([
    [0x17, '2401010000Z'],
    [0x17, '240101000000+0100'],
    [0x17, '241301000000Z'],
    [0x18, '20230229000000Z'],
    [0x18, '21000229000000Z'],
    [0x18, '20240101240000Z'],
    [0x18, '20240101000060Z'],
    [0x18, '20240101000000.5Z'],
    [0x18, '00990101000000Z'],
    [0x0c, '20240101000000Z'],
  ])('with tag %i, %s is none', (tag, text) => expect(time(tag, text)).toBeUndefined())
})

it('never throws, whatever the octets', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 64 }),
      (octets) => typeof asn1.decodeDer(Uint8Array.from(octets)).ok === 'boolean',
    ),
    { seed: 7, numRuns: 2000 },
  )
})

const settings = { seed: 7, numRuns: 400 }

const isVerdict = (verdict: Awaited<ReturnType<typeof judgedRegistration>>) =>
  verdict.accepted || (verdict.failure !== undefined && FAILURE_WORDS.includes(verdict.failure.word))

const anyJson = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.record(
    {
      id: fc.oneof(fc.constant('AAAA'), fc.jsonValue({ maxDepth: 1 })),
      rawId: fc.oneof(fc.constant('AAAA'), fc.jsonValue({ maxDepth: 1 })),
      type: fc.constantFrom('public-key', 'x', null),
      clientExtensionResults: fc.jsonValue({ maxDepth: 2 }),
      response: fc.oneof(
        fc.jsonValue({ maxDepth: 1 }),
        fc.dictionary(
          fc.constantFrom(
            'clientDataJSON',
            'attestationObject',
            'authenticatorData',
            'signature',
            'userHandle',
            'transports',
          ),
          fc.oneof(
            fc.uint8Array({ maxLength: 80 }).map(toBase64url),
            fc.json().map((text) => toBase64url(new TextEncoder().encode(text))),
            fc.jsonValue({ maxDepth: 2 }),
          ),
        ),
      ),
    },
    { requiredKeys: [] },
  ),
)

it('any JSON whatsoever as a registration or an authentication has a verdict with a word', async () => {
  await fc.assert(
    fc.asyncProperty(anyJson, async (json) => {
      const response = () => json
      const registered = await judgedRegistration(registration({ response }))
      const { failure, steps } = await judgedAuthentication(authentication({ response }))
      return isVerdict(registered) && registered.steps.length === 29 && failure !== undefined && steps.length === 25
    }),
    settings,
  )
})

const damage = fc.record({ at: fc.nat(), xor: fc.integer({ min: 1, max: 255 }), cut: fc.boolean() })

const damaged = (bytes: Uint8Array, { at, xor, cut }: { at: number; xor: number; cut: boolean }): Uint8Array => {
  const index = at % bytes.length
  return cut ? bytes.slice(0, index) : bytes.map((byte, i) => (i === index ? byte ^ xor : byte))
}

it.each([
  ['packed', packedStatement()],
  ['tpm', tpmStatement()],
] as const)('a trusted %s attestation object damaged anywhere is never accepted', async (format, statement) => {
  const trusted = { attestation: 'require-trusted', roots: [x509.rootCertificate()] } as const
  const good = registration({ format, statement, case: trusted })
  const response = good.response as { response: { attestationObject: string } }
  const object = Uint8Array.from(Buffer.from(response.response.attestationObject, 'base64url'))
  expect((await judgedRegistration(good)).accepted).toBe(true)
  await fc.assert(
    fc.asyncProperty(damage, async (change) => {
      const attestationObject = toBase64url(damaged(object, change))
      const changed = { ...response, response: { ...response.response, attestationObject } }
      return !(await judgedRegistration({ ...good, response: changed })).accepted
    }),
    settings,
  )
})
