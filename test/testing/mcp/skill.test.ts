import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findRoot } from '../../../src-main/cli/root.ts'
import { SUMMARIES } from '../../../src-main/cli/summaries.ts'
import { routes } from '../../../src-main/core/contract/control/routes.ts'
import { FAULT_NAMES } from '../../../src-main/core/contract/faults.ts'
import { TOOLS } from '../../../src-main/testing/mcp/tools.ts'

const skill = readFileSync(join(findRoot(import.meta.dirname), 'SKILL.md'), 'utf8')

test('what SKILL.md names is there: tools, commands, routes and faults', () => {
  const named = /Tools: ([^.]+)\./.exec(skill)?.[1]?.match(/[a-z_]+/g)
  expect(named).toEqual(TOOLS.map(({ name }) => name))
  for (const [, command = ''] of skill.matchAll(/`?handset ([a-z]+)/g))
    expect(Object.keys(SUMMARIES)).toContain(command)
  const known = new Set(Object.values(routes).map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, 'ID')}`))
  const calls = [...skill.matchAll(/`(GET|POST) ([^`?]+)/g)].map(
    ([, method, path = '']) => `${method} ${path.replace('SEQ', 'ID')}`,
  )
  expect(calls.length).toBeGreaterThan(8)
  expect(calls.filter((call) => !known.has(call))).toEqual([])
  expect(FAULT_NAMES).toContain('challenge-wrong')
})
