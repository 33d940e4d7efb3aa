import { keptClock } from './clock.ts'
import { anything, constant, dictionary, object, optional, typed } from './schema.ts'

/** Largest import, and largest backup. */
export const LARGEST_IMPORT = 64 * 1024 * 1024

/** `clock` is absent in documents of versions that did not store it. */
export const workspaceDocument = object({
  format: constant('handset-bench'),
  version: constant(1),
  service: optional(anything()),
  phones: optional(anything()),
  clock: optional(keptClock),
})

/** Far more than any run draws, and far below the numbers at which doubles skip integers. */
const LAST_POSITION = 2 ** 48

/** `version` is that of the tables and grows with the store's migrations. */
export const serviceDocument = object({
  format: constant('handset-workspace'),
  version: constant(1),
  tables: dictionary(),
  random: typed<Readonly<Record<string, number>>>({
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 0, maximum: LAST_POSITION },
  }),
})
