import { describe, expect, it } from 'vitest'
import { errors } from '../../src-main/contract/errors.ts'
import { english } from '../../src-renderer/ui/texts.ts'
import { chinese } from '../../src-renderer/ui/texts-zh.ts'

describe('a refusal in the inspector', () => {
  it('has advice for every code of the error table, in both languages', () => {
    const names = Object.keys(errors)
    for (const texts of [english, chinese]) {
      expect(Object.keys(texts.inspector.refused.todo).sort()).toEqual(names.toSorted())
      expect(Object.values(texts.inspector.refused.todo).filter((advice) => advice.trim() === '')).toEqual([])
    }
  })
})
