import { expect, it } from 'vitest'
import type { Rectangle, WindowState } from '../../src-main/shell/shell-state.ts'
import { placeWindow, windowOptions } from '../../src-main/shell/window-options.ts'

const main: Rectangle = { x: 0, y: 25, width: 1920, height: 1055 }
const left: Rectangle = { x: -1280, y: 0, width: 1280, height: 1024 }

const at = (bounds: Partial<Rectangle>, maximised = false): WindowState => ({
  bounds: { x: 100, y: 100, width: 1000, height: 800, ...bounds },
  maximised,
})

const small: Rectangle = { x: 0, y: 0, width: 1024, height: 700 }
const placed = (bounds: Partial<Rectangle>) => ({ ...at(bounds).bounds, maximised: false })
const unplaced = { width: 1000, height: 800, maximised: false }
const gone = 'keeps its size but not its place when'

it.each<[string, WindowState | undefined, readonly Rectangle[], object]>([
  ['opens in its first size, where the system likes', undefined, [main], { ...unplaced, width: 1440, height: 900 }],
  ['opens no larger than a small display', undefined, [small], { ...unplaced, width: 1024, height: 700 }],
  [
    'is no smaller than it can be used',
    at({ width: 100, height: 100 }),
    [main],
    { ...unplaced, width: 390, height: 600 },
  ],
  ['stands where it stood', at({}), [main, left], placed({})],
  ['stands where it stood on another display', at({ x: -1200, y: 10 }), [main, left], placed({ x: -1200, y: 10 })],
  ['is maximised again', at({}, true), [main], { ...placed({}), maximised: true }],
  [`${gone} its display is gone`, at({ x: -1200 }), [main], unplaced],
  [`${gone} its title bar is above the display`, at({ y: 0 }), [main], unplaced],
  [`${gone} its title bar is below the display`, at({ y: 1079 }), [main], unplaced],
  [`${gone} too little of it is left on the right`, at({ x: 1850 }), [main], unplaced],
  [`${gone} too little of it is left on the left`, at({ x: -950 }), [main], unplaced],
  ['shrinks to its display', at({ width: 4000, height: 3000 }), [main], placed({ width: 1920, height: 1055 })],
  ['opens even where no display is known', at({}), [], unplaced],
])('the window: %s', (_, state, displays, wanted) => expect(placeWindow(state, displays)).toEqual(wanted))

it('the window gets its place and its smallest size as options', () => {
  const placement = { width: 800, height: 700, x: 5, y: 6, maximised: true }
  const options = windowOptions({ preload: '/preload.cjs', placement, devTools: true })
  expect(options).toMatchObject({ width: 800, height: 700, x: 5, y: 6, minWidth: 390, minHeight: 600, show: false })
  expect(options).not.toHaveProperty('maximised')
})
