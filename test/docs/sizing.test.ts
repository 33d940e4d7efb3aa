import { expect, test } from 'vitest'
import { profileSettings } from '../../src-main/contract/profile.ts'
import { readPage } from './code-blocks.ts'

/** How long a message is kept after its lifetime. */
const KEPT_S = 600

/** The arithmetic of docs/using/sizing.md, from its own figures. */
const page = readPage('docs/using/sizing.md')
const figure = (pattern: RegExp): number => Number(pattern.exec(page)?.[1]?.replaceAll(',', '') ?? Number.NaN)

test('the sums of the sizing page are right, from the figures in its table to the machines', () => {
  const costMs = figure(/whole sign-in, SQLite on disk \| ([\d.]+) ms/)
  const pollMs = figure(/One poll of the RP for the result \| ([\d.]+) ms/)
  const writtenKib = figure(/Written to the disk.*? \| (\d+) KiB/)
  const messageKib = figure(/the message with its verdict \| (\d+) KiB/)
  const credentialKib = figure(/a credential with its indexes \| ([\d.]+) KiB/)
  const inboxKib = figure(/virtual phone at its other end \| (\d+) KiB/)
  const average = (1_000_000 * 2 * 0.15) / 3600
  expect(figure(/÷ 3600 +=\s+([\d,]+) a second in the busiest/)).toBe(Math.round(average))
  const burst = figure(/83 × 4 +=\s+(\d+) a second in a burst/)
  expect(burst).toBe(Math.round(average * 4))
  const cores = (burst * (costMs + 5 * pollMs)) / 1000
  expect(figure(/5 × [\d.]+ ms\) +=\s+([\d.]+) cores/)).toBeCloseTo(cores, 1)
  expect(figure(/60 % use.*?=\s+([\d.]+) cores/)).toBeCloseTo(cores / 0.6, 1)
  expect(figure(/× 31 KiB +=\s+(\d+) MiB a second/)).toBe(Math.round((burst * writtenKib) / 1024))
  const lifetime = profileSettings.message_ttl_s.rule.default + KEPT_S
  expect(figure(/= 333 × (\d+) s × 3 KiB/)).toBe(lifetime)
  expect(figure(/Rows that stay for (\d+) minutes/)).toBe(lifetime / 60)
  const rows = burst * lifetime
  expect(figure(/× 3 KiB +=\s+([\d,]+) rows/)).toBe(Math.round(rows / 1e4) * 1e4)
  expect(figure(/rows, ([\d.]+) GiB/)).toBeCloseTo((rows * messageKib) / 1024 ** 2, 1)
  for (const part of ['the services', 'the database']) {
    const ms = figure(new RegExp(`([\\d.]+) ms of ${part}`))
    expect(figure(new RegExp(`333 × ${ms} ms = ([\\d.]+) cores for ${part}`))).toBeCloseTo((burst * ms) / 1000, 1)
  }
  // With one of five away the others are used to about this share.
  expect((burst * figure(/([\d.]+) ms of the services/)) / 1000 / 4).toBeCloseTo(0.6, 1)
  expect(figure(/2 phones × 0\.5 KiB +=\s+(\d+) GiB/)).toBe(Math.round((2_000_000 * credentialKib) / 1024 ** 2))
  expect(figure(/40,000 × 104 KiB, (\d+) GiB/)).toBe(Math.round((40_000 * inboxKib) / 1024 ** 2))
})
