import { expect, test } from 'vitest'
import { forbiddenSwitch } from '../../src-main/shell/forbidden-switches.ts'

const switched = (...names: string[]) => forbiddenSwitch((name) => names.includes(name))

test.each(['no-sandbox', 'disable-web-security', 'remote-debugging-port', 'remote-debugging-pipe'])(
  'a packed program does not start with --%s',
  (name) => {
    expect(switched(name)).toBeTypeOf('string')
  },
)

test('other switches of Chromium do no harm', () => {
  expect(switched('disable-gpu', 'ozone-platform')).toBeUndefined()
})
