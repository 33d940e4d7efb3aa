// @ts-check
/** How `npm test` reports: dots and colours for a person at a terminal, plain lines for a log. What failed comes last. */

/** @typedef {{ passed: number, failed: number, skipped: number, seconds?: ReadonlyMap<string, number> }} Counts */
/**
 * A test that failed; without a title what failed outside any test. `line` has the failure, `from` the test.
 * @typedef {{ part: string, file?: string, line?: number, from?: number, title?: string, details: readonly string[] }} Failure
 * @typedef {Failure & { again?: { good: boolean, details: readonly string[] } }} Played
 */

export const isPlain = (/** @type {{ isTTY: boolean | undefined, env: NodeJS.ProcessEnv }} */ { isTTY, env }) =>
  isTTY !== true || Boolean(env['CI'])

/** The environment of a tool that must write no colours: FORCE_COLOR would outdo NO_COLOR. */
export const plainEnvironment = (/** @type {NodeJS.ProcessEnv} */ env) => {
  const { FORCE_COLOR: _, ...rest } = env
  return { ...rest, NO_COLOR: '1' }
}

/** @type {(part: { good: boolean, title: string, seconds: number, counts?: Counts | undefined }) => string} */
export const partLine = ({ good, title, seconds, counts }) => {
  const told = counts === undefined ? '' : `: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
  return `${good ? '✓' : '✗'} ${title}${told} (${seconds.toFixed(1)} s)`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are control characters.
const withoutColours = (/** @type {string} */ text) => text.replace(/\u001b\[[0-9;]*m/g, '')

/**
 * At most twelve lines of what went wrong; of a long difference its changed lines alone.
 * @type {(text: string, most?: number) => readonly string[]}
 */
export const briefly = (text, most = 12) => {
  const all = withoutColours(text).split('\n').filter((line) => line.trim() !== '').map((line) => (line.length > 200 ? `${line.slice(0, 199)}…` : line))
  const changed = all.filter((line, i) => i === 0 || /^\s*[-+]/.test(line))
  const told = all.length > most && changed.length > 2 ? changed : all
  return told.length <= most ? told : [...told.slice(0, most - 1), `… and ${told.length - most + 1} more lines`]
}

/** What failed in a report of unit-reporter.mjs. @type {(report: any) => readonly Failure[]} */
export const unitFailures = (report) => {
  const of = (/** @type {any} */ error, /** @type {string | undefined} */ file) => ({
    line: error.stacks?.find((/** @type {any} */ frame) => file !== undefined && frame.file.replaceAll('\\', '/').endsWith(file))?.line,
    details: briefly([`${error.name ?? 'Error'}: ${error.message}`, error.diff ?? ''].join('\n')),
  })
  const inFiles = (report?.files ?? []).flatMap((/** @type {any} */ { file, errors, tests }) => [
    ...errors.map((/** @type {any} */ error) => ({ part: 'unit', file, ...of(error, file) })),
    ...tests
      .filter((/** @type {any} */ { state }) => state === 'failed' || state === 'pending')
      .map((/** @type {any} */ { title, line, errors: [error = { message: 'It did not end.' }] }) => {
        const found = of(error, file)
        return { part: 'unit', file, title, from: line, ...found, line: found.line ?? line }
      }),
  ])
  return [...inFiles, ...(report?.outside ?? []).map((/** @type {any} */ error) => ({ part: 'unit', ...of(error, undefined) }))]
}

const specsOf = (/** @type {any} */ suite, /** @type {readonly string[]} */ above = []) =>
  /** @type {any[]} */ ([
    ...(suite.specs ?? []).map((/** @type {any} */ spec) => ({ ...spec, titles: [...above, spec.title] })),
    ...(suite.suites ?? []).flatMap((/** @type {any} */ inner) => specsOf(inner, inner.title === suite.file ? above : [...above, inner.title])),
  ])
const specsIn = (/** @type {any} */ report) => (report?.suites ?? []).flatMap((/** @type {any} */ suite) => specsOf(suite))

/** What failed in a report of Playwright. @type {(report: any) => readonly Failure[]} */
export const e2eFailures = (report) => [
  ...(report?.errors ?? []).map((/** @type {any} */ error) => ({ part: 'e2e', details: briefly(error.message ?? '') })),
  ...specsIn(report).flatMap((/** @type {any} */ { file, line, titles, tests }) => {
    const failed = tests.filter(({ status = '' }) => status === 'unexpected' || status === 'flaky')
    const [error] = failed.flatMap((/** @type {any} */ test) => test.results.flatMap((/** @type {any} */ result) => result.errors))
    if (failed.length === 0) return []
    return [{ part: 'e2e', file: `test/e2e/${file}`, from: line, line: error?.location?.line ?? line, title: titles.join(' › '), details: briefly(error?.message ?? '') }]
  }),
]

/** The argument as a shell takes it. */
const quoted = (/** @type {string} */ text) => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
const pattern = (/** @type {string} */ text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '.')

/** The arguments after `npm test --` with which a failure is played alone. @type {(failure: Failure) => readonly string[]} */
export const aloneArguments = ({ part, file, from, title }) => {
  if (file === undefined) return [part]
  const name = title === undefined ? [] : file.endsWith('.spec.ts') ? ['-g', pattern(title.replaceAll(' › ', ' '))] : ['-t', `^${pattern(title)}$`]
  return [part, from === undefined ? file : `${file}:${from}`, ...name]
}

/**
 * The end of a red run. A test that passed when it was played alone is flaky, and as red.
 * @type {(failures: readonly Played[]) => readonly string[]}
 */
export const failureLines = (failures) => {
  const of = (/** @type {Played} */ failure) => {
    const { part, file, line, title, details, again } = failure
    const place = file === undefined ? `outside any test of ${part}` : `${file}${line === undefined ? '' : `:${line}`}`
    const same = again?.details.join('\n') === details.join('\n')
    const repeated = again === undefined ? [] : ['  Played again alone:', ...(same ? ['    the same'] : again.details.map((text) => `    ${text}`))]
    return [
      `${again?.good ? '~ flaky:' : '✗'} ${place}${title === undefined ? '' : `  ${title}`}`,
      ...details.map((text) => `    ${text}`),
      ...repeated,
      `  npm test -- ${aloneArguments(failure).map(quoted).join(' ')}`,
      '',
    ]
  }
  const flaky = failures.filter(({ again }) => again?.good).length
  return failures.length === 0 ? [] : [`${failures.length} failed${flaky > 0 ? `, ${flaky} of them flaky` : ''}:`, '', ...failures.flatMap(of)]
}

/** How long each file of a report of unit-reporter.mjs took. @type {(report: any) => ReadonlyMap<string, number>} */
export const unitSeconds = (report) =>
  new Map((report?.files ?? []).map((/** @type {any} */ { file, seconds }) => [file.replace(/^test\//, ''), seconds]))

/**
 * How long the tests of each file of a report of Playwright took.
 * @type {(report: any) => ReadonlyMap<string, number>}
 */
export const e2eSeconds = (report) => {
  const seconds = new Map()
  for (const { file, tests } of specsIn(report)) {
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

/**
 * Runs that must be green: a line of the file of `npm run test:times` for each. Those of another tree do not count.
 * @typedef {{ tree: string, kind: string, good: boolean, wall: number, processor: number, passed: number, failed: number, failures: readonly string[] }} Run
 * @type {(runs: readonly Run[], tree: string, wanted: readonly string[]) => { done: readonly Run[], left: readonly string[] }}
 */
export const resume = (runs, tree, wanted) => {
  const valid = runs.filter((run) => run.tree === tree)
  // After a red run all are wanted again: it is the last ones that must be green.
  const done = valid.slice(valid.findLastIndex(({ good }) => !good) + 1)
  const left = [...wanted]
  for (const { kind } of done) if (left.includes(kind)) left.splice(left.indexOf(kind), 1)
  return { done, left }
}
