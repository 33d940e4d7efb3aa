import { describe, expect, it } from 'vitest'
import { parseHandsetLink } from '../../src-main/shell/handset-link.ts'

const address = 'http://localhost:7420/fido/m#rAAAAAAAAAAAAAAAAAAAAAA'
const goodLink = () => `handset:scan?url=${encodeURIComponent(address)}`

describe('a handset: link', () => {
  it('has a phone scan an address', () => {
    expect(parseHandsetLink(goodLink())).toEqual({ ok: true, value: { action: 'scan', url: address } })
  })

  it('can name a phone and a workspace', () => {
    expect(parseHandsetLink(`${goodLink()}&phone=ph_1&workspace=w_2`)).toEqual({
      ok: true,
      value: { action: 'scan', url: address, phone: 'ph_1', workspace: 'w_2' },
    })
  })

  it('shows the window', () => {
    expect(parseHandsetLink('handset:show')).toEqual({ ok: true, value: { action: 'show' } })
  })

  it.each([
    ['another scheme', 'https://localhost/scan'],
    ['nothing behind it', 'handset:'],
    ['an action that does not exist', 'handset:approve?phone=ph_1'],
    ['an inherited name as its action', 'handset:constructor'],
    ['an authority', 'handset://scan'],
    ['a path', 'handset:scan/now'],
    ['capital letters', 'handset:SCAN?url=x'],
    ['a fragment', `${goodLink()}#x`],
    ['a space', `${goodLink()} --inspect`],
    ['a line break', `${goodLink()}\n`],
    ['a parameter that show does not have', 'handset:show?url=x'],
    ['a parameter that scan does not have', `${goodLink()}&answer=approve`],
    ['a parameter twice', `${goodLink()}&phone=a&phone=b`],
    ['a parameter without a value', `${goodLink()}&phone`],
    ['an empty parameter name', `${goodLink()}&=x`],
    ['no address', 'handset:scan?phone=ph_1'],
    ['a web address that is no code', 'handset:scan?url=http%3A%2F%2Flocalhost%3A7420%2F'],
    ['a file', `handset:scan?url=${encodeURIComponent('file:///fido/m#rAAAAAAAAAAAAAAAAAAAAAA')}`],
    ['an address with a user', `handset:scan?url=${encodeURIComponent(address.replace('//', '//me@'))}`],
    ['an address with a query', `handset:scan?url=${encodeURIComponent(address.replace('/m#', '?x=/m#'))}`],
    ['a broken escape', 'handset:scan?url=%zz'],
    ['a phone that is no id', `${goodLink()}&phone=..%2F..`],
    ['an empty workspace', `${goodLink()}&workspace=`],
    ['too many characters', `${goodLink()}&phone=${'a'.repeat(2048)}`],
  ])('is refused with %s', (_, text) => {
    expect(parseHandsetLink(text)).toMatchObject({ ok: false })
  })
})
