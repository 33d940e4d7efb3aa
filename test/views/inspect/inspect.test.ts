import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRandom } from '../../../src-main/bench/harness/random.ts'
import { type FactValue, type InspectedKind, inspectionKinds } from '../../../src-main/core/contract/inspection.ts'
import { decodeAttestationObject } from '../../../src-main/core/judge/attestation-object.ts'
import { decodeAuthenticatorData } from '../../../src-main/core/judge/authenticator-data.ts'
import { decodeCbor, findEntry } from '../../../src-main/core/judge/cbor.ts'
import { decodeCertificate, EXTENSION } from '../../../src-main/core/judge/certificate.ts'
import { en } from '../../../src-main/core/messages/en/en.ts'
import {
  type Bytes,
  concat,
  fromBase64url,
  fromHex,
  toBase64url,
  toHex,
  utf8,
} from '../../../src-main/core/protocol/bytes.ts'
import { textOf } from '../../../src-main/core/protocol/coded.ts'
import { type RandomSource, randomBelow } from '../../../src-main/core/protocol/random.ts'
import { signRequest } from '../../../src-main/sdk/sign-request.ts'
import { nodeCrypto } from '../../../src-main/service/second-opinion/node-crypto.ts'
import { signingCrypto } from '../../../src-main/service/signing/explain-request.ts'
import { inspect } from '../../../src-main/views/inspect/inspect.ts'
import type { GivenInputs, Inspection } from '../../../src-main/views/inspect/inspection.ts'
import { decodePublicKey, encodeCose, parsePublicKey } from '../../../src-main/views/inspect/public-key-in.ts'
import { genuineRegistration, genuineRoots, genuineStatements } from '../../support/ceremony/genuine.ts'
import { vectorAuthentication, vectorRegistration, vectorRoot, vectors } from '../../support/ceremony/vectors.ts'
import { isNightly } from '../../support/parts.ts'
import { taken } from '../../support/taken.ts'
import { workOf } from '../../support/work-of.ts'

const NOW = Date.UTC(2030, 0, 1)

const look = (input: string | Bytes, given: GivenInputs = {}, now = NOW): Promise<Inspection> =>
  inspect(typeof input === 'string' ? utf8(input) : input, given, { crypto: nodeCrypto, signing: signingCrypto, now })

const said = (value: FactValue): string => (typeof value === 'string' ? value : textOf(en.inspectionWords, value))
const hex = (text: string): Bytes => taken(fromHex(text))
const [vector] = vectors.filter(({ name }) => name === 'packed-self-es256' || name.includes('packed-self'))
if (vector === undefined) throw new Error('there is no vector')
const [none] = vectors
const object = hex(vector.registration.attestationObject)
const clientData = hex(vector.registration.clientDataJSON)
const authData = decodeAttestationObject(object).value?.authenticatorData ?? utf8('')
const key = decodeAuthenticatorData(authData).value?.attested?.publicKey ?? utf8('')
const assertionData = hex(vector.authentication.authenticatorData)
const ecdsa = hex(vector.authentication.signature)

const pem = (label: string, bytes: Uint8Array): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(bytes).toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`
const root = pem('CERTIFICATE', vectorRoot)
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const spki = new Uint8Array(pair.publicKey.export({ type: 'spki', format: 'der' }))
const base64url = (value: object | string): string =>
  toBase64url(utf8(typeof value === 'string' ? value : JSON.stringify(value)))
const jws = (header: object, payload: object): string => {
  const text = `${base64url(header)}.${base64url(payload)}`
  const signature = sign('sha256', Buffer.from(text), { key: pair.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${text}.${toBase64url(new Uint8Array(signature))}`
}

const KEY = { accessKeyId: 'shop', secretKey: 'a secret that nobody else has' }
const wire = (body = '{"user_id":"u-1","username":"alice"}'): string => {
  const target = '/fido/rp/assertion/options'
  const signed = taken(signRequest({ method: 'POST', host: 'localhost:7420', target, body: utf8(body) }, KEY, NOW))
  const headers = [...signed.headers, ['Content-Type', 'application/json']].map((header) => header.join(': '))
  return `POST ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}
const signed = taken(
  signRequest({ method: 'GET', host: 'localhost', target: '/fido/rp/credentials?user_id=1', body: utf8('') }, KEY, NOW),
)
const authorization = signed.headers.find(([name]) => name === 'Authorization')?.[1] ?? ''
/** As a shell takes it, line by line. */
const curl = (body?: string): string => {
  const [head = '', sent = ''] = wire(body).split('\r\n\r\n')
  const [, ...headers] = head.split('\r\n')
  const words = headers.map((header) => `-H '${header}'`)
  return [`curl -s -X POST 'http://localhost:7420/fido/rp/assertion/options'`, ...words, `--data-raw '${sent}'`].join(
    ' \\\n  ',
  )
}
const sha256 = (bytes: Bytes): Bytes => new Uint8Array(createHash('sha256').update(bytes).digest())
/** A part of the attestation statement of a W3C vector. */
const memberOf = (name: string, member: string): Bytes => {
  const attestation = vectors.find((each) => each.name === name)?.registration.attestationObject ?? ''
  const object = taken(decodeCbor(hex(attestation))).item
  const statement = object.type === 'map' ? findEntry(object, 'attStmt') : undefined
  const found = member === '' ? statement : statement?.type === 'map' ? findEntry(statement, member) : undefined
  if (found?.type === 'bytes') return found.value
  if (found?.type === 'array' && found.items[0]?.type === 'bytes') return found.items[0].value
  if (found === undefined) throw new Error(`${name} has no ${member}`)
  return hex(attestation).slice(found.start, found.end)
}
const statementOf = (name: string): Bytes => memberOf(name, '')
const androidCertificate = decodeCertificate(memberOf('android-key-es256', 'x5c'))
const androidKeyDescription =
  (androidCertificate.ok ? androidCertificate.value.extensions.get(EXTENSION.androidKey)?.value : undefined) ?? utf8('')
const u2fCertificate = memberOf('fido-u2f-es256', 'x5c')
const u2f = concat(Uint8Array.of(5, 4), new Uint8Array(64).fill(1), Uint8Array.of(2, 7, 7), u2fCertificate, ecdsa)
const registration = vectorRegistration(vector)
const authentication = vectorAuthentication(vector)
const creation = registration.options
const attested = registration.response
const ADDRESS = 'https://sign-in.example/fido/m#aABCDEFGHIJKLMNOPQRSTUV'
const FIDO =
  'FIDO:/13086400838107303667332719012595115747821895775708323189557153075146383351399743589971313508078026948312026786722471666005727649643501784024544726574771401798171307406596245'

type Sample = readonly [name: string, input: string | Bytes, kind: InspectedKind, fact?: string]

const json = JSON.stringify
const toBase64 = (bytes: Bytes): string => Buffer.from(bytes).toString('base64')
const clientText = new TextDecoder().decode(clientData)
const pkcs8 = (format: 'pem' | 'der') =>
  pair.privateKey.export({ type: 'pkcs8', format } as { type: 'pkcs8'; format: 'der' })

const samples: readonly Sample[] = [
  ['registration response', json(attested), 'registration-response', 'SHA-256 of "example.org"'],
  ['authentication response', json(authentication.response), 'authentication-response'],
  ['response beside its options', json({ options: creation, response: attested }), 'registration-response'],
  ['response as a phone uploads it', json({ proof: 'x', response: attested }), 'registration-response'],
  ['response, indented', json(attested, undefined, 2), 'registration-response'],
  ['response in base64', toBase64(utf8(json(attested))), 'registration-response'],
  ['creation options', json(creation), 'creation-options', 'example.org'],
  ['creation options in publicKey', json({ publicKey: creation }), 'creation-options'],
  ['creation options with extensions', json({ ...creation, extensions: { prf: {} } }), 'creation-options', 'prf'],
  ['request options', json(authentication.options), 'request-options', 'example.org'],
  ['client data', clientText, 'client-data', 'webauthn.create'],
  ['attestation object in base64url', toBase64url(object), 'attestation-object', 'packed'],
  ['attestation object in base64', toBase64(object), 'attestation-object'],
  ['attestation object in hex', toHex(object), 'attestation-object'],
  ['attestation object in hex with spaces', toHex(object).replace(/../g, '$& '), 'attestation-object'],
  ['attestation object in quotes', `"${toBase64url(object)}",`, 'attestation-object'],
  ['attestation object as bytes', object, 'attestation-object'],
  ['attestation object in a data URL', `data:application/cbor;base64,${toBase64(object)}`, 'attestation-object'],
  ['attestation object of the format none', none?.registration.attestationObject ?? '', 'attestation-object', 'none'],
  ['authenticator data with a credential', toBase64url(authData), 'authenticator-data', 'SHA-256 of "example.org"'],
  ['authenticator data of an assertion', toHex(assertionData), 'authenticator-data'],
  ['COSE key in hex', toHex(key), 'cose-key', 'ES256 (-7)'],
  ['CBOR map', 'a2626964636162636576616c756501', 'cbor'],
  ['CBOR array', '83010203', 'cbor'],
  ['certificate in PEM', root, 'certificate'],
  ['certificate in DER', vectorRoot, 'certificate'],
  ['certificate in base64 of one line', toBase64(vectorRoot), 'certificate'],
  ['certificate in hex with colons', toHex(vectorRoot).replace(/..(?!$)/g, '$&:'), 'certificate'],
  ['two certificates', `${root}${root}`, 'certificate-chain'],
  ['public key in PEM', pem('PUBLIC KEY', spki), 'public-key', 'P-256'],
  ['private key in PEM', pkcs8('pem').toString(), 'private-key'],
  ['private key in SEC1 PEM', pair.privateKey.export({ type: 'sec1', format: 'pem' }).toString(), 'private-key'],
  ['private key in DER', new Uint8Array(pkcs8('der') as Buffer), 'private-key'],
  ['private key as JWK', json(pair.privateKey.export({ format: 'jwk' })), 'private-key'],
  ['certificate request', pem('CERTIFICATE REQUEST', utf8('0')), 'certificate-request'],
  ['PEM of another kind', pem('X9.42 DH PARAMETERS', utf8('\u0001')), 'pem'],
  ['ECDSA signature', toHex(ecdsa), 'ecdsa-signature'],
  ['DER of another kind', '3006020101020102300302010a'.slice(0, 16), 'ecdsa-signature'],
  ['DER sequence', '30050201010500', 'der'],
  ['JWS', jws({ alg: 'ES256' }, { sub: 'alice' }), 'jws', 'alice'],
  ['JWS that is not signed', `${base64url({ alg: 'none' })}.${base64url({ sub: 'x' })}.`, 'jws'],
  ['JWK', json(pair.publicKey.export({ format: 'jwk' })), 'jwk', 'EC, P-256'],
  ['JWK set', json({ keys: [pair.publicKey.export({ format: 'jwk' })] }), 'jwks'],
  ['message address', ADDRESS, 'message-address', 'authentication'],
  ['hybrid code', FIDO, 'hybrid-code', 'registering'],
  ['AAGUID', 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4', 'aaguid'],
  ['HTTP request', wire(), 'http-request', 'POST /fido/rp/assertion/options'],
  ['HTTP request that is not signed', 'GET /fido/m HTTP/1.1\r\nHost: x\r\n\r\n', 'http-request'],
  ['HTTP response', 'HTTP/1.1 200 OK\r\nA: b\r\n\r\n{"code":0,"data":{},"error":""}', 'http-response', '200'],
  ['Authorization header', `Authorization: ${authorization}`, 'authorization-header', 'shop'],
  ['value of an Authorization header', authorization, 'authorization-header'],
  ['Authorization of the short form', authorization.replace(/ [^,]*,/, ' '), 'authorization-header', 'short'],
  ['canonical request', signed.canonicalRequest, 'canonical-request', '/fido/rp/credentials'],
  ['string to sign', signed.stringToSign, 'string-to-sign', 'fido-server/'],
  ['X-Svc-Date', '20300101T120000Z', 'svc-date', '2030-01-01T12:00:00.000Z'],
  ['answer', '{"code":40104,"data":{},"error":"no"}', 'envelope', '40104, signature_mismatch'],
  [
    'answer with an address',
    json({ code: 0, data: { url: ADDRESS }, error: '' }),
    'envelope',
    'ABCDEFGHIJKLMNOPQRSTUV',
  ],
  ['error code', '40104', 'error-code', 'signature_mismatch'],
  ['trace', new Uint8Array(readFileSync(join(import.meta.dirname, '../../vectors/traces/version-1.handset'))), 'trace'],
  ['trace that is not packed', '{"format":"handset-trace","version":1}', 'trace'],
  ['HAR', '{"log":{"version":"1.2","entries":[]}}', 'har'],
  ['scenario', 'name: Sign in\nsteps:\n  - register:\n  - approve:\n', 'scenario', 'Sign in'],
  ['recording of a check', '{"base_url":"http://a","measured":{},"cases":[]}', 'check-recording'],
  ['event', '{"kind":"exchange","seq":4,"workspace":"main"}', 'event'],
  ['OpenAPI description', '{"openapi":"3.1.0","paths":{"/a":{}}}', 'openapi'],
  ['JSON of another kind', '{"a":1}', 'json', 'a'],
  ['YAML of another kind', 'a: 1\nb: 2\n', 'yaml'],
  ['point of a curve', `04${'11'.repeat(64)}`, 'ec-point'],
  ['64 bytes', '11'.repeat(64), 'raw-signature'],
  ['hash of an RP ID', createHash('sha256').update('localhost').digest('hex'), 'digest', 'SHA-256 of "localhost"'],
  ['percent-encoded client data', encodeURIComponent(clientText), 'client-data'],
  ['attestation statement', statementOf('packed-es256'), 'attestation-statement'],
  ['public area of a TPM', memberOf('tpm-es256', 'pubArea'), 'tpm-public-area', 'P-256'],
  ['what a TPM certifies', memberOf('tpm-es256', 'certInfo'), 'tpm-certify-info'],
  ['key description of an Android phone', androidKeyDescription, 'android-key-description'],
  ['what an authenticator signs', concat(assertionData, sha256(clientData)), 'signed-data', toHex(sha256(clientData))],
  ['CTAP2 request', '02a101676578616d706c65', 'ctap-request', 'authenticatorGetAssertion'],
  ['CTAP2 response', '00a101684649444f5f325f30', 'ctap-response'],
  ['U2F registration', u2f, 'u2f-registration', 'P-256'],
  ['extension results', '{"credProps":{"rk":true},"prf":{"enabled":true}}', 'extension-results', 'rk'],
  ['credential descriptor', '{"type":"public-key","id":"AAAA","transports":["usb"]}', 'credential-descriptor', 'usb'],
  ['stored credential', json({ id: 'AAAA', publicKey: toBase64url(key), counter: 7 }), 'credential-record', '7'],
  ['metadata statement', '{"description":"A","attestationTypes":["a"],"authenticatorVersion":2}', 'metadata-statement'],
  [
    'metadata BLOB',
    jws({ alg: 'ES256' }, { no: 3, nextUpdate: '2030-02-01', entries: [] }),
    'metadata-blob',
    '2030-02-01',
  ],
  ['JWE', `${base64url({ alg: 'ECDH-ES', enc: 'A256GCM' })}..AAAA.AAAA.AAAA`, 'jwe', 'A256GCM'],
  ['error of a browser', 'Uncaught (in promise) NotAllowedError: No time.', 'webauthn-error', 'NotAllowedError'],
  ['error of a browser by its name', 'InvalidStateError', 'webauthn-error'],
  ['name of an error', 'signature_mismatch', 'error-code', '40104'],
  ['word of the judge', 'origin_mismatch', 'failure-word'],
  ['error of a message', 'origin_mismatch: This origin is not allowed.', 'failure-word', 'origin_mismatch'],
  ['number of an algorithm', '-7', 'cose-algorithm', 'ES256'],
  ['name of an algorithm', 'RS256', 'cose-algorithm', '-257'],
  ['object identifier', '1.3.6.1.4.1.45724.1.1.4', 'oid', 'fidoAaguid'],
  ['point in time in milliseconds', '1893456000000', 'timestamp', '2030-01-01T00:00:00'],
  ['point in time in seconds', '1893456000', 'timestamp', '2030-01-01T00:00:00'],
  ['trace context', 'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'traceparent', 'yes'],
  ['origin', 'https://login.shop.example', 'origin', 'login.shop.example, shop.example'],
  ['origin of an Android app', `android:apk-key-hash:${'A'.repeat(43)}`, 'origin'],
  ['web address', 'https://shop.example/login?next=%2Fcart', 'url', '/cart'],
  ['related origins', '{"origins":["https://a.example","https://b.example"]}', 'related-origins', 'https://b.example'],
  ['asset links', '[{"relation":[],"target":{"namespace":"android_app","package_name":"a.b"}}]', 'asset-links', 'a.b'],
  ['site association', '{"webcredentials":{"apps":["TEAM.a.b"]}}', 'site-association', 'TEAM.a.b'],
  ['curl command', curl(), 'curl-command', 'POST /fido/rp/assertion/options'],
  ['server-sent events', 'event: push\ndata: {"a":1}\n\ndata: {}\n', 'event-stream', '2'],
  ['SSH key', `sk-ssh-ed25519@openssh.com ${Buffer.alloc(60).toString('base64')} alice@desk`, 'ssh-key', 'alice@desk'],
  ['workspace', '{"format":"handset-workspace","version":1}', 'workspace-file'],
  ['JUnit report', '<?xml version="1.0"?>\n<testsuites><testcase/><testcase/></testsuites>', 'test-report', '2'],
  ['bytes of another kind', Uint8Array.of(0xff, 0xfe, 0, 1), 'bytes'],
  ['nothing', '', 'empty'],
  ['spaces', ' \n ', 'empty'],
  ['text', 'Good morning, everybody.', 'text'],
  ['text as long as a hash', 'Why is my sign-in failing today?', 'text'],
]

test('at least 60 kinds are known, and each of them is tried', () => {
  const kinds = Object.keys(inspectionKinds)
  expect(kinds.length).toBeGreaterThanOrEqual(60)
  // Bytes that are nothing else are in the fuzz.
  const tried = new Set<string>(samples.map(([, , kind]) => kind))
  expect(kinds.filter((kind) => !tried.has(kind))).toEqual([])
})

test.each(samples.map(([name, ...sample]) => [name, sample] as const))(
  '%s is recognised',
  async (_, [input, kind, fact]) => {
    const found = await look(input)
    expect(found.kind).toBe(kind)
    if (fact !== undefined) expect(found.facts.map(([, value]) => said(value)).join('\n')).toContain(fact)
  },
)

const given = { options: creation, origins: registration.origins }

test('a verdict says which step failed, and names what is missing', async () => {
  const text = JSON.stringify(registration.response)
  expect((await look(text, given)).verdict).toBe('verified')
  const elsewhere = await look(text, { ...given, origins: ['https://evil.example'] })
  expect(elsewhere.verdict).toBe('refused')
  expect(elsewhere.checks.filter(({ outcome }) => outcome === 'failed').map(({ word }) => word)).toEqual([
    'origin_mismatch',
  ])
  expect((await look(text)).missing).toEqual(['options', 'origin'])
  expect((await look(JSON.stringify(authentication.response))).missing).toEqual(['options', 'origin', 'public-key'])
})

test('a verdict on an authentication takes the key in any writing, and refuses another key', async () => {
  const text = JSON.stringify(authentication.response)
  const asked = { options: authentication.options, origins: authentication.origins }
  const own = decodePublicKey(key)
  if (own === undefined) throw new Error('no key')
  expect(toHex(encodeCose(own))).toBe(toHex(key))
  for (const written of [toHex(key), toBase64url(key)]) {
    const publicKey = parsePublicKey(utf8(written))
    expect((await look(text, { ...asked, publicKey: publicKey ?? utf8('') })).verdict).toBe('verified')
  }
  const other = parsePublicKey(utf8(pem('PUBLIC KEY', spki)))
  expect((await look(text, { ...asked, publicKey: other ?? utf8('') })).verdict).toBe('refused')
})

const accessKey = { id: KEY.accessKeyId, secret: KEY.secretKey }
const goodJws = jws({ alg: 'ES256' }, { a: 1 })
const ownKey = { publicKey: spki }

test.each<readonly [string, string, GivenInputs, 'verified' | 'refused' | undefined]>([
  ['a signed request', wire(), { accessKey }, 'verified'],
  ['a signed request with other line ends', wire().replaceAll('\r', ''), { accessKey }, 'verified'],
  ['a request with another body', wire().replace('alice', 'mallory'), { accessKey }, 'refused'],
  ['a request with another secret', wire(), { accessKey: { id: 'shop', secret: 'another secret' } }, 'refused'],
  ['a request of another key', wire(), { accessKey: { id: 'bank', secret: KEY.secretKey } }, 'refused'],
  ['a request without its secret', wire(), {}, undefined],
  ['a curl command', curl(), { accessKey }, 'verified'],
  ['a curl command with another body', curl().replace('alice', 'mallory'), { accessKey }, 'refused'],
  ['a JWS', goodJws, ownKey, 'verified'],
  ['a JWS with another payload', goodJws.replace(/\.[^.]*\./, `.${base64url({ a: 2 })}.`), ownKey, 'refused'],
  ['a JWS without a key', goodJws, {}, undefined],
  ['an unsigned JWS', `${base64url({ alg: 'none' })}.${base64url({})}.`, {}, 'refused'],
  ['a root certificate', root, {}, 'verified'],
  ['an X-Svc-Date that no calendar has', '20300231T120000Z', {}, 'refused'],
  ['an Authorization out of order', authorization.replace('host;x-svc-date', 'x-svc-date;host'), {}, 'refused'],
])('a verdict on %s', async (_, input, given, verdict) => {
  const found = await look(input, given)
  expect(found.verdict).toBe(verdict)
  expect(found.missing.length > 0).toBe(verdict === undefined)
})

test('a verdict on a wrong signature names the mistake and the line', async () => {
  const text = wire().replace(/,[0-9a-f]{64}\r/, `,${'0'.repeat(64)}\r`)
  const found = await look(text, { accessKey })
  expect(found.verdict).toBe('refused')
  expect(said(found.facts.find(([name]) => name === 'canonical request')?.[1] ?? '')).toContain('host:localhost:7420')
})

test('a verdict on a certificate says when it is not in force', async () => {
  const found = await look(root, {}, Date.UTC(1990, 0, 1))
  expect(found.verdict).toBe('refused')
  expect(found.checks.find(({ outcome }) => outcome === 'failed')?.name).toBe('certificate_time')
})

test('a verdict trusts an attestation only where it leads to the given roots', async () => {
  const statement = genuineStatements.find(({ outcome }) => outcome.root !== undefined && outcome.verifies === true)
  if (statement === undefined) throw new Error('there is none')
  const own = genuineRegistration(statement)
  const asked = { options: own.options, origins: own.origins, rpId: own.rpId }
  const text = JSON.stringify(own.response)
  const right = genuineRoots[statement.outcome.root ?? ''] ?? utf8('')
  expect((await look(text, { ...asked, roots: [right] }, own.now)).verdict).toBe('verified')
  expect((await look(text, { ...asked, roots: [vectorRoot] }, own.now)).verdict).toBe('refused')
})

test('each exchange of this interface in an HTTP Archive is judged as if it had been pasted', async () => {
  const accessKey = { id: KEY.accessKeyId, secret: KEY.secretKey }
  const entry = (text: string, answer: string, url = 'http://localhost:7420/fido/rp/assertion/options') => {
    const [head = '', sent = ''] = text.split('\r\n\r\n')
    const headers = head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(': '))
    return {
      request: {
        ...{ method: 'POST', url, httpVersion: 'h2', postData: { text: sent } },
        headers: [{ name: ':path', value: '/' }, ...headers.map(([name, value]) => ({ name, value }))],
      },
      response: { status: 200, headers: [], content: { text: btoa(answer), encoding: 'base64' } },
    }
  }
  const good = entry(wire(), '{"code":0,"data":{},"error":""}')
  const changed = entry(wire().replace('alice', 'mallory'), '{"code":40104,"data":{},"error":"no"}')
  const foreign = entry('GET / HTTP/1.1\r\nHost: a\r\n\r\n', '{"a":1}', 'http://elsewhere/')
  const archive = (...entries: readonly unknown[]) => JSON.stringify({ log: { version: '1.2', entries } })

  const found = await look(archive(good, changed, foreign, null, { request: 1 }), { accessKey })
  expect(found.verdict).toBe('refused')
  expect(found.facts).toEqual([
    ['exchanges', '5'],
    ['of this interface', '2'],
  ])
  const name = 'POST /fido/rp/assertion/options · 200'
  expect(found.checks).toEqual([
    { name, outcome: 'passed' },
    { name, outcome: 'failed' },
  ])
  expect(found.within.map(({ kind, verdict }) => [kind, verdict])).toEqual([
    ['http-request', 'verified'],
    ['http-request', 'refused'],
  ])
  expect(found.within[1]?.within.at(-1)?.within[0]?.kind).toBe('envelope')
  expect((await look(archive(good), { accessKey })).verdict).toBe('verified')
  expect(await look(archive(good))).toMatchObject({ missing: ['access-key'], checks: [{ outcome: 'skipped' }] })
  // A wrong secret refuses all of them; the first few are explained.
  const wrong = await look(archive(...Array(6).fill(good)), { accessKey: { id: 'shop', secret: 'another' } })
  expect(wrong.checks.map(({ outcome }) => outcome)).toEqual([...Array(3).fill('failed'), ...Array(3).fill('skipped')])
})

test('no private key and no secret of a code is in what is told', async () => {
  const secret = pair.privateKey.export({ format: 'jwk' }).d ?? ''
  for (const input of [
    pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    JSON.stringify(pair.privateKey.export({ format: 'jwk' })),
    toBase64url(new Uint8Array(pair.privateKey.export({ type: 'pkcs8', format: 'der' }))),
  ]) {
    const text = JSON.stringify(await look(input), (_, value) => (value instanceof Uint8Array ? toHex(value) : value))
    expect(text).not.toContain(secret)
    expect(text).not.toContain(toHex(taken(fromBase64url(secret))))
  }
  const code = await look(FIDO)
  const [part] = code.parts
  const place = part?.nodes.find(({ id }) => id === '1')
  expect(part?.bytes.subarray(place?.start, place?.end).every((byte) => byte === 0)).toBe(true)
  const request = await look(wire(), { accessKey: { id: 'shop', secret: KEY.secretKey } })
  expect(JSON.stringify(request)).not.toContain(KEY.secretKey)
})

const ports = { crypto: nodeCrypto, signing: signingCrypto, now: Date.UTC(2030, 0, 1) }
/** Without an access key: to find out how a request was signed wrongly takes some 25,000 tries. */
const GIVEN = { origins: ['https://example.org'] }
/** `npm test` has a part of them, from the same seed. */
const COUNT = isNightly ? 200_000 : 5_000
const SLOWEST_MS = 2_000

test('every input of up to two bytes is told as something', async () => {
  const step = isNightly ? 1 : 17
  for (let n = -257; n < 65_536; n += step) {
    const bytes = n < -256 ? new Uint8Array(0) : n < 0 ? Uint8Array.of(n + 256) : Uint8Array.of(n >> 8, n & 0xff)
    const { kind } = await inspect(bytes, {}, ports)
    expect(kind).toBeTypeOf('string')
  }
})

const seeds: readonly Bytes[] = [
  ...vectors
    .slice(0, 6)
    .flatMap((vector) => [
      utf8(JSON.stringify({ ...vectorRegistration(vector), roots: undefined })),
      utf8(JSON.stringify(vectorAuthentication(vector))),
      utf8(vector.registration.attestationObject),
      Uint8Array.from(Buffer.from(vector.registration.attestationObject, 'hex')),
      Uint8Array.from(Buffer.from(vector.authentication.authenticatorData, 'hex')),
    ]),
  vectorRoot,
  utf8(`-----BEGIN CERTIFICATE-----\n${Buffer.from(vectorRoot).toString('base64')}\n-----END CERTIFICATE-----`),
  utf8(
    `POST /fido/rp/x HTTP/1.1\r\nHost: a\r\nX-Svc-Date: 20300101T000000Z\r\nAuthorization: SVC-HMAC-SHA256 shop/fido-server/,host;x-svc-date,${'0a'.repeat(32)}\r\n\r\n{"a":1}`,
  ),
  utf8('eyJhbGciOiJFUzI1NiJ9.eyJhIjoxfQ.AAAA'),
  utf8(
    '{"log":{"entries":[{"request":{"method":"GET","url":"http://a/b","headers":[{"name":"Authorization","value":"SVC-a"}]},"response":{"status":1}}]}}',
  ),
  utf8('FIDO:/130864008381073036673327190125951157'),
  utf8(`SVC-HMAC-SHA256\n20300101T000000Z\nfido-server/\n${'0a'.repeat(32)}`),
  utf8("curl 'http://localhost:7420/a' -H 'X-Svc-Date: 20300101T000000Z' --data '{}'"),
  utf8('https://login.shop.example/a?b=%2F'),
  utf8('Uncaught (in promise) NotAllowedError: no'),
  utf8('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'),
  Uint8Array.from(Buffer.from('02a101676578616d706c65', 'hex')),
  utf8('name: x\nsteps:\n  - a: {b: [1, 2]}\n'),
]

const mutated = (dice: RandomSource): Bytes => {
  const seed = seeds[randomBelow(dice, seeds.length)] ?? utf8('')
  const other = seeds[randomBelow(dice, seeds.length)] ?? utf8('')
  const out = seed.slice()
  switch (randomBelow(dice, 5)) {
    case 0:
      return out.subarray(0, randomBelow(dice, out.length + 1)).slice()
    case 1:
      return Uint8Array.from([
        ...out.subarray(0, randomBelow(dice, out.length)),
        ...other.subarray(randomBelow(dice, other.length)),
      ])
    case 2:
      return dice.bytes(randomBelow(dice, 80))
    default:
      for (let i = randomBelow(dice, 8) + 1; i > 0; i--) out[randomBelow(dice, out.length)] = randomBelow(dice, 256)
      return out
  }
}

test(`${COUNT} inputs that are nearly right or nothing take at most ${SLOWEST_MS} ms of work each`, async () => {
  const dice = createRandom({ seed: 24, boot: 0 }).stream('main', 'inspect', 'fuzz')
  for (let n = 0; n < COUNT; n++) {
    const input = mutated(dice)
    const work = await workOf(async () => {
      const found = await inspect(input, GIVEN, ports)
      if (found.verdict === 'verified' && found.missing.length > 0) throw new Error(`verified without ${found.missing}`)
    })
    if (work > SLOWEST_MS) throw new Error(`${work} ms for ${Buffer.from(input).toString('base64')}`)
  }
})

test.each(['A', 'a5', 'a.', '.1', 'a: 1\n', "'a' ", '%41', 'data: x\n', 'a=1&', '1,', '\\', '-----BEGIN A-----\n'])(
  'megabytes of %j do not stop it, whatever stands before them',
  async (piece) => {
    for (const head of ['', 'https://', 'curl ', 'FIDO:/', 'POST / HTTP/1.1\n', '[', 'steps:\n', 'eyJhIjoxfQ.']) {
      const { kind } = await inspect(utf8(head + piece.repeat(1_000_000 / piece.length)), GIVEN, ports)
      expect(kind).toBeTypeOf('string')
    }
  },
)
