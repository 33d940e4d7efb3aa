import { sign, X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BaseMetadataService, SettingsService } from '@simplewebauthn/server'
import { expect, onTestFinished, test } from 'vitest'
import { parseBenchOptions } from '../../src-main/cli/bench-options.ts'
import { untilEnd } from '../../src-main/cli/command-end.ts'
import { optionFlag } from '../../src-main/cli/read-options.ts'
import { parseRole } from '../../src-main/cli/serve.ts'
import type { ModelMetadata } from '../../src-main/core/judge/ceremony-case.ts'
import { formatUuid } from '../../src-main/core/judge/describe.ts'
import { concat } from '../../src-main/core/protocol/bytes.ts'
import { DAY_MS } from '../../src-main/core/protocol/time.ts'
import { MODELS } from '../../src-main/phones/authenticator/models.ts'
import { readMetadata } from '../../src-main/service/ceremony/metadata.ts'
import { opinionAgrees, secondOpinion } from '../../src-main/service/second-opinion/second-opinion.ts'
import { cast, register, START, startTestBench } from '../support/bench.ts'
import { CN, certificate, extension, name, rootCertificate, VALID_TO } from '../support/ceremony/certificates.ts'
import { testKey } from '../support/ceremony/keys.ts'
import { AAGUID, NOW, registration } from '../support/ceremony/registration.ts'
import { packedStatement } from '../support/ceremony/statements.ts'
import { expectRefusal, judgedRegistration } from '../support/ceremony/verdicts.ts'
import { serveBriefly } from '../support/serve-briefly.ts'
import { refused, taken } from '../support/taken.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ROOT = rootCertificate()
const SIGNER = name([CN, 'mds.example'])
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

type Report = { readonly status?: unknown; readonly effectiveDate?: string }

/** Granite One, and any other model, by the metadata statements that FIDO's Metadata Service has. */
const entryOf = (aaguid: string, statusReports: unknown = [], roots: unknown = [base64(ROOT)]) => ({
  aaguid,
  statusReports,
  timeOfLastStatusChange: '2026-01-31',
  metadataStatement: {
    legalHeader: '…',
    aaguid,
    description: 'Invented',
    authenticatorVersion: 1,
    protocolFamily: 'fido2',
    schema: 3,
    upv: [{ major: 1, minor: 1 }],
    authenticationAlgorithms: ['secp256r1_ecdsa_sha256_raw'],
    publicKeyAlgAndEncodings: ['cose'],
    attestationTypes: ['basic_full'],
    userVerificationDetails: [[{ userVerificationMethod: 'passcode_external' }]],
    keyProtection: ['hardware'],
    matcherProtection: ['on_chip'],
    attachmentHint: ['external'],
    tcDisplay: [],
    attestationRootCertificates: roots,
  },
})

const REVOKED: Report = { status: 'REVOKED', effectiveDate: new Date(START + DAY_MS).toISOString().slice(0, 10) }
const CERTIFIED: Report = { status: 'FIDO_CERTIFIED_L1', effectiveDate: '2025-01-31' }
const GRANITE = MODELS['granite-one'].aaguid
const OTHERS = [...new Set(Object.values(MODELS).map(({ aaguid }) => aaguid))].filter(
  (aaguid) => aaguid !== GRANITE && /[1-9a-f]/.test(aaguid),
)
const ENTRIES: readonly unknown[] = [
  { aaid: '1234#5678', statusReports: [], timeOfLastStatusChange: '2026-01-31' },
  ...OTHERS.map((aaguid) => entryOf(aaguid)),
  entryOf(GRANITE.toUpperCase(), [CERTIFIED, REVOKED]),
  entryOf(formatUuid(AAGUID), [CERTIFIED]),
]

type Parts = {
  algorithm?: -7 | -257
  alg?: string
  x5c?: unknown
  entries?: unknown
  signer?: string
  encoding?: 'der'
}

const blob = ({ algorithm = -7, signer = 'mds', encoding, ...parts }: Parts = {}): string => {
  const key = testKey(algorithm, 'mds')
  const { alg = algorithm === -7 ? 'ES256' : 'RS256', x5c = [base64(certificate({ subject: SIGNER, key }))] } = parts
  const payload = { legalHeader: '…', no: 7, nextUpdate: '2119-01-31', entries: parts.entries ?? ENTRIES }
  const signed = `${part({ alg, typ: 'JWT', x5c })}.${part(payload)}`
  const { privateKey } = testKey(algorithm, signer)
  const dsaEncoding = encoding ?? 'ieee-p1363'
  return `${signed}.${sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding }).toString('base64url')}`
}

const read = (text: string, now = NOW) => readMetadata(text, { roots: [ROOT], now })

test.each([-7, -257] as const)('a list signed with %i is read: a model’s roots and what distrusts it', (algorithm) => {
  const models = taken(read(blob({ algorithm })))
  expect(models.size).toBe(ENTRIES.length - 1)
  expect(models.get(GRANITE)).toEqual({
    roots: [ROOT],
    reports: [{ status: 'REVOKED', from: START + DAY_MS - (START % DAY_MS) }],
  })
  expect(models.get(formatUuid(AAGUID))?.reports).toEqual([])
})

/** As FIDO's list since August 2026: below its new root, which the old one has signed, too. */
const crossSigned = (notAfter = VALID_TO) => {
  const authority = [extension.constraints(true)]
  const issuer = { subject: name([CN, 'issuer']), key: testKey(-7, 'issuer'), extensions: authority }
  const newRoot = { subject: name([CN, 'new root']), key: testKey(-7, 'new root'), extensions: authority }
  const x5c = [
    certificate({ subject: SIGNER, key: testKey(-7, 'mds'), issuer: issuer.subject, signer: issuer.key }),
    certificate({ ...issuer, issuer: newRoot.subject, signer: newRoot.key }),
    certificate(newRoot),
  ]
  return { x5c, newRoot: certificate({ ...newRoot, issuer: newRoot.subject, signer: newRoot.key, notAfter }) }
}

test.each(['old', 'new'])(
  'a list whose signer is below a root that another root signed is read with the %s one',
  (which) => {
    const { x5c, newRoot } = crossSigned()
    const text = blob({ x5c: x5c.map(base64) })
    const roots = [which === 'old' ? ROOT : newRoot]
    expect(readMetadata(text, { roots, now: NOW })).toMatchObject({ ok: true })
    const broken = blob({ x5c: x5c.toSpliced(1, 1).map(base64) })
    expect(readMetadata(broken, { roots, now: NOW })).toMatchObject({
      error: expect.stringContaining('do not lead to'),
    })
  },
)

test('an expired root does not stand in the way of a valid one', () => {
  const { x5c, newRoot } = crossSigned(NOW - DAY_MS)
  const text = blob({ x5c: x5c.map(base64) })
  expect(readMetadata(text, { roots: [newRoot, ROOT], now: NOW })).toMatchObject({ ok: true })
  expect(readMetadata(text, { roots: [newRoot], now: NOW })).toMatchObject({
    error: expect.stringContaining('not today'),
  })
})

test('a model’s root is read from the texts that real lists have', () => {
  const pem = new X509Certificate(ROOT).toString()
  const texts = [`\n${base64(ROOT)}\r\n`, base64(Buffer.from(pem)), base64(concat(ROOT, certificate())), 'AAAA']
  const models = taken(read(blob({ entries: [entryOf(GRANITE, [], texts)] })))
  expect(models.get(GRANITE)?.roots).toEqual([ROOT, ROOT, ROOT])
})

const between = { subject: SIGNER, key: testKey(-7, 'mds'), issuer: name([CN, 'between']) }
const noAuthority = certificate({ subject: between.issuer, key: testKey(-7, 'between') })

test.each<[string, () => string, string, number?]>([
  ['that is no JWT', () => blob().replace('.', ''), 'must be a JWT'],
  ['with a header that is no JSON', () => blob().replace(/^[^.]+/, 'AAAA'), 'must be JSON objects'],
  ['without certificates', () => blob({ x5c: [] }), 'as x5c'],
  ['with a certificate that is none', () => blob({ x5c: ['AAAA'] }), 'as x5c'],
  ['with an algorithm that is not its key’s', () => blob({ alg: 'RS256' }), 'must have alg'],
  ['signed by no algorithm', () => blob({ alg: 'none' }), 'must have alg'],
  ['signed by another key', () => blob({ signer: 'other' }), 'its signature is wrong'],
  ['with a signature in DER', () => blob({ encoding: 'der' }), 'its signature is wrong'],
  [
    'changed after it was signed',
    () => blob().replace(/\.[^.]+\./, `.${part({ entries: [] })}.`),
    'its signature is wrong',
  ],
  [
    'of a signer under another root',
    () => blob({ x5c: [base64(certificate({ ...between, issuer: SIGNER, signer: testKey(-7, 'mds') }))] }),
    'do not lead to',
  ],
  [
    'of a signer under a certificate that may not certify',
    () => blob({ x5c: [certificate({ ...between, signer: testKey(-7, 'between') }), noAuthority].map(base64) }),
    'do not lead to',
  ],
  ['read after its certificates’ time', () => blob(), 'not today', VALID_TO + DAY_MS],
  ['without entries', () => blob({ entries: {} }), 'a list of entries'],
  ['with an AAGUID that is none', () => blob({ entries: [entryOf('7b6a')] }), 'entries[0].aaguid'],
  ['with an entry that is none', () => blob({ entries: ['x'] }), 'entries[0].aaguid'],
  ['with roots that are none', () => blob({ entries: [entryOf(GRANITE, [], 'x')] }), 'attestationRootCertificates'],
  ['without reports', () => blob({ entries: [entryOf(GRANITE, 'REVOKED')] }), 'entries[0].statusReports'],
  ['with a report without a status', () => blob({ entries: [entryOf(GRANITE, [{}])] }), 'entries[0].statusReports'],
  [
    'with a report of no date',
    () => blob({ entries: [entryOf(GRANITE, [{ ...REVOKED, effectiveDate: 'soon' }])] }),
    'entries[0].statusReports',
  ],
])('a list %s is refused with a sentence that names it', (_, make, words, now = NOW) => {
  const metadata = read(make(), now)
  expect(metadata.ok ? 'read' : metadata.error).toContain(words)
})

test('[judge.mds] SimpleWebAuthn’s metadata service reads the same list', async () => {
  const before = SettingsService.getRootCertificates({ identifier: 'mds' })
  SettingsService.setRootCertificates({ identifier: 'mds', certificates: [ROOT] })
  const text = blob()
  onTestFinished(() => SettingsService.setRootCertificates({ identifier: 'mds', certificates: [...before] }))
  const service = new BaseMetadataService()
  await service.initialize({ mdsServers: [await serveBriefly((_, answer) => void answer.end(text))] })
  const theirs = await service.getStatement(formatUuid(AAGUID))
  expect(theirs?.attestationRootCertificates).toEqual([base64(ROOT)])
  await expect(service.getStatement('00000000-0000-0000-0000-000000000001')).rejects.toThrow('No metadata statement')
})

type Changes = { readonly attestation?: 'accept-any'; readonly now?: number }

const parts = (metadata: ModelMetadata, changes: Changes = {}) =>
  registration({
    statement: packedStatement(),
    case: { attestation: 'require-trusted', roots: [], metadata, now: NOW, ...changes },
  })
const judged = (metadata: ModelMetadata, changes?: Changes) => judgedRegistration(parts(metadata, changes))

test('[judge.mds] a model is trusted by its own roots in the list, and by no other model’s', async () => {
  const others = ENTRIES.slice(0, -1)
  expect((await judged(taken(read(blob())))).value?.trusted).toBe(true)
  expectRefusal(await judged(taken(read(blob({ entries: others })))), { word: 'attestation_untrusted', step: '7.1.24' })
})

test.each([
  'REVOKED',
  'USER_VERIFICATION_BYPASS',
  'ATTESTATION_KEY_COMPROMISE',
  'USER_KEY_REMOTE_COMPROMISE',
  'USER_KEY_PHYSICAL_COMPROMISE',
])('a model reported as %s is refused from that day on, and only where trust is required', async (status) => {
  const effectiveDate = '2030-06-01'
  const metadata = taken(read(blob({ entries: [entryOf(formatUuid(AAGUID), [{ status, effectiveDate }])] })))
  expectRefusal(await judged(metadata), { word: 'attestation_model_revoked', step: '7.1.24' })
  expect((await judged(metadata, { now: Date.parse(effectiveDate) - 1 })).accepted).toBe(true)
  expect((await judged(metadata, { attestation: 'accept-any' })).accepted).toBe(true)
  const judgement = await judged(metadata)
  const opinion = await secondOpinion({ ...parts(metadata), roots: [ROOT] }, { wall: NOW })
  expect([opinion, opinionAgrees(judgement, opinion)]).toEqual([expect.objectContaining({ accepts: true }), true])
  const undated = taken(read(blob({ entries: [entryOf(formatUuid(AAGUID), [{ status }])] })))
  expectRefusal(await judged(undated, { now: NOW - DAY_MS }), { word: 'attestation_model_revoked', step: '7.1.24' })
})

const filesOf = (text: string) => {
  const folder = temporaryFolder()
  const [mds, root] = [join(folder, 'blob.jwt'), join(folder, 'root.pem')]
  writeFileSync(mds, `${text}\n`)
  writeFileSync(root, new X509Certificate(ROOT).toString())
  return { mds, 'mds-root': root }
}

test('a bench with --mds refuses phones of a model from the day on which it is revoked', async () => {
  const { metadata } = parseBenchOptions({ port: 0, prefix: '/fido', ...filesOf(blob()) })
  if (metadata === undefined) throw new Error('no metadata was read')
  const { client, close } = await startTestBench({ seed: 3, metadata })
  onTestFinished(close)
  await client.call('profile.patch', { body: { attestation: 'require-trusted', second_opinion: 'must-agree' } })
  const revoked = await cast(client, { model: 'granite-one' })
  const later = await cast(client, { model: 'granite-one', account: { name: 'Carol', phone: '13812345670' } })
  const other = await cast(client, { model: 'granite-both', account: { name: 'Bob', phone: '13812345679' } })
  expect(await register(client, revoked)).toMatchObject({ status: 'success' })
  await client.call('clock.advance', { body: { ms: DAY_MS } })
  expect(await register(client, later)).toMatchObject({ error: expect.stringMatching(/^attestation_model_revoked: /) })
  expect(await register(client, other)).toMatchObject({ status: 'success' })
})

test('a phone whose root is in the list alone registers, and the second opinion knows that root, too', async () => {
  const open = async (metadata: ModelMetadata) => {
    const { client, close } = await startTestBench({ seed: 3, clock: {}, metadata })
    onTestFinished(close)
    const who = await cast(client, { model: 'granite-one' })
    const { roots } = await client.call('roots.list')
    return { client, who, roots }
  }
  const first = await open(new Map())
  const roots = first.roots.map(({ certificate }) => new Uint8Array(Buffer.from(certificate, 'base64')))
  const { client, who, ...second } = await open(new Map([[GRANITE, { roots, reports: [] }]]))
  for (const { id } of second.roots) await client.call('roots.delete', { params: { id } })
  // Without any root the library of the second opinion asks for none.
  await client.call('roots.add', { body: { name: 'Other', certificate: base64(ROOT) } })
  await client.call('profile.patch', { body: { attestation: 'require-trusted', second_opinion: 'must-agree' } })
  expect(await register(client, who)).toMatchObject({ status: 'success' })
})

test.each<[string, () => object, string]>([
  ['a list without its root', () => ({ mds: 'x' }), '--mds needs --mds-root'],
  ['a root without its list', () => ({ 'mds-root': 'x' }), '--mds-root needs --mds'],
  [
    'a root that is none',
    () => ({ ...filesOf('x'), 'mds-root': import.meta.filename }),
    'no certificates that can be read',
  ],
  ['a list that is none', () => filesOf('x'), 'must be a JWT'],
])('%s is refused at the start', (_, options, words) => {
  const wanted = () => parseBenchOptions({ port: 0, prefix: '/fido', ...options() })
  expect(refused(untilEnd(wanted))).toContain(words)
})

test('a bench whose service is other processes does not take --mds, since they judge', () => {
  const wanted = parseBenchOptions({ port: 0, prefix: '/fido', store: 'postgres://u:p@h/d', ...filesOf(blob()) })
  const bench = () => parseRole({ role: 'bench', 'service-url': 'http://localhost:1' }, wanted, optionFlag)
  expect(refused(untilEnd(bench))).toContain('give --mds to the processes')
  expect(parseRole({ role: 'service' }, wanted, optionFlag)).toEqual({ role: 'service' })
})
