import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { findFiles } from '../../../src-main/scenario/runner/find-files.ts'
import { readScenarios } from '../../../src-main/scenario/runner/read-scenarios.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const SCENARIO = 'name: One\nsteps:\n  - register: { user_id: u, username: u }\n'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
  for (const name of ['a.yaml', 'b.yml', 'below/c.yaml', 'node_modules/d.yaml', '.git/e.yaml']) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), SCENARIO)
  }
  writeFileSync(join(folder, 'compose.yaml'), 'services: { web: {} }\n')
  writeFileSync(join(folder, 'notes.txt'), SCENARIO)
})

const namesOf = (...paths: readonly string[]) => {
  const found = findFiles(paths.map((path) => join(folder, path)))
  return found.ok ? found.value.map(({ name }) => relative(folder, resolve(name))) : found.error
}

test('a folder gives the YAML files below it, without those of packages and hidden folders', () => {
  expect(namesOf('.')).toEqual(['a.yaml', 'b.yml', 'below/c.yaml', 'compose.yaml'])
})

test('a pattern gives what matches, and a file that is found twice is there once', () => {
  expect(namesOf('**/*.yaml')).toEqual(['a.yaml', 'below/c.yaml', 'compose.yaml'])
  expect(namesOf('a.yaml', 'below/../a.yaml', '*.yaml')).toEqual(['a.yaml', 'compose.yaml'])
})

test('what is not there is refused', () => {
  mkdirSync(join(folder, 'below/empty'))
  for (const path of ['no.yaml', '*.json', 'below/empty']) expect(findFiles([join(folder, path)]).ok).toBe(false)
})

test('YAML without steps is passed over in a folder, and refused when it is named', () => {
  const read = (...paths: readonly string[]) => {
    const found = findFiles(paths.map((path) => join(folder, path)))
    return found.ok ? readScenarios(found.value) : found
  }
  const all = read('.')
  expect(all.ok && all.value.map(({ file }) => relative(folder, resolve(file)))).toEqual([
    'a.yaml',
    'b.yml',
    'below/c.yaml',
  ])
  expect(read('compose.yaml').ok).toBe(false)
  writeFileSync(join(folder, 'below/broken.yaml'), 'name: x\nsteps: [\n')
  expect(read('below').ok).toBe(false)
})

test.skipIf(process.platform === 'win32')('a link that leads nowhere, or to itself, is refused by name', () => {
  const links = join(folder, 'links')
  for (const [name, target] of [
    ['nowhere', 'none'],
    ['loop', 'x.yaml'],
  ] as const) {
    mkdirSync(join(links, name), { recursive: true })
    const file = join(links, name, 'x.yaml')
    symlinkSync(target, file)
    const found = findFiles([join(links, name)])
    expect(found.ok ? readScenarios(found.value) : found).toMatchObject({
      ok: false,
      error: { params: { path: file } },
    })
  }
})

test('a YAML file that is larger than a scenario can be is passed over in a folder, and refused when it is named', () => {
  const path = join(folder, 'large')
  mkdirSync(path)
  writeFileSync(join(path, 'a.yaml'), SCENARIO)
  const large = join(path, 'large.yaml')
  writeFileSync(large, SCENARIO)
  truncateSync(large, 1024 ** 3)
  const read = (at: string) => {
    const found = findFiles([at])
    return found.ok ? readScenarios(found.value) : found
  }
  expect(read(path)).toMatchObject({ ok: true, value: { length: 1 } })
  expect(read(large)).toMatchObject({
    ok: false,
    error: { code: 'file_too_large', params: { path: large } },
  })
})
