import { expect, it } from 'vitest'
import { foldTimeline } from '../../../src-main/timeline/fold-timeline.ts'
import { chipCounts } from '../../../src-main/timeline/search-terms.ts'
import { newTimeline } from '../../../src-main/timeline/timeline.ts'
import { type BenchState, newBench } from '../../../src-renderer/bench/bench-state.ts'
import { createTimelineView } from '../../../src-renderer/timeline/timeline-view.ts'
import { call, record } from '../fixture.ts'

const none = chipCounts(() => 0)

const viewOf = (first: Partial<BenchState>) => {
  let state: BenchState = { ...newBench(), connection: 'live', ...first }
  let listener = (): void => undefined
  const nothing = (): void => undefined
  const view = createTimelineView({
    getState: () => state,
    subscribe: (wanted) => {
      listener = wanted
      return nothing
    },
    older: nothing,
    search: nothing,
    keep: nothing,
  })
  view.subscribe(nothing)
  return {
    ...view,
    become: (change: Partial<BenchState>) => {
      state = { ...state, ...change }
      listener()
    },
  }
}

it('a search says that it goes on from its first moment, and that nothing matches only at its end', () => {
  const view = viewOf({})
  expect(view.scene().instead).toBe('empty')
  const search = { text: 'is:failed', from: 900, among: 0, chips: none, more: true, busy: true }
  view.become({ search })
  view.filterBy(search.text)
  expect(view.scene().instead).toBe('searching')
  view.become({ search: { ...search, more: false, busy: false } })
  expect(view.scene().instead).toBe('noMatch')
})

it('a value that no search takes is told at once, and only where nothing stands', () => {
  const view = viewOf({})
  view.become({ search: { text: 'state:xyz', from: 900, among: 0, chips: none, more: true, busy: true } })
  view.filterBy('state:xyz')
  expect(view.scene()).toMatchObject({ instead: 'noMatch', unknown: { key: 'state', term: 'state:xyz' } })
  view.filterBy('state:fail')
  expect(view.scene().instead).toBe('searching')
  expect(view.scene().unknown).toBeUndefined()
})

it('before anything is read, nothing is said to be missing', () => {
  const view = viewOf({ connection: 'connecting' })
  expect(view.scene().instead).toBeUndefined()
  view.filterBy('alice')
  expect(view.scene().instead).toBe('searching')
})

it('the chips say that they count only what the page holds, until the service has counted the rest', () => {
  const view = viewOf({ timeline: newTimeline(900) })
  expect(view.scene()).toMatchObject({ whole: false, chips: { 'is:failed': 0 } })
  const counted = { before: 900, chips: { ...none, 'is:failed': 3 } }
  view.become({ counted })
  expect(view.scene()).toMatchObject({ whole: true, chips: { 'is:failed': 3 } })
  // What left the page since is in neither count.
  view.become({ timeline: newTimeline(950) })
  expect(view.scene()).toMatchObject({ whole: false, chips: { 'is:failed': 0 } })
})

it('a row that the search leaves out ends the search where a person goes to it, and not where an address names both', () => {
  const events = record([[0, call({ id: 'req_1', line: 'GET /fido/rp/credentials?user_id=u-1' })]])
  const view = viewOf({ timeline: events.reduce(foldTimeline, newTimeline()) })
  view.filterBy('status:599')
  view.choose(1, true)
  expect(view.scene()).toMatchObject({ filter: 'status:599', selected: 1 })
  view.choose(1)
  expect(view.scene()).toMatchObject({ filter: '', selected: 1 })
})
