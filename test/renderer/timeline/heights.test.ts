import { expect, it } from 'vitest'
import { createHeights } from '../../../src-renderer/timeline/heights.ts'

/** The same, worked out the long way. */
const plainly = (heights: readonly number[]) => ({
  top: (index: number) => heights.slice(0, index).reduce((sum, height) => sum + height, 0),
  at: (y: number) =>
    y < 0
      ? -1
      : heights.findIndex((_, index) => heights.slice(0, index + 1).reduce((sum, height) => sum + height, 0) > y),
})

it('finds every height and every top as plain adding up does, while they change', () => {
  const tree = createHeights()
  const heights: number[] = []
  for (let n = 0; n < 200; n++) {
    const index = n % 3 === 0 ? (n * 7) % (heights.length + 1) : heights.length
    const height = n % 5 === 0 ? 0 : (n * 13) % 90
    heights[index] = height
    tree.set(index, height)
  }
  const plain = plainly(heights)
  const total = plain.top(heights.length)
  expect(tree.total()).toBe(total)
  expect(heights.map((_, index) => tree.top(index))).toEqual(heights.map((_, index) => plain.top(index)))
  const ys = Array.from({ length: total + 2 }, (_, y) => y - 1)
  expect(ys.map(tree.at)).toEqual(ys.map(plain.at))
})

it('has nothing at any height before there is anything', () => {
  expect([createHeights().at(0), createHeights().total(), createHeights().top(3)]).toEqual([-1, 0, 0])
})
