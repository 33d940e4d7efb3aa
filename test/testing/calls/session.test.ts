import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { openSession } from '../../../src-main/testing/suite/http-session.ts'
import { serveBriefly } from '../../support/serve-briefly.ts'

const sessionAt = (url: string) => openSession({ url, hears: () => undefined })

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
