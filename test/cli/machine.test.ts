import { expect, test } from 'vitest'
import { defaultDataDirectory, endingSignals } from '../../src-main/cli/command.ts'

const on = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv) => defaultDataDirectory({ platform, env })

test('on Windows data lie in the local application data of the user', () => {
  const env = { USERPROFILE: 'C:\\Users\\Zoë', HOME: '/c/Users/Zoe' }
  expect(on('win32', { ...env, LOCALAPPDATA: 'D:\\Local' })).toBe('D:\\Local\\Handset')
  expect(on('win32', env)).toBe('C:\\Users\\Zoë\\AppData\\Local\\Handset')
  expect(on('win32', { ...env, LOCALAPPDATA: '' })).toBe('C:\\Users\\Zoë\\AppData\\Local\\Handset')
})

test('on macOS and Linux they lie where the system keeps the data of programs', () => {
  expect(on('darwin', { HOME: '/Users/zoe' })).toBe('/Users/zoe/Library/Application Support/Handset')
  expect(on('linux', { HOME: '/home/zoe' })).toBe('/home/zoe/.local/share/handset')
  expect(on('linux', { HOME: '/home/zoe', XDG_DATA_HOME: '/data' })).toBe('/data/handset')
})

test('a relative XDG_DATA_HOME is ignored', () => {
  expect(on('linux', { HOME: '/home/zoe', XDG_DATA_HOME: 'data' })).toBe('/home/zoe/.local/share/handset')
})

test('a closed console ends the program gently on Windows, and nohup is obeyed elsewhere', () => {
  expect(endingSignals('win32')).toEqual(['SIGINT', 'SIGBREAK', 'SIGHUP'])
  expect(endingSignals('linux')).not.toContain('SIGHUP')
  expect(endingSignals('darwin')).toContain('SIGTERM')
})
