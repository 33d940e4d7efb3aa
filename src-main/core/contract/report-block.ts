/**
 * What follows `yaml ` behind the fence of the block in a report from which `handset run` plays: this word, and the
 * seed of its workspace, as in `yaml handset-scenario seed=7`.
 */
export const REPORT_BLOCK = 'handset-scenario'

/** Under this one where nothing was seeded: whoever repeats a report draws the same values. */
export const REPORT_SEED = 1
