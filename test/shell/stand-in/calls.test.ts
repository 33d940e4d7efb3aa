import { expect, test } from 'vitest'
import { callsInSource, isFile } from './calls-in-source.ts'
import { madeIn, readExecutedCalls } from './executed-calls.ts'
import { FAILING_CHECKS } from './failing-checks.ts'
import { STRAIGHT_CHECKS } from './straight-checks.ts'

test('the page lists every call of the shell to Electron, with a test that there is', () => {
  const rows = readExecutedCalls()
  expect(rows.map(({ call, files }) => ({ call, files }))).toEqual(madeIn(callsInSource()))
  const tests = new Set(Object.keys({ ...STRAIGHT_CHECKS, ...FAILING_CHECKS }))
  expect(rows.filter(({ test }) => !tests.has(test) && !isFile(test))).toEqual([])
})

test('a call that is new in the shell is found, and so is the handler that comes with it', () => {
  const calls = callsInSource((path, text) =>
    path === 'src-main/index.ts'
      ? `${text}\nvoid app.getFileIcon('/').then(() => app.once('quit', () => undefined))`
      : text,
  )
  const files = new Set(['src-main/index.ts'])
  expect(calls.get('App.getFileIcon')).toEqual(files)
  expect(calls.get('App.once(quit) → handler')).toEqual(files)
})
