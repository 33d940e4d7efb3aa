// @ts-check
/** How `npm test` reports: dots and colours for a person at a terminal, plain lines for a log. */

/** @typedef {{ passed: number, failed: number, skipped: number, seconds?: ReadonlyMap<string, number> }} Counts */

export const isPlain = (/** @type {{ isTTY: boolean | undefined, env: NodeJS.ProcessEnv }} */ { isTTY, env }) =>
  isTTY !== true || Boolean(env['CI'])

/** The environment of a tool that must write no colours: FORCE_COLOR would outdo NO_COLOR. */
export const plainEnvironment = (/** @type {NodeJS.ProcessEnv} */ env) => {
  const { FORCE_COLOR: _, ...rest } = env
  return { ...rest, NO_COLOR: '1' }
}

/** Plain: only what failed. */
export const unitReporter = (/** @type {boolean} */ plain) => (plain ? 'minimal' : 'dot')

/** Plain: nothing; what failed is told from its JSON afterwards. */
export const e2eReporters = (/** @type {boolean} */ plain) => (plain ? 'json' : 'list,json')

/** @type {(part: { good: boolean, title: string, seconds: number, counts?: Counts | undefined }) => string} */
export const partLine = ({ good, title, seconds, counts }) => {
  const told = counts === undefined ? '' : `: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
  return `${good ? '✓' : '✗'} ${title}${told} (${seconds.toFixed(1)} s)`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are control characters.
const withoutColours = (/** @type {string} */ text) => text.replace(/\u001b\[[0-9;]*m/g, '')

/**
 * What failed in a report of Playwright, in full.
 * @type {(report: any) => readonly string[]}
 */
export const e2eFailures = (report) => {
  const ofSuite = (/** @type {any} */ suite, /** @type {readonly string[]} */ above = []) => {
    const titles = [...above, suite.title]
    /** @type {string[]} */
    const own = (suite.specs ?? []).flatMap((/** @type {any} */ spec) => {
      const failed = spec.tests.filter((/** @type {any} */ test) => test.status === 'unexpected' || test.status === 'flaky')
      const errors = failed.flatMap((/** @type {any} */ test) =>
        test.results.flatMap((/** @type {any} */ result) => result.errors.map((/** @type {any} */ error) => error.message ?? '')),
      )
      return failed.length === 0
        ? []
        : [`✗ ${[...titles, spec.title].join(' › ')} (${spec.file}:${spec.line})\n${withoutColours(errors.join('\n'))}\n`]
    })
    /** @type {string[]} */
    const below = (suite.suites ?? []).flatMap((/** @type {any} */ inner) => ofSuite(inner, titles))
    return [...own, ...below]
  }
  const outside = (report?.errors ?? []).map((/** @type {any} */ error) => withoutColours(`✗ ${error.message ?? ''}\n`))
  return [...outside, ...(report?.suites ?? []).flatMap((/** @type {any} */ suite) => ofSuite(suite))]
}

/**
 * How long each file of a report of Vitest took.
 * @type {(report: any) => ReadonlyMap<string, number>}
 */
export const unitSeconds = (report) =>
  new Map(
    (report?.testResults ?? []).map((/** @type {any} */ { name, startTime, endTime }) => [
      name.replace(/^.*[\\/]test[\\/]/, ''),
      (endTime - startTime) / 1000,
    ]),
  )

/**
 * How long the tests of each file of a report of Playwright took.
 * @type {(report: any) => ReadonlyMap<string, number>}
 */
export const e2eSeconds = (report) => {
  const specsOf = (/** @type {any} */ suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]
  const seconds = new Map()
  for (const { file, tests } of (report?.suites ?? []).flatMap(specsOf)) {
    for (const { duration } of tests.flatMap((/** @type {any} */ test) => test.results)) {
      seconds.set(file, (seconds.get(file) ?? 0) + duration / 1000)
    }
  }
  return seconds
}

/** The files that took longest, in a line. */
export const slowestLine = (/** @type {ReadonlyMap<string, number>} */ seconds, most = 8) => {
  const slowest = [...seconds].sort((a, b) => b[1] - a[1]).slice(0, most)
  return `  slowest: ${slowest.map(([name, took]) => `${name} ${took.toFixed(0)} s`).join(', ')}`
}
