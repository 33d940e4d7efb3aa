import { createHash, createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import {
  type CanonicalUriRule,
  canonicalRequest,
  type HeaderPair,
  stringToSign,
} from '../../../src-main/core/protocol/canonical-request.ts'

/**
 * AWS's Signature Version 4 suite (test/vectors/sigv4/README.md): the same canonical request and string to sign as
 * ours under another algorithm name and scope, and one HMAC with a derived key. So all three layers can be checked.
 */
const folder = join(import.meta.dirname, '../../vectors/sigv4')

/** Not ours, with the reason; everything else in the folder must match. */
const excluded: Readonly<Record<string, string>> = {
  'get-relative': 'the path is normalised there; ours is taken as sent',
  'get-relative-relative': 'the path is normalised there; ours is taken as sent',
  'get-slash': 'the path is normalised there; ours is taken as sent',
  'get-slash-dot-slash': 'the path is normalised there; ours is taken as sent',
  'get-slash-pointless-dot': 'the path is normalised there; ours is taken as sent',
  'get-slashes': 'the path is normalised there; ours is taken as sent',
  'get-vanilla-with-session-token': 'a header that is added before signing by a rule of AWS alone',
}

/** The path stands raw on the request line and encoded in the canonical request: the profile's other rule. */
const encodedPath = new Set(['get-utf8', 'get-space', 'get-special-character'])

const cases = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.req'))
  .map((path) => ({ name: basename(path, '.req'), at: join(folder, dirname(path)) }))

/** One character for each octet, as Node gives what stood on the wire. */
const octets = (path: string): string => readFileSync(path, 'latin1').replaceAll('\r\n', '\n')

type Case = (typeof cases)[number]

const parse = (text: string) => {
  const [head = '', ...bodyParts] = text.split('\n\n')
  const [line = '', ...headerLines] = head.replace(/\n[ \t]+/g, ' ').split('\n')
  const method = line.slice(0, line.indexOf(' '))
  const target = line.slice(method.length + 1, line.lastIndexOf(' HTTP/1.1'))
  const question = target.indexOf('?')
  const headers = headerLines
    .filter((each) => each !== '')
    .map((each): HeaderPair => [each.slice(0, each.indexOf(':')), each.slice(each.indexOf(':') + 1)])
  return {
    method,
    path: question < 0 ? target : target.slice(0, question),
    query: question < 0 ? '' : target.slice(question + 1),
    headers,
    body: bodyParts.join('\n\n'),
  }
}

const sha256 = (text: string): string => createHash('sha256').update(Buffer.from(text, 'latin1')).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const signingKey = ['us-east-1', 'service', 'aws4_request'].reduce(
  (key, part) => hmac(key, part),
  hmac('AWS4wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', '20150830'),
)

const computed = ({ name, at }: Case) => {
  const { method, path, query, headers, body } = parse(octets(join(at, `${name}.req`)))
  const authorization = octets(join(at, `${name}.authz`))
  const signedHeaders = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? []
  const rule: CanonicalUriRule = encodedPath.has(name) ? 'encoded' : 'as-sent'
  const canonical = canonicalRequest({ method, path, query, headers, signedHeaders, payloadHash: sha256(body) }, rule)
  if (!canonical.ok) throw new Error(canonical.error)
  const toSign = stringToSign({
    algorithm: 'AWS4-HMAC-SHA256',
    date: '20150830T123600Z',
    scope: '20150830/us-east-1/service/aws4_request',
    canonicalRequestHash: sha256(canonical.value),
  })
  return { canonical: canonical.value, toSign, signature: hmac(signingKey, toSign).toString('hex'), authorization }
}

const ours = cases.filter(({ name }) => !Object.hasOwn(excluded, name))

it('the Signature Version 4 vectors are all there, and every exclusion names one of them', () => {
  expect(cases.length).toBe(34)
  for (const name of Object.keys(excluded)) expect(cases.map((each) => each.name)).toContain(name)
})

it.each(ours)('the Signature Version 4 vectors: $name has this signature', (each) => {
  const { authorization, signature } = computed(each)
  expect(authorization).toContain(`Signature=${signature}`)
})

it.each(Object.entries(excluded))('the Signature Version 4 vectors: %s is not ours: %s', (name) => {
  const each = cases.find((one) => one.name === name)
  if (each === undefined) throw new Error('not there')
  expect(computed(each).canonical).not.toBe(octets(join(each.at, `${name}.creq`)))
})
