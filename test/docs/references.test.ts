import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { pages, readPage } from './code-blocks.ts'

const root = join(import.meta.dirname, '../..')

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.(tsx?|mjs)$/.test(path) && !/^test\/docs\/|\/node_modules\//.test(path))

/** GitHub's anchors: lower case, no punctuation, hyphens for spaces. */
const anchorsOf = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('every page that the code names is in the project', () => {
  const missing = ['src-main', 'src-renderer', 'test'].flatMap(filesIn).flatMap((path) => {
    const named = readFileSync(join(root, path), 'utf8').matchAll(/[\w./-]*\w\.md\b/g)
    // Reports are written by Handset, and by whoever has a bug.
    return [...named]
      .filter(([name]) => !/report\.md$/.test(name) && !existsSync(join(root, name)))
      .map(([name]) => `${path}: ${name}`)
  })
  expect(missing).toEqual([])
})

test('every link of a page leads to a file of the project, and to a heading that it has', () => {
  const broken = pages.flatMap((page) => {
    const links = [...readPage(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
    return links
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [file = '', anchor] = target.split('#')
        const path = file === '' ? page : join(dirname(page), file)
        if (!existsSync(join(root, path))) return true
        return anchor !== undefined && !anchorsOf(readPage(path)).includes(anchor)
      })
      .map((target) => `${page}: ${target}`)
  })
  expect(broken).toEqual([])
})
