import type { TestProject } from 'vitest/node'
import { type Installed, installPackage } from './install-package.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    installed: Installed
  }
}

/** Once for all tests. From here on nothing may come from a network: the tests' programs are started with no-network.mjs. */
export default ({ provide }: TestProject): (() => void) => {
  const { remove, ...installed } = installPackage()
  provide('installed', installed)
  return remove
}
