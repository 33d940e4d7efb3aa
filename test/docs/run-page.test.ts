import { expect, test } from 'vitest'
import { blocksOf } from './code-blocks.ts'
import { runPage } from './run-page.ts'
import { outputDifference } from './same-structure.ts'

const page = (...blocks: readonly (readonly [info: string, text: string])[]) =>
  blocksOf('page.md', blocks.map(([info, text]) => `\`\`\`${info}\n${text}\n\`\`\`\n`).join('\n'))

const shell = test.skipIf(process.platform === 'win32')

shell.each(['false', 'echo $UNKNOWN', 'exit 3'])('a page fails at %s and goes no further', async (command) => {
  const { printed, exitCode } = await runPage(page(['sh', 'echo first'], ['sh', command], ['sh', 'echo last']))
  expect(exitCode).not.toBe(0)
  expect([...printed.values()]).toEqual(['first\n', ''])
})

shell('a process that a page leaves behind ends with it', async () => {
  // It holds the page's output open: the run would wait for it.
  const { exitCode } = await runPage(page(['sh', 'sleep 600 &']))
  expect(exitCode).toBe(0)
})

test.each(['```sh\nls', ' ```sh\nls\n```'])('a block that GitHub would not show as one is refused: %j', (text) => {
  expect(() => blocksOf('page.md', text)).toThrow('page.md:1')
})

test.each([
  ['json', '{"code": 0, "data": {"id": "rp_…"}}', '{"code":0,"data":{"id":"rp_1"}}', true],
  ['json', '{"code": 0}', '{"code":40905}', false],
  ['json', '{"pid": 1}', '{"pid":2}', true],
  ['json', '{"pid": 1}', '{"pid":"2"}', false],
  ['json', '{"a": "x"}', '{"a":"y"}', false],
  ['json', '{"a": "x"}', '{"a":"x","b":1}', false],
  ['json', '{"a": "x", "…": "…"}', '{"a":"x","b":1}', true],
  ['json', '{"a": "x", "b": "…"}', '{"a":"x"}', false],
  ['json', '[]', '[1]', false],
  ['json', '{}', 'no JSON', false],
  ['text', 'one\nt…o', 'one\ntwo\n', true],
  ['text', 'one', 'one\ntwo\n', false],
  ['text', 'a.c', 'abc', false],
])('%s: shown %s, printed %j: %s', (language, text, printed, same) => {
  expect(outputDifference({ page: 'page.md', line: 1, language, role: 'output', text }, printed) === undefined).toBe(
    same,
  )
})
