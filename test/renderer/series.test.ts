import { describe, expect, it } from 'vitest'
import { Series } from '../../src-main/timeline/series.ts'

const counting = (count: number): Series<number> => {
  let series = Series.of<number>()
  for (let i = 0; i < count; i++) series = series.append(i)
  return series
}

describe('a long list', () => {
  it.each([0, 1, 127, 128, 129, 1000])('of %i holds what was added, in order', (count) => {
    const series = counting(count)
    expect([...series]).toEqual(Array.from({ length: count }, (_, i) => i))
    expect(series).toHaveLength(count)
    expect([series.at(-1), series.at(count)]).toEqual([count === 0 ? undefined : count - 1, undefined])
  })

  it('stays as it is when another one goes on from it', () => {
    const before = counting(300)
    const after = before.append(300).put(7, -7).put(299, -299)
    expect([before.at(7), before.at(299), before.length]).toEqual([7, 299, 300])
    expect([after.at(7), after.at(299), after.length]).toEqual([-7, -299, 301])
  })

  it('leaves places behind where things left at the front', () => {
    let series = counting(300)
    for (let i = 0; i < 130; i++) series = series.shift()
    expect([series.first, series.end, series.length]).toEqual([130, 300, 170])
    expect([series.get(129), series.get(130), series.at(0), series.at(-1)]).toEqual([undefined, 130, 130, 299])
    expect([...series.put(130, -1).append(300)].slice(0, 2)).toEqual([-1, 131])
  })

  it('can lose everything and go on', () => {
    let series = counting(128)
    for (let i = 0; i < 128; i++) series = series.shift()
    expect([...series]).toEqual([])
    expect([...series.shift().append(128)]).toEqual([128])
  })

  it('tells what differs from an earlier one, across what has left', () => {
    const before = counting(400)
    let after = before.put(130, -130).append(400).append(401)
    expect([...after.changedSince(before)]).toEqual([130, 400, 401])
    for (let i = 0; i < 200; i++) after = after.shift()
    expect([...after.changedSince(before)]).toEqual([400, 401])
  })
})
