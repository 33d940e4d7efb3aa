import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseStart } from '../../src-main/cli/start-options.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const phonesAfter = (...args: string[]) => {
  const wanted = parseStart(args, { env: {}, platform: 'linux' })
  return wanted.ok ? wanted.value.seedData.phones.map(({ name }) => name) : wanted.error
}

test('a bench in memory begins with Alice’s phone', () => {
  expect(phonesAfter('--memory')).toEqual(['Alice'])
})

test('so does a new data directory, made by another program or not there yet', () => {
  const path = temporaryFolder()
  expect(phonesAfter('--data', path)).toEqual(['Alice'])
  expect(phonesAfter('--data', join(path, 'later'))).toEqual(['Alice'])
})

test('a bench that was started before keeps the phones it has', () => {
  const path = temporaryFolder()
  writeFileSync(join(path, 'handset.db'), '')
  expect(phonesAfter('--data', path)).toEqual([])
})

test('phones of a configuration file stand alone', () => {
  const path = temporaryFolder()
  writeFileSync(join(path, 'bench.yaml'), 'phones:\n  - name: Bo\n')
  expect(phonesAfter('--memory', '--config', join(path, 'bench.yaml'))).toEqual(['Bo'])
})
