import { describe, expect, it } from 'vitest'
import { describeFault, FAULTS } from '../../src-main/authenticator/faults.ts'
import { type ArmDraft, draftOf, readDraft } from '../../src-renderer/console/arming.ts'

const late = describeFault(FAULTS['push-late'])

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

  it('arms it by chance, without a number of times', () => {
    expect(read({ often: 'chance', times: 'many', chance: '30' })).toEqual({
      ok: true,
      value: { fault: 'push-late', probability: 0.3 },
    })
  })

  it.each([
    [{ times: '0' }, 'times'],
    [{ times: '1001' }, 'times'],
    [{ times: '1.5' }, 'times'],
    [{ times: '' }, 'times'],
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
    const slow = describeFault(FAULTS['upload-slow'])
    const parameters = { ...draftOf(slow).parameters, piece_bytes: '0' }
    expect(readDraft({ ...draftOf(slow), parameters }, slow)).toMatchObject({
      ok: false,
      error: { piece_bytes: { least: 1 } },
    })
  })

  it('is refused at every field that is wrong', () => {
    const all = read({ times: 'x', parameters: { delay_ms: 'y' } })
    expect(all.ok ? [] : Object.keys(all.error)).toEqual(['times', 'delay_ms'])
  })
})
