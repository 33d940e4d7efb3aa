import { expect, it } from 'vitest'
import { parseHandsetLink } from '../../src-main/shell/handset-link.ts'

const address = 'http://localhost:7420/fido/m#rAAAAAAAAAAAAAAAAAAAAAA'
const goodLink = () => `handset:scan?url=${encodeURIComponent(address)}`

it('a link of handset: has a phone scan an address', () => {
  expect(parseHandsetLink(goodLink())).toEqual({ ok: true, value: { action: 'scan', url: address } })
})

it('a link of handset: can name a phone and a workspace', () => {
  expect(parseHandsetLink(`${goodLink()}&phone=ph_1&workspace=w_2`)).toEqual({
    ok: true,
    value: { action: 'scan', url: address, phone: 'ph_1', workspace: 'w_2' },
  })
})

it('a link of handset: shows the window', () => {
  expect(parseHandsetLink('handset:show')).toEqual({ ok: true, value: { action: 'show' } })
})

it.each([
  '/',
  '',
  '/w/main',
  '/w/main/',
  '/present',
  '/w/a_1/c/AAAAAAAAAAAAAAAAAAAAAA/steps',
  '/w/main/?q=is%3Afailed',
])('a link of handset: opens the place %s of a page, as the page writes it and by its own scheme', (place) => {
  const link = `http://localhost:7420${place}`
  const value = { action: 'open', origin: 'http://localhost:7420', place: place === '' ? '/' : place }
  expect(parseHandsetLink(link)).toEqual({ ok: true, value })
  expect(parseHandsetLink(`handset:open?url=${encodeURIComponent(link)}`)).toEqual({ ok: true, value })
})

it.each([
  ['a path that is no place', 'http://localhost:7420/control/v1/overview'],
  ['a path out of the page', 'http://localhost:7420/w/main/e/..%2f..'],
  ['a workspace that is no id', 'http://localhost:7420/w/a%2fb/e/1'],
  ['a code of its own', 'http://localhost:7420/w/main/e/1#code=abc'],
  ['a user', 'http://me@localhost:7420/w/main/e/1'],
  ['a host that hides', 'http://localhost:7420@evil.example/'],
  ['a space', 'http://localhost:7420/ --inspect'],
  ['a line break', 'http://localhost:7420/w/main\n'],
  ['capital letters in its scheme', 'HTTP://localhost:7420/'],
])('a link of handset to a page is refused with %s', (_, link) => {
  const opened = [parseHandsetLink(link), parseHandsetLink(`handset:open?url=${encodeURIComponent(link)}`)]
  expect(opened).toMatchObject(Array(2).fill({ ok: false, error: { code: 'link_to_no_place' } }))
})

it.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', '//localhost:7420/'])(
  'a link of handset: opens no %s',
  (link) => {
    expect(parseHandsetLink(`handset:open?url=${encodeURIComponent(link)}`)).toMatchObject({ ok: false })
    expect(parseHandsetLink(link)).toMatchObject({ ok: false })
  },
)

it.each([
  ['another scheme', 'link_unreadable', 'ftp://localhost/scan'],
  ['nothing behind it', 'link_unreadable', 'handset:'],
  ['an action that does not exist', 'link_unknown', 'handset:approve?phone=ph_1'],
  ['an inherited name as its action', 'link_unknown', 'handset:constructor'],
  ['an authority', 'link_unreadable', 'handset://scan'],
  ['a path', 'link_unreadable', 'handset:scan/now'],
  ['capital letters', 'link_unreadable', 'handset:SCAN?url=x'],
  ['a fragment', 'link_unreadable', `${goodLink()}#x`],
  ['a space', 'link_unreadable', `${goodLink()} --inspect`],
  ['a line break', 'link_unreadable', `${goodLink()}\n`],
  ['a parameter that show does not have', 'link_parameter_unknown', 'handset:show?url=x'],
  ['a parameter that scan does not have', 'link_parameter_unknown', `${goodLink()}&answer=approve`],
  ['a parameter twice', 'link_parameter_twice', `${goodLink()}&phone=a&phone=b`],
  ['a parameter without a value', 'link_parameters_unreadable', `${goodLink()}&phone`],
  ['an empty parameter name', 'link_parameters_unreadable', `${goodLink()}&=x`],
  ['no address', 'link_parameter_missing', 'handset:scan?phone=ph_1'],
  ['a web address that is no code', 'link_without_code', 'handset:scan?url=http%3A%2F%2Flocalhost%3A7420%2F'],
  ['a file', 'link_without_code', `handset:scan?url=${encodeURIComponent('file:///fido/m#rAAAAAAAAAAAAAAAAAAAAAA')}`],
  [
    'an address with a user',
    'link_without_code',
    `handset:scan?url=${encodeURIComponent(address.replace('//', '//me@'))}`,
  ],
  [
    'an address with a query',
    'link_without_code',
    `handset:scan?url=${encodeURIComponent(address.replace('/m#', '?x=/m#'))}`,
  ],
  ['a broken escape', 'link_parameters_unreadable', 'handset:scan?url=%zz'],
  ['a phone that is no id', 'link_id_unfit', `${goodLink()}&phone=..%2F..`],
  ['an empty workspace', 'link_id_unfit', `${goodLink()}&workspace=`],
  ['too many characters', 'link_too_long', `${goodLink()}&phone=${'a'.repeat(2048)}`],
] as const)('a handset: link is refused with %s: %s', (_, code, text) => {
  expect(parseHandsetLink(text)).toMatchObject({ ok: false, error: { code } })
})
