import { test } from '@playwright/test'
import { type Desktop, kill, openDesktop } from './desk.ts'
import { keepPicture, missing, STARTS, type Stage } from './rows.ts'

let desktop: Desktop
test.beforeAll(async () => {
  test.setTimeout(600_000)
  desktop = await openDesktop()
})
test.afterAll(() => desktop?.close())

for (const { title, begin, rows } of STARTS) {
  test.describe
    .serial(title, () => {
      let stage: Stage
      let failed = false
      test.beforeAll(async () => {
        test.setTimeout(240_000)
        stage = await begin(desktop)
      })
      for (const row of rows) {
        test(row.title, async () => {
          test.skip(missing(row) !== undefined, missing(row))
          await row.play(stage)
          if (row.picture === true) await keepPicture(stage, row.title)
        })
      }
      test.afterEach(() => {
        failed ||= test.info().status !== test.info().expectedStatus
      })
      test.afterAll(async () => {
        const { program } = stage ?? {}
        if (failed && program !== undefined) kill(program)
        await program?.end().catch(() => undefined)
      })
    })
}
