import { expect, it } from 'vitest'
import { fillIn, referencesIn } from '../../src-main/scenario/variables.ts'

const values: Readonly<Record<string, unknown>> = {
  name: 'alice',
  count: 3,
  object: { a: [1] },
  sly: `\${name} $\${name} \${missing}`,
  dollar: '$&$1$$',
}
const fill = (value: unknown) => fillIn(value, (reference) => values[reference] ?? `?${reference}?`)

it.each([
  [`a \${name} b`, 'a alice b'],
  [`\${count}`, 3],
  [`\${count} `, '3 '],
  [`\${object}`, { a: [1] }],
  [`=\${object}`, '={"a":[1]}'],
  [`$\${name}`, `\${name}`],
  [`a $\${name} \${name}`, `a \${name} alice`],
  [`\${name`, `\${name`],
  ['$name {name}', '$name {name}'],
  [`\${dollar}!`, '$&$1$$!'],
  [
    [`\${name}`, { x: `\${count}` }],
    ['alice', { x: 3 }],
  ],
  [null, null],
])('%j becomes %j', (value, filled) => {
  expect(fill(value)).toEqual(filled)
})

it('what a variable holds is never read as a reference', () => {
  expect(fill(`\${sly}`)).toBe(`\${name} $\${name} \${missing}`)
  expect(fill(`<\${sly}>`)).toBe(`<\${name} $\${name} \${missing}>`)
})

it('a value knows what it refers to', () => {
  expect(referencesIn([`\${a}`, { b: `x \${c.d} $\${e}` }, 1])).toEqual(['a', 'c.d'])
})
