import { pathToFileURL } from 'node:url'
import { mergeConfig } from 'vitest/config'
import all from '../../../vitest.config.ts'
import { moduleInCodes } from './in-codes.mjs'

/** All unit and interface tests with codes in the place of sentences: `npm run test:codes`. */
export default mergeConfig(all, {
  plugins: [
    {
      name: 'codes-for-sentences',
      enforce: 'pre',
      transform: (source: string, id: string) => moduleInCodes(id.split('?')[0] ?? id, source),
    },
  ],
  test: {
    // What is about the sentences themselves.
    exclude: [
      ...['test/docs/**', 'test/core/messages/messages.test.ts', 'test/cli/wrong-files.test.ts'],
      'test/testing/scenario/wrong-scenarios.test.ts',
    ],
    env: { NODE_OPTIONS: `--import=${pathToFileURL(`${import.meta.dirname}/register.mjs`).href}` },
  },
})
