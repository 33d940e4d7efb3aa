import { expect, test } from 'vitest'
import { parseArguments } from '../../src-main/cli/options.ts'
import { nearest } from '../../src-main/protocol/nearest.ts'

const table = {
  port: { value: 'PORT', help: '' },
  origin: { value: 'URL', many: true, help: '' },
  json: { help: '' },
} as const

const parse = (...args: string[]) => parseArguments(table, args)

test('values come after a space or an equals sign', () => {
  expect(parse('--port', '1')).toEqual({ ok: true, value: { options: { port: '1' }, positionals: [] } })
  expect(parse('--port=1=2')).toMatchObject({ value: { options: { port: '1=2' } } })
})

test('an option that may come often keeps all its values in their order', () => {
  expect(parse('--origin', 'a', '--origin=b')).toMatchObject({ value: { options: { origin: ['a', 'b'] } } })
})

test('what is no option is a positional, and so is everything after two dashes', () => {
  expect(parse('a', '--json', '-', '--', '--port')).toEqual({
    ok: true,
    value: { options: { json: true }, positionals: ['a', '-', '--port'] },
  })
})

test.each([
  [['--prot', '1'], 'unknown option --prot. Did you mean --port?'],
  [['--constructor'], 'unknown option --constructor.'],
  [['-p', '1'], 'unknown option -p.'],
  [['--port'], '--port needs a value: --port PORT'],
  [['--port='], '--port needs a value: --port PORT'],
  [['--port', '--json'], '--port needs a value: --port PORT'],
  [['--port', '1', '--port', '2'], '--port is given twice.'],
  [['--json=yes'], '--json takes no value.'],
])('%j is refused in one sentence', (args, sentence) => {
  expect(parse(...args)).toEqual({ ok: false, error: sentence })
})

test('a slip of the finger is recognised, another word is not', () => {
  expect(nearest('sevre', ['serve', 'run'])).toBe('serve')
  expect(nearest('explode', ['serve', 'run'])).toBeUndefined()
})
