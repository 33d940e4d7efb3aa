import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@playwright/test'
import { type Desktop, openDesktop } from './desk.ts'
import { missing, type Row, STARTS, type Stage } from './rows.ts'

const PICTURES = join(import.meta.dirname, '../../test-results/desktop-pictures')

let desktop: Desktop
test.beforeAll(async () => {
  test.setTimeout(600_000)
  mkdirSync(PICTURES, { recursive: true })
  desktop = await openDesktop()
})
test.afterAll(() => desktop?.close())

/** As a person at this display would see it. */
const takePicture = ({ title }: Row): void => {
  const name = title.replace(/[^a-z]+/gi, '-').slice(0, 60)
  if (desktop.x11 !== undefined) writeFileSync(join(PICTURES, `${name}.png`), desktop.x11.png())
}

for (const { title, begin, rows } of STARTS) {
  test.describe
    .serial(title, () => {
      let stage: Stage
      test.beforeAll(async () => {
        stage = await begin(desktop)
      })
      for (const row of rows) {
        test(row.title, async () => {
          test.skip(missing(row) !== undefined, missing(row))
          await row.play(stage)
          if (row.picture === true) takePicture(row)
        })
      }
      test.afterAll(async () => {
        await stage?.program?.end().catch(() => undefined)
      })
    })
}
