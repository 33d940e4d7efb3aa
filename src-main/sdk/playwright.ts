import { test as base } from '@playwright/test'
import { attachReports } from './attach-reports.ts'
import type { Handset, StartOptions } from './handset.ts'
import type { PhoneOptions } from './make-phone.ts'
import type { Phone } from './phone.ts'
import { type Isolation, openScratch, phoneNameOf, type Scratch } from './scratch.ts'
import { benchForTests } from './test-bench.ts'
import type { Workspace } from './workspace.ts'
import type { WorkspaceService } from './workspace-service.ts'

export { expect } from '@playwright/test'

type WorkerFixtures = {
  /** How a bench is started; without meaning where HANDSET_CONTROL_URL names one. */
  readonly handsetOptions: StartOptions
  /** The bench. */
  readonly handset: Handset
}

type TestFixtures = {
  /** `shared` by default. */
  readonly handsetIsolation: Isolation
  readonly phoneOptions: PhoneOptions
  readonly handsetScratch: Scratch
  /** The workspace of this test; phones that the test makes there go with it. */
  readonly workspace: Workspace
  /** A phone of this test alone. */
  readonly phone: Phone
  /** The service as something that lies and fails: what the test arms there is disarmed when it ends. */
  readonly service: WorkspaceService
}

/** Playwright's test, with phones. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  handsetOptions: [{}, { option: true, scope: 'worker' }],
  handset: [
    async ({ handsetOptions }, use) => {
      const handset = await benchForTests(process.env, handsetOptions)
      await use(handset)
      await handset.close()
    },
    { scope: 'worker' },
  ],
  handsetIsolation: ['shared', { option: true }],
  phoneOptions: [{}, { option: true }],
  handsetScratch: [
    async ({ handset, handsetIsolation }, use, testInfo) => {
      const title = testInfo.titlePath.join(' › ')
      const scratch = await openScratch(handset, { isolation: handsetIsolation, title })
      await use(scratch)
      if (testInfo.status !== testInfo.expectedStatus) {
        const failure = testInfo.errors.map(({ message = '' }) => message).join('\n\n')
        attachReports(testInfo, await scratch.reports({ failure }))
      }
      await scratch.remove()
    },
    { box: true },
  ],
  workspace: async ({ handsetScratch }, use) => use(handsetScratch.workspace),
  service: async ({ workspace }, use) => use(workspace.service),
  phone: async ({ workspace, phoneOptions }, use, testInfo) =>
    use(await workspace.phone({ name: phoneNameOf(testInfo.title), ...phoneOptions })),
})
