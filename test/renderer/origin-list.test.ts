import { describe, expect, it } from 'vitest'
import { originProblem, originsIn } from '../../src-renderer/console/origin-list.ts'
import { texts } from '../../src-renderer/ui/texts.ts'

describe('the field of embedding origins', () => {
  it('takes origins parted by spaces, commas or both', () => {
    expect(originsIn(' https://a.example,https://b.example , http://localhost:1  ')).toEqual([
      'https://a.example',
      'https://b.example',
      'http://localhost:1',
    ])
  })

  it.each(['', 'https://a.example', 'https://a.example http://localhost:7420'])('sends "%s" without a word', (text) => {
    expect(originProblem(text)).toBeUndefined()
  })

  it.each([
    ['https://a.example/', 'https://a.example/'],
    ['https://a.example shop.example', 'shop.example'],
    ['https://a.example:443,https://b.example/path', 'https://a.example:443'],
  ])('names in "%s" what is no origin', (text, bad) => {
    expect(originProblem(text)).toBe(texts.wrong.origin(bad))
    expect(texts.wrong.origin(bad)).toContain(bad)
  })
})
