/** Runs every check of the built program, and writes which of the shell's calls to Electron each is the first to execute. */
import { callsInSource, isFile } from './calls-in-source.ts'
import { madeIn, readExecutedCalls, writeExecutedCalls } from './executed-calls.ts'
import { FAILING_CHECKS } from './failing-checks.ts'
import { closeSharedChromium } from './shared-chromium.ts'
import { STRAIGHT_CHECKS } from './straight-checks.ts'

const byUnitTests = readExecutedCalls().filter(({ test }) => isFile(test))
const executed = new Map(byUnitTests.map(({ call, test }) => [call, test]))
for (const [title, check] of Object.entries({ ...STRAIGHT_CHECKS, ...FAILING_CHECKS })) {
  for (const call of await check(undefined)) if (!executed.has(call)) executed.set(call, title)
}
await closeSharedChromium()
const rows = madeIn(callsInSource()).map((made) => ({ ...made, test: executed.get(made.call) ?? '' }))
const untested = rows.filter(({ test }) => test === '')
for (const { call, files } of untested) console.error(`✗ no check executes ${call} of ${files.join(', ')}`)
if (untested.length > 0) process.exit(1)
writeExecutedCalls(rows)
