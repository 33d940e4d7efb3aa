import { expect, it } from 'vitest'
import { type BenchState, newBench } from '../../../src-renderer/bench/bench-state.ts'
import { createTimelineView } from '../../../src-renderer/timeline/timeline-view.ts'

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
  const search = { text: 'is:failed', from: 900, among: 0, more: true, busy: true }
  view.become({ search })
  view.filterBy(search.text)
  expect(view.scene().instead).toBe('searching')
  view.become({ search: { ...search, more: false, busy: false } })
  expect(view.scene().instead).toBe('noMatch')
})

it('before anything is read, nothing is said to be missing', () => {
  const view = viewOf({ connection: 'connecting' })
  expect(view.scene().instead).toBeUndefined()
  view.filterBy('alice')
  expect(view.scene().instead).toBe('searching')
})
