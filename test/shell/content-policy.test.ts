import { describe, expect, it } from 'vitest'
import { pageHeaders } from '../../src-main/http/static-files.ts'
import { contentPolicyProblem } from '../../src-main/shell/lock-down.ts'

const goodPolicy = (): Record<string, string> => ({
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'img-src': "'self' data: blob:",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
})

const problemWith = (policy: Record<string, string>) =>
  contentPolicyProblem({
    'content-type': ['text/html; charset=utf-8'],
    'content-security-policy': [
      Object.entries(policy)
        .map((pair) => pair.join(' '))
        .join('; '),
    ],
  })

describe('the content policy', () => {
  it('that the service sends with its page is strict', () => {
    expect(
      contentPolicyProblem(Object.fromEntries(pageHeaders.map(([name, value]) => [name, [value]]))),
    ).toBeUndefined()
  })

  it('is good as it stands here', () => {
    expect(problemWith(goodPolicy())).toBeUndefined()
  })

  it.each([
    ['script-src', "'self' 'unsafe-inline'", "'unsafe-inline'"],
    ['script-src', "'self' 'unsafe-eval'", "'unsafe-eval'"],
    ['script-src', '*', '*'],
    ['style-src', "'self' 'unsafe-inline'", "'unsafe-inline'"],
    ['connect-src', "'self' https://example.org", 'https://example.org'],
    ['script-src', "'self' data:", 'data:'],
    ['default-src', "'self'", "'self'"],
    ['frame-ancestors', "'self'", "'self'"],
  ])('is refused when its %s is %s', (name, sources, wide) => {
    expect(problemWith({ ...goodPolicy(), [name]: sources })).toBe(
      `The content security policy allows ${wide} as ${name}.`,
    )
  })

  it.each(['default-src', 'base-uri', 'form-action', 'frame-ancestors'])('is refused without %s', (name) => {
    const { [name]: _, ...rest } = goodPolicy()
    expect(problemWith(rest)).toBe(`The content security policy has no ${name}.`)
  })

  it('is refused with an unexpected directive', () => {
    expect(problemWith({ ...goodPolicy(), 'frame-src': 'https://example.org' })).toBe(
      'The content security policy has frame-src, which is not expected.',
    )
  })

  it('counts a directive that is there twice once, the first time', () => {
    const twice = "script-src 'unsafe-inline'; script-src 'self'; default-src 'none'"
    expect(contentPolicyProblem({ 'content-security-policy': [twice] })).toBeTypeOf('string')
    const rest = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    expect(contentPolicyProblem({ 'content-security-policy': [`${twice}; ${rest}`] })).toBe(
      "The content security policy allows 'unsafe-inline' as script-src.",
    )
  })

  it('comes once', () => {
    const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    expect(contentPolicyProblem({ 'content-security-policy': [policy] })).toBeUndefined()
    expect(contentPolicyProblem({ 'content-security-policy': [policy, policy] })).toBeTypeOf('string')
    expect(contentPolicyProblem({})).toBeTypeOf('string')
  })

  it('is not needed by text that stays text', () => {
    const text = { 'content-type': ['text/plain; charset=utf-8'] }
    expect(contentPolicyProblem(text)).toBeTypeOf('string')
    expect(contentPolicyProblem({ ...text, 'X-Content-Type-Options': ['nosniff'] })).toBeUndefined()
    expect(contentPolicyProblem({ 'content-type': ['text/html'], 'X-Content-Type-Options': ['nosniff'] })).toBeTypeOf(
      'string',
    )
  })
})
