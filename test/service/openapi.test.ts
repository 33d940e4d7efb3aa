import { Check } from 'typebox/schema'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { APP_OPERATIONS, appTable } from '../../src-main/core/contract/app/routes.ts'
import { RP_OPERATIONS, type RpData } from '../../src-main/core/contract/rp/routes.ts'
import { type Exact, exactly } from '../../src-main/core/protocol/result.ts'
import { rpTable } from '../../src-main/service/rp/handle-rp.ts'
import { type Answer, ask } from '../support/service/raw-http.ts'
import { msgIdOf, rpClient } from '../support/service/rp-client.ts'
import { softPhone } from '../support/service/soft-phone.ts'
import { type Running, startService } from '../support/service/start-service.ts'
import { taken } from '../support/taken.ts'

let running: Running
beforeEach(async () => {
  running = await startService()
})
afterEach(() => running.stop())

// biome-ignore lint/suspicious/noExplicitAny: a document as it came over the wire
const documentAt = async (target: string): Promise<any> =>
  (await ask({ port: running.port, method: 'GET', target, headers: [['Host', `localhost:${running.port}`]] })).json

describe.each<[string, readonly { method: string; pattern: string }[]]>([
  ['/fido', rpTable],
  ['/app', appTable],
])('[app.openapi] the document of %s', (prefix, routes) => {
  test('has every route and nothing else, and says what needs no token', async () => {
    const document = await documentAt(`${prefix}/openapi.json`)
    const inDocument = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(inDocument.sort()).toEqual(routes.map(({ method, pattern }) => `${method} ${pattern}`).sort())
    const operations = Object.values<object>(document.paths).flatMap((methods) => Object.values(methods))
    const open = operations.filter(({ security }) => security?.length === 0).map(({ operationId }) => operationId)
    expect(open).toEqual(prefix === '/app' ? ['devices.sign_in'] : [])
  })

  test('names the address it was read from, also in another workspace', async () => {
    taken(await running.admin.workspaces.open('two'))
    const origin = `http://localhost:${running.port}`
    expect((await documentAt(`${prefix}/openapi.json`)).servers).toEqual([{ url: `${origin}${prefix}` }])
    expect((await documentAt(`/w/two${prefix}/openapi.json`)).servers).toEqual([{ url: `${origin}/w/two${prefix}` }])
  })

  test('is OpenAPI 3.1, with parameters for what stands in braces', async () => {
    const document = await documentAt(`${prefix}/openapi.json`)
    expect(document.openapi).toBe('3.1.0')
    for (const [path, methods] of Object.entries<Record<string, { parameters?: { in: string; name: string }[] }>>(
      document.paths,
    )) {
      const braces = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { parameters = [] } of Object.values(methods)) {
        expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(braces)
      }
    }
  })
})

test('[app.openapi] the limits in the document are those that are enforced, whatever the profile says', async () => {
  const client = rpClient(running, await running.makeRp())
  const fieldsOf = async () =>
    (await documentAt('/fido/openapi.json')).paths['/rp/attestation/options'].post.requestBody.content[
      'application/json'
    ].schema.properties
  expect((await fieldsOf()).user_id.maxLength).toBe(128)
  expect((await fieldsOf()).display_name.type).toEqual(['string', 'null'])
  taken(await running.admin.profile.patch('main', { user_id_max: 4096, empty_optional: 'refuse' }))
  expect((await fieldsOf()).user_id.maxLength).toBe(4096)
  expect((await fieldsOf()).display_name).toMatchObject({ type: 'string', minLength: 1 })
  const registerAs = async (user_id: string) =>
    (await client.post('/rp/attestation/options', { user_id, username: 'Ada' })).json
  expect((await registerAs('u'.repeat(4096))).code).toBe(0)
  expect(await registerAs('u'.repeat(4097))).toMatchObject({ code: 40002, data: { parameter: 'user_id' } })
})

test('an answer with a field more or less than its contract does not compile, at any depth', () => {
  type Credentials = Exact<RpData<'credentials.list'>>
  const list = [{ credential_id: '', credential_name: '', user_id: '', created_at: '', updated_at: '' }]
  const right: Credentials = exactly({ total: 1, list })
  // @ts-expect-error
  const less: Credentials = exactly({ total: 1 })
  // @ts-expect-error
  const more: Credentials = exactly({ total: 1, list: list.map((entry) => ({ ...entry, storage: '' })) })
  // @ts-expect-error
  const notMade: Credentials = { total: 1, list }
  expect([right, less, more, notMade]).toHaveLength(4)
})

test('what the service answers is what the documents say', async () => {
  const documents = { rp: await documentAt('/fido/openapi.json'), app: await documentAt('/app/openapi.json') }
  const client = rpClient(running, await running.makeRp())
  const phone = await softPhone(running, { account: { name: 'Ada', phone: '123456789', proof: 'p' } })
  const seen = new Set<string>()

  const fits = (side: 'rp' | 'app', operation: string, answer: Answer): Answer => {
    seen.add(operation)
    const all = Object.values<
      Record<
        string,
        { operationId: string; responses: Record<string, { content: Record<string, { schema: object }> }> }
      >
    >(documents[side].paths).flatMap((methods) => Object.values(methods))
    const described = all.find(({ operationId }) => operationId === operation)?.responses[answer.status]
    const schema = described?.content['application/json']?.schema
    expect(schema, `${operation} ${answer.status}`).toBeDefined()
    if (schema !== undefined) expect(Check(schema, answer.json), `${operation}: ${answer.text}`).toBe(true)
    return answer
  }

  fits('app', 'devices.sign_in', phone.signedIn)
  const id = msgIdOf(fits('rp', 'attestation.options', await client.register('u1')))
  fits('rp', 'attestation.options', await client.post('/rp/attestation/options', {}))
  fits('app', 'messages.bind', await phone.bind(id))
  fits('app', 'messages.attestation', await phone.register(id))
  fits('app', 'messages.attestation', await phone.attest(id, { response: 1 }))
  fits('rp', 'attestation.result', await client.registrationResult(id))
  fits('rp', 'attestation.result', await client.registrationResult(id))
  const next = msgIdOf(fits('rp', 'assertion.options', await client.authenticate('u1', 'push')))
  fits('rp', 'assertion.options', await client.authenticate('nobody'))
  fits('rp', 'assertion.result', await client.authenticationResult(next))
  fits('app', 'messages.assertion', await phone.authenticate(next))
  fits('rp', 'assertion.result', await client.authenticationResult(next))
  const third = msgIdOf(await client.authenticate('u1'))
  await phone.bind(third)
  fits('app', 'messages.reject', await phone.reject(third))
  fits('rp', 'assertion.result', await client.authenticationResult(third))
  fits('rp', 'credentials.list', await client.list('u1'))
  fits('rp', 'credentials.delete', await client.delete('u1', ['x']))
  fits('rp', 'credentials.delete', await client.delete('u1', 1))
  fits('app', 'vault.put', await phone.call('PUT', '/vault/AAAA', { sealed: 'AAAA' }, [['If-None-Match', '*']]))
  fits('app', 'vault.put', await phone.call('PUT', '/vault/AAAA', { sealed: 'AAAA' }))
  fits('app', 'vault.get', await phone.call('GET', '/vault/AAAA'))
  fits('app', 'vault.list', await phone.call('GET', '/vault'))
  fits('app', 'vault.delete', await phone.call('DELETE', '/vault/AAAA'))
  fits('app', 'vault.delete', await phone.call('DELETE', '/vault/AAAA'))
  fits('app', 'devices.sign_out', await phone.call('DELETE', '/devices/self'))
  fits('app', 'devices.sign_out', await phone.call('DELETE', '/devices/self'))
  const all = [...RP_OPERATIONS, ...APP_OPERATIONS].filter((name) => name !== 'inbox')
  expect([...seen].sort()).toEqual(all.sort())
})
