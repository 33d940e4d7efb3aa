import { expect, it } from 'vitest'
import {
  type GenuineStatement,
  genuineRegistration,
  genuineRoots,
  genuineStatements,
} from '../../support/ceremony/genuine.ts'
import { judgedRegistration } from '../../support/ceremony/verdicts.ts'

const named = (wanted: (statement: GenuineStatement) => boolean) =>
  genuineStatements.filter(wanted).map((statement) => [`${statement.name} (${statement.device})`, statement] as const)

const judged = (statement: GenuineStatement, changes: Partial<ReturnType<typeof genuineRegistration>> = {}) =>
  judgedRegistration({ ...genuineRegistration(statement), ...changes })

const relaxed = ({ outcome }: GenuineStatement) => ({ relaxed: outcome.verifies_with ?? [] })

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

it('there are genuine statements of every format', () => {
  const counts = { tpm: 2, 'fido-u2f': 5, packed: 6, apple: 2, 'android-key': 1, 'android-safetynet': 3, none: 2 }
  const found = genuineStatements.map(({ format }) => format)
  for (const [format, count] of Object.entries(counts))
    expect(found.filter((one) => one === format)).toHaveLength(count)
})

it.each(named(({ outcome }) => outcome.verifies === true))('a genuine statement verifies: %s', async (_, statement) => {
  const verdict = await judged(statement)
  expect(verdict.failure).toBeUndefined()
  expect(verdict.value?.format).toBe(statement.format)
})

it.each(named(({ outcome }) => outcome.refused !== undefined))(
  'a genuine statement is refused for the reason beside it: %s',
  async (_, statement) => {
    expect((await judged(statement)).failure?.word).toBe(statement.outcome.refused)
  },
)

it.each(named(({ outcome }) => outcome.verifies_with !== undefined))(
  'a genuine statement verifies when the profile relaxes exactly the rules beside it: %s',
  async (_, statement) => {
    expect((await judged(statement, relaxed(statement))).failure).toBeUndefined()
    for (const rule of statement.outcome.verifies_with ?? []) {
      const others = (statement.outcome.verifies_with ?? []).filter((other) => other !== rule)
      expect((await judged(statement, { relaxed: others })).accepted).toBe(false)
    }
  },
)

const rooted = named(({ outcome }) => outcome.root !== undefined)

it.each(rooted)('a genuine chain is trusted with its anchor alone, never without: %s', async (_, statement) => {
  const required = { ...relaxed(statement), attestation: 'require-trusted' } as const
  expect((await judged(statement, { ...required, roots: [rootOf(statement)] })).value?.trusted).toBe(true)
  const verdict = await judged(statement, { ...required, roots: [] })
  expect(verdict.failure?.word).toBe('attestation_untrusted')
  const trust = verdict.steps.find(({ id }) => id === '7.1.24')?.checks?.filter(({ outcome }) => outcome === 'failed')
  expect(trust?.map(({ word }) => word)).toEqual(['attestation_untrusted', 'attestation_roots_missing'])
})
