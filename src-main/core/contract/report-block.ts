/**
 * The info string after `yaml ` on the fence of a report's block that `handset run` plays: this word, and the seed of
 * its workspace, as in `yaml handset-scenario seed=7`.
 */
export const REPORT_BLOCK = 'handset-scenario'

/** Used where nothing was seeded: each repetition of a report draws the same values. */
export const REPORT_SEED = 1
