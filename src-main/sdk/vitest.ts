import { test as base } from 'vitest'
import type { Handset, StartOptions } from './handset.ts'
import type { PhoneOptions } from './make-phone.ts'
import type { Phone } from './phone.ts'
import { type Isolation, openScratch, phoneNameOf, type Scratch } from './scratch.ts'
import { benchForTests } from './test-bench.ts'
import type { Workspace } from './workspace.ts'

type Fixtures = {
  /** How a bench is started; without meaning where HANDSET_CONTROL_URL names one. */
  readonly handsetOptions: StartOptions
  /** The bench: one for each worker. */
  readonly handset: Handset
  /** `shared` by default. */
  readonly handsetIsolation: Isolation
  readonly phoneOptions: PhoneOptions
  readonly handsetScratch: Scratch
  /** The workspace of this test; phones that the test makes there go with it. */
  readonly workspace: Workspace
  /** A phone of this test alone. */
  readonly phone: Phone
}

/** Vitest's test, with phones. */
export const test = base.extend<Fixtures>({
  handsetOptions: [{}, { scope: 'worker', injected: true }],
  handset: [
    async ({ handsetOptions }, use) => {
      const handset = await benchForTests(process.env, handsetOptions)
      await use(handset)
      await handset.close()
    },
    { scope: 'worker' },
  ],
  handsetIsolation: 'shared',
  phoneOptions: {},
  handsetScratch: async ({ handset, handsetIsolation }, use) => {
    const scratch = await openScratch(handset, handsetIsolation)
    await use(scratch)
    await scratch.remove()
  },
  workspace: async ({ handsetScratch }, use) => use(handsetScratch.workspace),
  phone: async ({ workspace, phoneOptions, task }, use) =>
    use(await workspace.phone({ name: phoneNameOf(task.name), ...phoneOptions })),
})
