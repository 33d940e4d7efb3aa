import { describe, expect, it } from 'vitest'
import { placeWindow } from '../../src-main/shell/place-window.ts'
import type { Box, WindowState } from '../../src-main/shell/shell-state.ts'
import { windowOptions } from '../../src-main/shell/window-options.ts'

const main: Box = { x: 0, y: 25, width: 1920, height: 1055 }
const left: Box = { x: -1280, y: 0, width: 1280, height: 1024 }

const at = (bounds: Partial<Box>, maximised = false): WindowState => ({
  bounds: { x: 100, y: 100, width: 1000, height: 800, ...bounds },
  maximised,
})

describe('the window', () => {
  it('opens in its first size, where the system likes', () => {
    expect(placeWindow(undefined, [main])).toEqual({ width: 1440, height: 900, maximised: false })
  })

  it('opens no larger than a small display, and no smaller than it can be used', () => {
    const small = { x: 0, y: 0, width: 1024, height: 700 }
    expect(placeWindow(undefined, [small])).toEqual({ width: 1024, height: 700, maximised: false })
    expect(placeWindow(at({ width: 100, height: 100 }), [main])).toMatchObject({ width: 390, height: 600 })
  })

  it('stands where it stood, on whichever display', () => {
    expect(placeWindow(at({}), [main, left])).toEqual({ ...at({}).bounds, maximised: false })
    expect(placeWindow(at({ x: -1200, y: 10 }), [main, left])).toMatchObject({ x: -1200, y: 10 })
  })

  it('is maximised again', () => {
    expect(placeWindow(at({}, true), [main]).maximised).toBe(true)
  })

  it.each([
    ['its display is gone', { x: -1200 }],
    ['its title bar is above the display', { y: 0 }],
    ['its title bar is below the display', { y: 1079 }],
    ['too little of it is left on the right', { x: 1850 }],
    ['too little of it is left on the left', { x: -950 }],
  ])('keeps its size but not its place when %s', (_, bounds) => {
    expect(placeWindow(at(bounds), [main])).toEqual({ width: 1000, height: 800, maximised: false })
  })

  it('shrinks to the display it stands on', () => {
    expect(placeWindow(at({ width: 4000, height: 3000 }), [main])).toMatchObject({ x: 100, width: 1920, height: 1055 })
  })

  it('opens even where no display is known', () => {
    expect(placeWindow(at({}), [])).toEqual({ width: 1000, height: 800, maximised: false })
  })

  it('gets its place and its smallest size as options', () => {
    const placement = { width: 800, height: 700, x: 5, y: 6, maximised: true }
    const options = windowOptions({ preload: '/preload.cjs', placement, devTools: true })
    expect(options).toMatchObject({ width: 800, height: 700, x: 5, y: 6, minWidth: 390, minHeight: 600, show: false })
    expect(options).not.toHaveProperty('maximised')
  })
})
