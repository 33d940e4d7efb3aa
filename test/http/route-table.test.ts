import { describe, expect, test } from 'vitest'
import { routeTable } from '../../src-main/http/route-table.ts'

const table = routeTable([
  { method: 'GET', pattern: '/things', handler: 'list' },
  { method: 'POST', pattern: '/things', handler: 'make' },
  { method: 'GET', pattern: '/things/self', handler: 'self' },
  { method: 'GET', pattern: '/things/{id}', handler: 'get' },
  { method: 'PUT', pattern: '/things/{id}/parts/{part}', handler: 'put' },
])

const found = (method: string, path: string) => {
  const match = table.match(method, path)
  return match.ok ? [match.value.route.handler, match.value.params] : [match.error.name, match.error.headers ?? {}]
}

describe('a route table', () => {
  test('finds by method and path, literal before parameter', () => {
    expect(found('GET', '/things')).toEqual(['list', {}])
    expect(found('POST', '/things')).toEqual(['make', {}])
    expect(found('GET', '/things/self')).toEqual(['self', {}])
    expect(found('GET', '/things/7')).toEqual(['get', { id: '7' }])
    expect(found('PUT', '/things/7/parts/x')).toEqual(['put', { id: '7', part: 'x' }])
  })

  test('decodes a parameter after the path was split', () => {
    expect(found('GET', '/things/a%2Fb%20%C3%BC')).toEqual(['get', { id: 'a/b ü' }])
  })

  test.each(['/things/', '/thing', '/things/a/b', '/things/%zz', '/things/%ff', '//things', '', '/'])(
    '%s is no route',
    (path) => {
      expect(found('GET', path)).toEqual(['no_route', {}])
    },
  )

  test('HEAD goes where GET goes', () => expect(found('HEAD', '/things/7')).toEqual(['get', { id: '7' }]))

  test('another method is refused with those that are allowed', () => {
    expect(found('DELETE', '/things')).toEqual(['method_not_allowed', { Allow: 'GET, HEAD, POST' }])
    expect(found('get', '/things')).toEqual(['method_not_allowed', { Allow: 'GET, HEAD, POST' }])
  })
})
