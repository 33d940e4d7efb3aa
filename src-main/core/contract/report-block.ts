/**
 * Marks a fenced block of a report that `handset run` can play. The fence also names the seed of the block's workspace:
 * `yaml handset-scenario seed=7`.
 */
export const REPORT_BLOCK = 'handset-scenario'

/** Seed of reports from an unseeded bench, so that each repetition draws the same values. */
export const REPORT_SEED = 1
