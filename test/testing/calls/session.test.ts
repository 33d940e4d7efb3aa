import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { escapeTemplate, fillTemplate } from '../../../src-main/testing/calls/placeholders.ts'
import { openSession } from '../../../src-main/testing/suite/http-session.ts'
import { serveBriefly } from '../../support/serve-briefly.ts'

const sessionAt = (url: string) => openSession({ url, onText: () => undefined })

test('a redirect to another origin takes no cookie and no header of the call with it, one to its own takes all', async () => {
  const heard: IncomingMessage['headers'][] = []
  const other = await serveBriefly((request, response) => {
    heard.push(request.headers)
    response.end('{}')
  })
  const url = (
    await serveBriefly((request, response) => {
      heard.push(request.headers)
      const location = { '/': '/own', '/own': `${other}/landed` }[request.url ?? '']
      response.setHeader('set-cookie', 'sid=1')
      response.writeHead(location === undefined ? 200 : 307, location === undefined ? {} : { location }).end()
    })
  ).replace('127.0.0.1', 'localhost')
  const session = sessionAt(url)
  await session.ask({ path: '/cookie' })
  const headers = { Authorization: 'Bearer a', 'X-CSRF': 'b', Accept: 'application/json' }
  expect((await session.ask({ path: '/', json: { a: 1 }, headers })).address).toBe(`${other}/landed`)
  const asked = { accept: 'application/json', 'content-type': 'application/json' }
  const own = { ...asked, authorization: 'Bearer a', 'x-csrf': 'b', cookie: 'sid=1', origin: url }
  expect(heard.slice(1, 3)).toMatchObject([own, own])
  expect(heard[3]).toMatchObject(asked)
  expect(Object.keys(heard[3] ?? {})).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/authorization|x-csrf|cookie/)]),
  )
})

test('a name in braces is filled in, in two pairs of braces it is a text, and so is a value', async () => {
  const heard: unknown[] = []
  const url = await serveBriefly(async (request, response) => {
    heard.push(request.url, request.headers['x-a'], await text(request))
    response.end()
  })
  const session = sessionAt(url)
  session.learn({ a: 'A/', b: '{a}', list: [1] })
  const value = 'a {a} {{a}} {{{a}}} {b} {{ {a}} {a.b:c} {{a.b:c}} {none} {9}'
  const filled = 'a A/ {a} {{a}} {a} {{ A/} {a.b:c} {a.b:c} {none} {9}'
  await session.ask({
    path: '/{a}{{a}}',
    headers: { 'X-A': value },
    json: { value, list: '{list}', alone: '{{list}}' },
  })
  await session.ask({ path: '/', form: { value } })
  expect(heard).toEqual([
    ...['/A%2F%7Ba%7D', filled, JSON.stringify({ value: filled, list: [1], alone: '{list}' })],
    ...['/', undefined, new URLSearchParams({ value: filled }).toString()],
  ])
  for (const any of [value, filled, '{{{{a}}}}']) expect(fillTemplate(escapeTemplate(any), { a: 1 })).toBe(any)
})

test('a kept value may be a path or a whole address', async () => {
  const heard: (string | undefined)[] = []
  const url = await serveBriefly((request, response) => void response.end(`{"n":${heard.push(request.url)}}`))
  const session = sessionAt(`${url}/shop/`)
  session.learn({ path: '/attempts/1%2F?a=b', whole: `${url}/other?a=%2F`, origin: url })
  for (const path of ['{path}', '{whole}', '{origin}/third', `${url}{path}`, '/100%']) await session.ask({ path })
  expect(heard).toEqual(['/shop/attempts/1%2F?a=b', '/other?a=%2F', '/third', '/attempts/1%2F?a=b', '/shop/100%'])
})
