import { describe, expect, it } from 'vitest'
import { type ArmDraft, draftOf, readDraft, type Tunable } from '../../src-renderer/faults/arming.ts'

const field = (preset: number, least: number, most: number) =>
  ({ kind: 'number', preset, range: { kind: 'whole', least, most } }) as const

const late: Tunable = { name: 'push-late', fields: { delay_ms: field(60_000, 0, 86_400_000) } }

const read = (change: Partial<ArmDraft>) => readDraft({ ...draftOf(late), ...change }, late)

describe('what is written about a fault', () => {
  it('arms it once, as it is, when nothing was changed', () => {
    expect(read({})).toEqual({ ok: true, value: { fault: 'push-late', times: 1 } })
  })

  it('says the parameters that were changed', () => {
    expect(read({ parameters: { delay_ms: '0' } })).toEqual({
      ok: true,
      value: { fault: 'push-late', times: 1, parameters: { delay_ms: 0 } },
    })
  })

  it.each([
    ['always', { probability: 1 }],
    ['times', { times: 2 }],
  ] as const)('arms it %s', (often, how) => {
    expect(read({ often })).toEqual({ ok: true, value: { fault: 'push-late', ...how } })
  })

  it('arms it for one user alone, with the text that was written', () => {
    const status: Tunable = {
      name: 'status-unknown',
      fields: { status: { kind: 'text', preset: 'verified', most: 64 } },
    }
    const draft = { ...draftOf(status), user: ' alice ', parameters: { status: 'paused' } }
    expect(readDraft(draft, status)).toEqual({
      ok: true,
      value: { fault: 'status-unknown', times: 1, parameters: { status: 'paused' }, scope: { user_id: 'alice' } },
    })
  })

  it('arms it by chance, without a number of times', () => {
    expect(read({ often: 'chance', times: 'many', chance: '30' })).toEqual({
      ok: true,
      value: { fault: 'push-late', probability: 0.3 },
    })
  })

  it.each([
    [{ often: 'times', times: '0' }, 'times'],
    [{ often: 'times', times: '1001' }, 'times'],
    [{ often: 'times', times: '1.5' }, 'times'],
    [{ often: 'times', times: '' }, 'times'],
    [{ often: 'chance', chance: '100.1' }, 'chance'],
    [{ often: 'chance', chance: '-1' }, 'chance'],
    [{ often: 'chance', chance: ' ' }, 'chance'],
    [{ often: 'chance', chance: '0' }, 'chance'],
    [{ parameters: { delay_ms: '86400001' } }, 'delay_ms'],
    [{ parameters: { delay_ms: '1e3' } }, 'delay_ms'],
  ] as const)('is refused at its field: %j', (change, field) => {
    expect(read(change)).toMatchObject({ ok: false, error: { [field]: {} } })
  })

  it('is refused when an upload should go in pieces of nothing', () => {
    const slow: Tunable = { name: 'upload-slow', fields: { piece_bytes: field(256, 1, 65_536) } }
    const parameters = { ...draftOf(slow).parameters, piece_bytes: '0' }
    expect(readDraft({ ...draftOf(slow), parameters }, slow)).toMatchObject({
      ok: false,
      error: { piece_bytes: { least: 1 } },
    })
  })

  it('is refused at every field that is wrong', () => {
    const all = read({ often: 'times', times: 'x', parameters: { delay_ms: 'y' } })
    expect(all.ok ? [] : Object.keys(all.error)).toEqual(['times', 'delay_ms'])
  })
})
