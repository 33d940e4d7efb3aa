import type { OptionTable } from '../options.ts'
import { faultsOptions, inspectOptions, showOptions, signOptions } from './looking-options.ts'
import {
  adminOptions,
  backupOptions,
  mcpOptions,
  openOptions,
  recordOptions,
  restoreOptions,
  tokenOptions,
  whyOptions,
} from './running-bench-options.ts'
import { proxyOptions, serveOptions, startOptions } from './serving-options.ts'
import { checkOptions, loadOptions, parityOptions, runOptions, suiteOptions } from './testing-options.ts'

/** Every option there is: a variable of the environment belongs to one of them, whichever command is run. */
export const allOptions: readonly OptionTable[] = [
  serveOptions,
  startOptions,
  openOptions,
  tokenOptions,
  recordOptions,
  backupOptions,
  restoreOptions,
  adminOptions,
  runOptions,
  loadOptions,
  suiteOptions,
  checkOptions,
  parityOptions,
  proxyOptions,
  showOptions,
  whyOptions,
  inspectOptions,
  mcpOptions,
  signOptions,
  faultsOptions,
]
