import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { en } from '../../src-main/messages/en/en.ts'
import { textOf } from '../../src-main/messages/text.ts'
import { signingVectors } from '../recipes/signing-vectors.ts'
import { startTestBench } from '../support/bench.ts'
import { runCommand } from '../support/run-command.ts'
import { folderOfFile } from '../support/temporary-folder.ts'

const folder = folderOfFile()

const sign = (args: readonly string[]) => runCommand(['sign', ...args])

const KEY = ['--access-key', 'shop:secret-of-the-shop']
const URL_OF_LIST = 'http://localhost:7420/fido/rp/credentials?user_id=u-1'

test('[cli.sign] it signs as every vector does', async () => {
  for (const vector of signingVectors()) {
    const { out, errors } = await sign([
      vector.method,
      vector.url,
      ...['--access-key', `${vector.access_key_id}:${vector.secret_key}`],
      ...['--date', vector.x_svc_date],
      ...(vector.scope_identifier === '' ? [] : ['--scope', vector.scope_identifier]),
      ...(vector.body === '' ? [] : ['--body', vector.body]),
      ...vector.headers.flatMap((header) => ['--header', header.join(':')]),
      '--json',
    ])
    expect(errors, vector.name).toEqual([])
    const { canonical_request, string_to_sign, signature } = vector
    expect(JSON.parse(out), vector.name).toMatchObject({ canonical_request, string_to_sign, signature })
  }
})

test('[cli.sign] what it prints for curl is a call that the service answers', async () => {
  const bench = await startTestBench({
    seedData: {
      rps: [{ name: 'Shop', rp_id: 'localhost', keys: [{ id: 'shop', secret: 'secret-of-the-shop' }] }],
      phones: [],
    },
  })
  try {
    const { out } = await sign([
      ...['POST', `${bench.bench.baseUrl}/rp/attestation/options`, ...KEY, '--curl'],
      ...['--body', '{"user_id":"it\'s $u","username":"Zoë"}', '--header', 'X-Empty:', '--header', "X-Note: it's"],
    ])
    const { stdout } = await promisify(execFile)('sh', ['-c', out])
    expect(JSON.parse(stdout)).toMatchObject({ code: 0 })
  } finally {
    await bench.close()
  }
})

test('[cli.sign] it prints the request, and with --explain the texts that were signed', async () => {
  const plain = await sign(['get', URL_OF_LIST, ...KEY, '--date', '20300101T120000Z'])
  expect(plain.out.split('\n').slice(0, 3)).toEqual([
    'GET /fido/rp/credentials?user_id=u-1 HTTP/1.1',
    'Host: localhost:7420',
    'X-Svc-Date: 20300101T120000Z',
  ])
  const explained = await sign(['get', URL_OF_LIST, ...KEY, '--date', '20300101T120000Z', '--explain'])
  expect(explained.out).toContain('\nSVC-HMAC-SHA256\n20300101T120000Z\nfido-server/\n')
  expect(explained.out.endsWith(plain.out)).toBe(true)
})

test('[cli.sign] a body comes from a file octet by octet', async () => {
  const file = join(folder, 'body')
  writeFileSync(file, Buffer.from([0xff, 0x00, 0x0a]))
  const { out } = await sign(['POST', URL_OF_LIST, ...KEY, '--body-file', file, '--json'])
  // printf '\377\000\n' | sha256sum
  expect(JSON.parse(out).canonical_request).toContain(
    'c933d2fe5a3675b959c287c271739ac2db888cc8c0d68c1c5b58ac5b80f5d735',
  )
  expect((await sign(['POST', URL_OF_LIST, ...KEY, '--body-file', file, '--curl'])).out).toContain(
    `--data-binary @${file}`,
  )
})

test('[cli.sign] a date that is none is told with what was got and what was expected', async () => {
  const { errors } = await sign(['GET', URL_OF_LIST, ...KEY, '--date', '2'])
  const reason = textOf(en.reasons, { code: 'date_form', params: { got: '"2"' } })
  expect(errors).toEqual([`handset sign: --date: ${reason}`])
})

test.each([
  ['no method', []],
  ['no URL', ['GET']],
  ['a word too many', ['GET', URL_OF_LIST, 'more', ...KEY]],
  ['no key', ['GET', URL_OF_LIST]],
  ['a key without a secret', ['GET', URL_OF_LIST, '--access-key', 'shop']],
  ['a path without a host', ['GET', '/rp/credentials', ...KEY]],
  ['a fragment', ['GET', `${URL_OF_LIST}#top`, ...KEY]],
  ['a query that is not encoded', ['GET', `${URL_OF_LIST}ä`, ...KEY]],
  ['a percent sign that encodes nothing', ['GET', `${URL_OF_LIST}%zz`, ...KEY]],
  ['a date that does not exist', ['GET', URL_OF_LIST, ...KEY, '--date', '20300231T120000Z']],
  ['a header without a colon', ['GET', URL_OF_LIST, ...KEY, '--header', 'X-Note']],
  ['a header that it writes itself', ['GET', URL_OF_LIST, ...KEY, '--header', 'host: a']],
  ['a file that is not there', ['POST', URL_OF_LIST, ...KEY, '--body-file', join(folder, 'none')]],
  ['two bodies', ['POST', URL_OF_LIST, ...KEY, '--body', 'a', '--body-file', 'b']],
])('[cli.sign] %s is one line and exit code 2, without the secret', async (_, args) => {
  const { code, out, errors } = await sign(args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(errors).toHaveLength(1)
  expect(errors[0]).not.toMatch(/\n|secret-of/)
})
