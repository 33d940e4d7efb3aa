import { expect, test } from 'vitest'
import { flagsOn } from './shared-chromium.ts'

test('Chromium is started without a sandbox where a user may have no namespace for one', () => {
  expect(flagsOn('linux')).toContain('--no-sandbox')
  expect(flagsOn('darwin')).not.toContain('--no-sandbox')
  expect(flagsOn('win32')).not.toContain('--no-sandbox')
})
