import { expect } from '@playwright/test'
import { registerByCamera } from '../e2e/support/register-by-camera.ts'
import { type Desktop, IS_X11, type Program } from './desk.ts'

export type Stage = { readonly desktop: Desktop; program?: Program }

export type Row = {
  /** What is done, and what must be seen in the page and on the screen. */
  readonly title: string
  /** Where alone it can be seen. */
  readonly only?: 'X11'
  /** A picture of the whole screen is kept. */
  readonly picture?: true
  play(stage: Stage): Promise<void>
}

export const missing = ({ only }: Row): string | undefined =>
  only === 'X11' && !IS_X11 ? 'needs a display of X11 and its services' : undefined

type Start = {
  readonly title: string
  begin(desktop: Desktop): Promise<Stage>
  readonly rows: readonly Row[]
}

const running = ({ program }: Stage): Program => {
  if (program === undefined) throw new Error('the program does not run')
  return program
}

const first: Start = {
  title: 'started for the first time',
  begin: async (desktop) => ({ desktop, program: await desktop.launch() }),
  rows: [
    {
      title: 'the window opens on a running service with one RP and one phone, and the screen shows it',
      picture: true,
      play: async (stage) => {
        const { desk, app } = running(stage)
        await expect(desk.statusBar).toHaveText(/^Running/)
        await expect(desk.phone('Alice').root).toBeVisible()
        expect(
          await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((each) => each.isVisible())),
        ).toEqual([true])
      },
    },
    {
      title: 'a phone registers by reading the code from the pixels of the window',
      picture: true,
      play: async (stage) => {
        await registerByCamera(running(stage).desk, { addPhone: false })
      },
    },
  ],
}

export const STARTS: readonly Start[] = [first]
