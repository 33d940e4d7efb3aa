import { expect, it } from 'vitest'
import { readWorkspaceFile, workspaceFileName } from '../../src-renderer/ui/files.ts'

it('a workspace’s file is called after it and the day', () => {
  expect(workspaceFileName('main', Date.UTC(2026, 4, 4, 23))).toBe('main-2026-05-04.json')
  expect(workspaceFileName('a b/../c', Date.UTC(2026, 4, 4))).toBe('a-b-c-2026-05-04.json')
})

it('only an object is a workspace', () => {
  expect(readWorkspaceFile('{"version":1}')).toEqual({ version: 1 })
  for (const text of ['', '[]', 'null', '"x"', '{']) expect(readWorkspaceFile(text), text).toBeUndefined()
})
