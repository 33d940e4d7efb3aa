import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { INITIAL_SCRIPT_GOAL, initialScripts } from '../bench/page-script.ts'
import { folderOfFile } from '../support/temporary-folder.ts'

const built = join(import.meta.dirname, '../../out/renderer')
const folder = folderOfFile()

// `npm test` builds the page first.
it.skipIf(!existsSync(join(built, 'index.html')))(
  'the page needs less script than its goal before it shows anything',
  () => {
    const scripts = initialScripts(built)
    const sizes = scripts.map(({ name, gzipped }) => `${name}: ${gzipped}`)
    const gzipped = scripts.reduce((sum, script) => sum + script.gzipped, 0)
    expect(gzipped, sizes.join(', ')).toBeGreaterThan(50_000)
    expect(gzipped, sizes.join(', ')).toBeLessThan(INITIAL_SCRIPT_GOAL)
  },
)

it('what a script imports by itself counts, what it imports when it is wanted does not', () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(
    join(folder, 'index.html'),
    '<link rel="modulepreload" href="./assets/react.js"><script type="module" crossorigin src="./assets/main.js"></script>',
  )
  const files = {
    'main.js': 'import{a as b,c}from"./shared.js";import"./effects.js";const later=()=>import("./console.js");',
    'shared.js': 'export{d as a}from"./deep.js";export const c=1',
    'deep.js': 'export const d=2',
    'effects.js': '',
    'react.js': '',
    'console.js': '',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'assets', name), text)
  expect(initialScripts(folder).map(({ name }) => name.replace('assets/', ''))).toEqual([
    'react.js',
    'main.js',
    'shared.js',
    'deep.js',
    'effects.js',
  ])
})
