/**
 * The info string after `yaml ` on the fence of a report's block that `handset run` plays: this word, and the seed of
 * its workspace, as in `yaml handset-scenario seed=7`.
 */
export const REPORT_BLOCK = 'handset-scenario'

/** Seed of reports from an unseeded bench, so that each repetition draws the same values. */
export const REPORT_SEED = 1
