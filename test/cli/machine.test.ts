import { expect, test } from 'vitest'
import { defaultDataDirectory, terminationSignals } from '../../src-main/cli/command.ts'

const WINDOWS = { USERPROFILE: 'C:\\Users\\Zoë', HOME: '/c/Users/Zoe' }

test.each<[NodeJS.Platform, NodeJS.ProcessEnv, string]>([
  ['win32', { ...WINDOWS, LOCALAPPDATA: 'D:\\Local' }, 'D:\\Local\\Handset'],
  ['win32', WINDOWS, 'C:\\Users\\Zoë\\AppData\\Local\\Handset'],
  ['win32', { ...WINDOWS, LOCALAPPDATA: '' }, 'C:\\Users\\Zoë\\AppData\\Local\\Handset'],
  ['darwin', { HOME: '/Users/zoe' }, '/Users/zoe/Library/Application Support/Handset'],
  ['linux', { HOME: '/home/zoe' }, '/home/zoe/.local/share/handset'],
  ['linux', { HOME: '/home/zoe', XDG_DATA_HOME: '/data' }, '/data/handset'],
  ['linux', { HOME: '/home/zoe', XDG_DATA_HOME: 'data' }, '/home/zoe/.local/share/handset'],
])('on %s with %j data lie at %s', (platform, env, directory) => {
  expect(defaultDataDirectory({ platform, env })).toBe(directory)
})

test('a closed console ends the program gently on Windows, and nohup is obeyed elsewhere', () => {
  expect(terminationSignals('win32')).toEqual(['SIGINT', 'SIGBREAK', 'SIGHUP'])
  expect(terminationSignals('linux')).not.toContain('SIGHUP')
  expect(terminationSignals('darwin')).toContain('SIGTERM')
})
