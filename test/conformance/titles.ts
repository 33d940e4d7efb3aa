import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

export type TaggedTitle = { readonly file: string; readonly tags: readonly string[]; readonly title: string }

const folder = join(import.meta.dirname, '..')

/** `[signing.scope] a scope of …`: tags in brackets at the start of a title, several where a test shows several rules. */
const TITLE = /(['"`])((?:\[[a-z-]+\.[a-z0-9-]+\] ?)+)((?:(?!\1)[^\n\\]|\\.)*)\1/g

const titlesIn = (text: string, file: string): readonly TaggedTitle[] =>
  [...text.matchAll(TITLE)].map(([, quote = '', tags = '', title = '']) => ({
    file,
    tags: [...tags.matchAll(/\[([^\]]+)\]/g)].map(([, tag = '']) => tag),
    title: title.replaceAll(`\\${quote}`, quote),
  }))

/** Every tagged title of the tests, in the order of their files. */
export const taggedTitles = (): readonly TaggedTitle[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') || name.endsWith('.spec.ts'))
    .map((name) => name.split(sep).join('/'))
    .sort()
    .flatMap((name) => titlesIn(readFileSync(join(folder, name), 'utf8'), `test/${name}`))
