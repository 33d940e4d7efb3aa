import type { TestProject } from 'vitest/node'
import { startPostgres } from './start-postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server's URL, or why there is none. */
    postgres: { readonly url: string } | { readonly missing: string }
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await startPostgres()
  if (typeof server === 'string') {
    console.warn(`PostgreSQL: ${server} Its tests are skipped.`)
    project.provide('postgres', { missing: server })
    return async () => undefined
  }
  project.provide('postgres', { url: server.url })
  return server.stop
}
