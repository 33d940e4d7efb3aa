import { expect, test } from 'vitest'
import { startOptions } from '../../src-main/cli/options.ts'
import { forbiddenSwitch } from '../../src-main/shell/invocation.ts'

const switched = (...names: string[]) => forbiddenSwitch((name) => names.includes(name))

test.each(['no-sandbox', 'disable-web-security', 'remote-debugging-port', 'remote-debugging-pipe'])(
  'a packed program does not start with --%s, and names the command that opens the page instead',
  (name) => {
    const [, command, option = ''] = /`handset (\w+)(?: --([\w-]+))?`/.exec(switched(name) ?? '') ?? []
    // It keeps its data where the desktop program keeps it.
    expect(command).toBe('start')
    expect(['', ...Object.keys(startOptions)]).toContain(option)
  },
)

test('other switches of Chromium do no harm', () => {
  expect(switched('disable-gpu', 'ozone-platform')).toBeUndefined()
})
