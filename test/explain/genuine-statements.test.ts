import { describe, expect, it } from 'vitest'
import { switchesOf } from '../../src-main/service/ceremony/expectations.ts'
import {
  type GenuineStatement,
  genuineRegistration,
  genuineRoots,
  genuineStatements,
} from '../support/ceremony/genuine.ts'
import { judgedRegistration } from '../support/ceremony/verdicts.ts'

const named = (wanted: (statement: GenuineStatement) => boolean) =>
  genuineStatements.filter(wanted).map((statement) => [`${statement.name} (${statement.device})`, statement] as const)

const judged = (statement: GenuineStatement, changes: Partial<ReturnType<typeof genuineRegistration>> = {}) =>
  judgedRegistration({ ...genuineRegistration(statement), ...changes })

const relaxed = ({ outcome }: GenuineStatement) => ({ switches: switchesOf(outcome.verifies_with ?? []) })

const rootOf = ({ outcome }: GenuineStatement) => {
  const root = genuineRoots[outcome.root ?? '']
  if (root === undefined) throw new Error(`no root ${outcome.root}`)
  return root
}

it('each statement says whether it verifies or why it is refused, and where it is from', () => {
  for (const { outcome, source } of genuineStatements) {
    expect(outcome.verifies === true).toBe(outcome.refused === undefined)
    expect(outcome.why === undefined).toBe(outcome.verifies === true)
    expect(Object.keys(source)).toEqual(['registry', 'package', 'version', 'path', 'licence'])
    expect(['npm', 'Debian']).toContain(source.registry)
  }
})

it.each([
  ['tpm', 2],
  ['fido-u2f', 5],
  ['packed', 6],
  ['apple', 2],
  ['android-key', 1],
  ['android-safetynet', 3],
  ['none', 2],
])('there are genuine statements of the format %s: %i', (format, count) => {
  expect(genuineStatements.filter((statement) => statement.format === format)).toHaveLength(count)
})

describe('a genuine statement verifies', () => {
  it.each(named(({ outcome }) => outcome.verifies === true))('%s', async (_, statement) => {
    const verdict = await judged(statement)
    expect(verdict.failure).toBeUndefined()
    expect(verdict.value?.format).toBe(statement.format)
  })
})

describe('a genuine statement is refused for the reason beside it', () => {
  it.each(named(({ outcome }) => outcome.refused !== undefined))('%s', async (_, statement) => {
    expect((await judged(statement)).failure?.word).toBe(statement.outcome.refused)
  })
})

describe('a genuine statement verifies when the profile relaxes exactly the rules beside it', () => {
  it.each(named(({ outcome }) => outcome.verifies_with !== undefined))('%s', async (_, statement) => {
    expect((await judged(statement, relaxed(statement))).failure).toBeUndefined()
    for (const rule of statement.outcome.verifies_with ?? []) {
      const others = (statement.outcome.verifies_with ?? []).filter((other) => other !== rule)
      expect((await judged(statement, { switches: switchesOf(others) })).accepted).toBe(false)
    }
  })
})

describe('the chain of a genuine statement', () => {
  const rooted = named(({ outcome }) => outcome.root !== undefined)

  it('has its anchor in roots.json for 13 of them', () => {
    expect(rooted).toHaveLength(13)
  })

  it.each(rooted)('leads to its maker’s own anchor: %s', async (_, statement) => {
    const roots = Object.values(genuineRoots)
    const verdict = await judged(statement, { ...relaxed(statement), attestation: 'require-trusted', roots })
    expect(verdict.failure).toBeUndefined()
    expect(verdict.value?.trusted).toBe(true)
  })

  it.each(rooted)('is trusted with that anchor alone, and with none without it: %s', async (_, statement) => {
    const required = { ...relaxed(statement), attestation: 'require-trusted' } as const
    expect((await judged(statement, { ...required, roots: [rootOf(statement)] })).value?.trusted).toBe(true)
    const verdict = await judged(statement, { ...required, roots: [] })
    expect(verdict.failure?.word).toBe('attestation_untrusted')
    const trust = verdict.steps.find(({ id }) => id === '7.1.24')?.checks?.filter(({ outcome }) => outcome === 'failed')
    expect(trust?.map(({ word }) => word)).toEqual(['attestation_untrusted', 'attestation_roots_missing'])
  })
})
