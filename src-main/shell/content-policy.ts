type Headers = Readonly<Record<string, readonly string[]>>

/** What may stand in each directive. A strict policy denies first and then allows only what lies beside the page. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'none'"],
  'script-src': ["'none'", "'self'", "'wasm-unsafe-eval'"],
  'style-src': ["'none'", "'self'"],
  'connect-src': ["'none'", "'self'"],
  'font-src': ["'none'", "'self'"],
  'img-src': ["'none'", "'self'", 'data:', 'blob:'],
  'media-src': ["'none'", "'self'", 'blob:'],
  'manifest-src': ["'none'", "'self'"],
  'worker-src': ["'none'", "'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
}

// CSP 3 §6.1 and §6.3: these do not fall back to default-src, or everything else falls back to it.
const REQUIRED = ['default-src', 'base-uri', 'form-action', 'frame-ancestors']

/** What is missing or too wide in the policy a document came with, as a sentence; text alone needs none. */
export const contentPolicyProblem = (headers: Headers): string | undefined => {
  const values = (name: string): readonly string[] =>
    Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? value : []))
  // Of another type than HTML nothing runs, and X-Content-Type-Options keeps it from being taken for HTML.
  const isText = /^(text\/plain|application\/json)\b/i.test(values('content-type')[0] ?? '')
  if (isText && values('x-content-type-options').some((value) => /^nosniff$/i.test(value.trim()))) return undefined
  const [policy, ...others] = values('content-security-policy')
  if (policy === undefined || others.length > 0) return 'A page must come with one content security policy.'
  return policyProblem(policy)
}

const policyProblem = (policy: string): string | undefined => {
  const directives = new Map<string, readonly string[]>()
  for (const text of policy.split(';')) {
    const [name, ...sources] = text.trim().split(/\s+/)
    if (name === undefined || name === '') continue
    // CSP 3 §2.2.1: of a directive that is there twice only the first counts.
    if (!directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources)
  }
  for (const name of REQUIRED) if (!directives.has(name)) return `The content security policy has no ${name}.`
  for (const [name, sources] of directives) {
    const allowed = ALLOWED[name]
    if (allowed === undefined) return `The content security policy has ${name}, which is not expected.`
    const wide = sources.find((source) => !allowed.includes(source))
    if (wide !== undefined) return `The content security policy allows ${wide} as ${name}.`
  }
  return undefined
}
