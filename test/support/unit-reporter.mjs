// @ts-check
import { writeFileSync } from 'node:fs'

/** What `npm test` reads of a run of Vitest: JSON in HANDSET_TEST_REPORT. Vitest's own has neither differences nor what fails outside a test. */
export default class UnitReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly import('vitest').SerializedError[]} outside
   */
  onTestRunEnd(modules, outside) {
    const simple = (/** @type {readonly import('vitest').SerializedError[]} */ errors) =>
      errors.map(({ name, message, diff, stacks, cause }) => ({ name, message: cause ? `${message} ${cause.message}` : message, diff, stacks }))
    const unplayed = [{ name: 'Error', message: 'It was not played to its end.' }]
    const files = modules.map((module) => ({
      file: module.relativeModuleId,
      seconds: module.diagnostic().duration / 1000,
      // In a hook or a describe, or while the file was loaded.
      errors: [
        ...[module, ...module.children.allSuites()].flatMap((suite) => simple(suite.errors())),
        ...(module.state() === 'queued' || module.state() === 'pending' ? unplayed : []),
      ],
      tests: [...module.children.allTests()].map((test) => {
        const { state, errors = [] } = test.result()
        return { title: test.fullName, state, line: test.location?.line, errors: simple(errors) }
      }),
    }))
    writeFileSync(process.env['HANDSET_TEST_REPORT'] ?? '', JSON.stringify({ files, outside: simple(outside) }))
  }
}
