import { describe, expect, it } from 'vitest'
import { isPageAddress } from '../../src-main/contract/page-address.ts'
import { type Address, formatAddress, parseAddress } from '../../src-renderer/ui/address.ts'

const ID = 'AAAAAAAAAAAAAAAAAAAAAA'

const cases: readonly (readonly [string, Address])[] = [
  ['/', { screen: 'bench' }],
  ['/?q=is%3Afailed', { screen: 'bench', search: 'is:failed' }],
  [`/c/${ID}/steps`, { screen: 'bench', about: { msgId: ID, tab: 'steps' } }],
  ['/e/12', { screen: 'bench', about: { seq: 12 } }],
  ['/console', { screen: 'console' }],
  ['/console/rp/rp_1/AK7Q', { screen: 'console', place: { kind: 'rp', id: 'rp_1', part: 'AK7Q' } }],
  ['/console/profile/clock_skew_s', { screen: 'console', place: { kind: 'profile', id: 'clock_skew_s' } }],
  ['/console/phones/ph_1/answer', { screen: 'console', place: { kind: 'phones', id: 'ph_1', part: 'answer' } }],
  ['/present', { screen: 'presenter', chapter: 'key', opening: true }],
  ['/present/thief', { screen: 'presenter', chapter: 'thief' }],
  ['/present/thief/notes', { screen: 'presenter', chapter: 'thief', notes: true }],
  [`/trace/${ID}`, { screen: 'trace', trace: ID, name: '' }],
  [`/trace/${ID}?name=a.handset&q=rp%3Ademo`, { screen: 'trace', trace: ID, name: 'a.handset', search: 'rp:demo' }],
  [
    `/trace/${ID}/e/7/response?name=a+%26+b.handset`,
    { screen: 'trace', trace: ID, name: 'a & b.handset', about: { seq: 7, tab: 'response' } },
  ],
]

describe('an address', () => {
  it.each(cases)('%s is read and written alike, and the service shows the page there', (text, address) => {
    const [path = '', query] = text.split('?')
    expect(parseAddress(path, query)).toEqual(address)
    expect(formatAddress(address)).toBe(text)
    expect(isPageAddress(path)).toBe(path !== '/')
  })

  it.each(['/e/x', '/c', '/console/nowhere', '/index.html'])('%s leads to the start of its screen', (path) => {
    expect([{ screen: 'bench' }, { screen: 'console' }]).toContainEqual(parseAddress(path))
  })

  it('a mistyped one asks for what is not there, so that the page says so', () => {
    expect(parseAddress('/cnsole/profile')).toEqual({ screen: 'bench', about: { msgId: 'cnsole' } })
  })

  it.each(['/e/../secret', `/trace/${'A'.repeat(65)}`, '/c/a/b/c/d/e', '/assets/x.js', '/e/%2e%2e'])(
    'the page does not stand at %s',
    (path) => {
      expect(isPageAddress(path)).toBe(false)
    },
  )
})
