import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('each judge verifies every answer that it is given', () => {
  const judges = ['handset', 'simplewebauthn'].flatMap((name) => ['--judge', name])
  const count = ['--registrations', '20', '--sign-ins', '40', '--rounds', '1']
  const program = join(import.meta.dirname, 'judges.ts')
  const out = execFileSync(process.execPath, [program, ...count, ...judges], { encoding: 'utf8', stdio: 'pipe' })
  expect([...out.matchAll(/verified 20 \+ (\d+) \+ (\d+) \+ (\d+)\./g)].map(sumOf)).toEqual([40, 40])
  expect([...out.matchAll(/^\| (?:handset|simple)\S*(?: \| [\d,]+){6} \|$/gm)]).toHaveLength(2)
})

const sumOf = ([, ...counts]: readonly string[]): number => counts.reduce((sum, count) => sum + Number(count), 0)
