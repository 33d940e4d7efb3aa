import { expect, test } from 'vitest'
import { createRowMemory } from '../../src-main/service/store/postgres/row-memory.ts'

/** A row that can be changed, and how often it was read. */
const remembered = () => {
  const memory = createRowMemory()
  const stored: { row: string | undefined; reads: number } = { row: 'old', reads: 0 }
  const read = memory.remember(async () => {
    stored.reads += 1
    return stored.row
  })
  return { memory, stored, read: () => read('#1', 'id') }
}

test('nothing is remembered before the version of its workspace was read', async () => {
  const { stored, read } = remembered()
  await read()
  await read()
  expect(stored.reads).toBe(2)
})

test('a row is read once for each version of its workspace', async () => {
  const { memory, stored, read } = remembered()
  memory.check('#1', 1)
  await read()
  memory.check('#1', 1)
  expect(await read()).toBe('old')
  expect(stored.reads).toBe(1)
  stored.row = 'new'
  memory.check('#1', 2)
  expect([await read(), await read(), stored.reads]).toEqual(['new', 'new', 2])
})

test('a row that is not there is looked for again', async () => {
  const { memory, stored, read } = remembered()
  memory.check('#1', 1)
  stored.row = undefined
  expect(await read()).toBeUndefined()
  stored.row = 'made'
  expect(await read()).toBe('made')
})

test.each([
  ['the version changes', (memory: ReturnType<typeof createRowMemory>) => memory.check('#1', 2)],
  ['this process changes it', (memory: ReturnType<typeof createRowMemory>) => memory.forget('#1')],
])('what was on its way when %s is not remembered', async (_, change) => {
  const { memory, stored, read } = remembered()
  memory.check('#1', 1)
  const reading = read()
  stored.row = 'new'
  change(memory)
  expect(await reading).toBe('old')
  memory.check('#1', 2)
  expect(await read()).toBe('new')
})
