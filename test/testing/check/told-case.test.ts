import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CheckReport } from '../../../src-main/core/contract/check-report.ts'
import { runCommand } from '../../support/run-command.ts'
import { serveBriefly } from '../../support/serve-briefly.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const CONFIG = `
before:
  - http: { path: /page, keep: { csrf: { text: 'content="([^"]+)"' } } }
  - http: { path: /login, form: { user: '{user_id}', password: form-hidden-word }, keep: { token: access_token } }
calls:
  registration_options:
    path: /options?page=2&token={token}
    headers: { Authorization: raw-hidden-word, X-Other: Bearer other-hidden-word, X-Api-Key: key-hidden-word, X-CSRF: '{csrf}' }
    json: { user: '{user_id}', Password: 'json-"hidden-word', old_passcode: '123', by_text: '{"secret":"text-hidden-word"}' }
  registration: { path: /passkeys, json: '{credential}' }
  sign_in_options: { path: /options }
  sign_in: { path: /sessions, json: '{credential}' }
`

test('no report has a cookie, a credential, a password, or where a secret was kept from; the rest of them stays', async () => {
  const url = await serveBriefly((request, response) => {
    response.setHeader('set-cookie', [
      'sid=sid-hidden-word=; Path=/; Expires=Wed, 09 Jun 2100 10:18:14 GMT; HttpOnly; SameSite=Lax',
      'path=cookie-hidden-word',
    ])
    if (request.url === '/page') response.end('<meta name="x" content="kept-hidden-word">')
    else if (request.url === '/login') response.end('{"access_token":"token-hidden-word"}')
    else response.writeHead(403, { 'www-authenticate': 'Basic realm="shop"' }).end('{"new_token":"told-hidden-word"}')
  })
  const folder = temporaryFolder()
  const config = join(folder, 'site.yaml')
  writeFileSync(config, `url: ${url}\n${CONFIG}`)
  const check = (...more: readonly string[]) =>
    runCommand([
      ...['check', '--webauthn', '--config', config, '--case', 'a-registration-and-a-sign-in-are-accepted'],
      ...['--out', folder, ...more],
    ])
  const { code, out } = await check('--report', 'html,junit,json')
  const { out: json } = await check('--json')
  const [written = '', xml = '', page = ''] = ['check.json', 'check.xml', 'check.html'].map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  )
  expect(code).toBe(1)
  expect(out).toContain('HTTP 403, "{\\"new_token\\":\\"***\\"}"')
  for (const text of [out, json, written, xml, page]) {
    expect(text).toContain('/options?page=2&')
    expect(text.match(/[\w"\\-]*hidden-word/g)).toBe(null)
  }
  const [seen, , asked] = (JSON.parse(written) as CheckReport).cases[0]?.exchanges ?? []
  expect(seen?.response_headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value)).toEqual([
    'sid=***; Path=/; Expires=Wed, 09 Jun 2100 10:18:14 GMT; HttpOnly; SameSite=Lax',
    'path=***',
  ])
  expect(seen?.response_body).toBe('<meta name="x" content="***">')
  expect(asked?.response_headers).toContainEqual(['www-authenticate', 'Basic realm="shop"'])
  expect(Object.fromEntries(asked?.request_headers ?? [])).toMatchObject({
    ...{ authorization: '***', 'x-other': 'Bearer ***', 'x-api-key': '***', 'x-csrf': '***' },
    cookie: 'sid=***; path=***',
  })
  expect(asked?.request_body).toMatch(
    /^\{"user":"handset-\w+-1","Password":"\*\*\*","old_passcode":"\*\*\*","by_text":"\{\\"secret\\":\\"\*\*\*\\"\}"\}$/,
  )
  expect(asked?.curl).toContain(`-H 'authorization: ***' -H 'x-other: Bearer ***'`)
  expect(asked?.curl).toContain(asked?.request_body)
})
