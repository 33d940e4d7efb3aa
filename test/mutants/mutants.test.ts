import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../support/imports.ts'
import { EXAMPLES } from '../support/shipped-scenarios.ts'
import { mutated } from './apply-mutant.ts'
import { drawPlaces, editsIn, findPlace } from './draw.ts'
import { inWords, type Outcome, playPlaces } from './play-drawn.ts'
import { rpMutants } from './rp-mutants.ts'
import { serviceMutants } from './service-mutants.ts'

it.each([...serviceMutants, ...rpMutants])('the mutant "$what" applies, and names a shipped scenario', (mutant) => {
  const text = readFileSync(join(ROOT, mutant.file), 'utf8')
  expect(mutated(text, mutant)).not.toBe(text)
  expect(existsSync(join(EXAMPLES, mutant.caughtBy))).toBe(true)
})

it('a mutant whose place is gone, or there twice, is refused', () => {
  const [mutant] = rpMutants
  if (mutant === undefined) throw new Error('there is no mutant')
  expect(() => mutated('', mutant)).toThrow('no longer applies')
  expect(() => mutated(mutant.find + mutant.find, mutant)).toThrow('no longer applies')
})

it.each([
  ['if (a < b) go()', 'if ((a <= b)) go()', 'if (!(a < b)) go()', 'if (true) go()', 'if (false) go()', 'if (a < b) ;'],
  [
    'const n = on ? 7 : 5000',
    'const n = !(on) ? 7 : 5000',
    'const n = true ? 7 : 5000',
    'const n = false ? 7 : 5000',
    'const n = on ? 8 : 5000',
    'const n = on ? 7 : 10000',
  ],
  ["const s = a + 'code'", "const s = a + 'code_'"],
  ['const s = (a ?? b) + c', 'const s = ((a ?? b) - c)', 'const s = ((a && b)) + c'],
  ["for (;;) { throw no('A sentence.') }", 'for (;;) { ; }'],
  ["import a from 'a'", ...[]],
  ["type A = 'a' | 1; /* 1 < 2 */ const b = c as 'd'", ...[]],
  ["console.log(1); parts.log({ level: 'info' })", ...[]],
  ['const view = <a className="b" size={1}>c</a>', 'const view = <a className="b" size={2}>c</a>'],
])('%s is mistaken in each way', (code, ...mistaken) => {
  const edits = editsIn('a.tsx', code)
  expect(edits.map(({ start, end, put }) => code.slice(0, start) + put + code.slice(end)).toSorted()).toEqual(
    mistaken.toSorted(),
  )
})

const code = 'const a = 1\nconst b = 2\n\nexport const c = () => a < b\n'
const sources = new Map([['src-main/a.ts', code]])

it('a draw repeats under its seed, and finds its places after they moved', () => {
  const places = drawPlaces(sources, { count: 9, seed: 1 })
  expect(places).toEqual(drawPlaces(sources, { count: 9, seed: 1 }))
  expect(places.map(({ line }) => line).toSorted()).toEqual([1, 2, 4])
  const [place] = places.filter(({ line }) => line === 4)
  if (place === undefined) throw new Error('line 4 is not drawn')
  expect(findPlace(place, new Map([['src-main/a.ts', `//\n${code}`]]))).toMatchObject({ line: 5 })
  expect(findPlace(place, new Map([['src-main/b.ts', code]]))).toMatchObject({ file: 'src-main/b.ts', line: 4 })
  expect(findPlace(place, new Map([['src-main/b.ts', code.replace('a < b', 'b < a')]]))).toBeUndefined()
  expect(
    findPlace(
      place,
      new Map([
        ['src-main/b.ts', code],
        ['src-main/c.ts', code],
      ]),
    ),
  ).toBeUndefined()
})

it('a mistake is caught by the first file that fails, survived, or reached by none', async () => {
  const places = drawPlaces(sources, { count: 3, seed: 1 })
  const ids = places.map(({ id }) => id)
  const files = Array.from({ length: 12 }, (_, nth) => `${String.fromCharCode(97 + nth)}.test.ts`)
  const seconds = Object.fromEntries(files.map((file, nth) => [file, 10 * nth]))
  const reached = { [ids[0] ?? '']: files, [ids[1] ?? '']: [...files, 'left-out.test.ts'] }
  const play = async (mistakes: typeof places, played: readonly string[]) => {
    const isCaught = mistakes.some(({ id }) => id === ids[0]) && played.includes('l.test.ts')
    return new Map(isCaught ? [['l.test.ts', 'title']] : [])
  }
  const outcomes: Record<string, Outcome> = {}
  await playPlaces(places, { seconds, reached }, play, ({ id }, outcome) => {
    outcomes[id] = outcome
  })
  const words = Object.values(outcomes).map((unit) => inWords({ unit }))
  expect(words).toEqual(['caught by l.test.ts: title', 'survived 12 of 12 files', 'reached by none'])
  expect([inWords({}), inWords(undefined)]).toEqual(['gone', 'not played'])
})
