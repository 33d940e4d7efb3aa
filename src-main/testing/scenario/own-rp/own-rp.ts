import { type Cookies, createCookies } from './cookies.ts'
import { type Browsing, createBrowsing } from './playwright.ts'
import { createPrograms, type Programs } from './programs.ts'

/** Resources of a scenario outside the bench; they end with the scenario. */
export type OwnRp = {
  /** Programs and Playwright are looked for there. */
  readonly folder: string
  readonly cookies: Cookies
  readonly programs: Programs
  readonly browsing: Browsing
  close(): Promise<void>
}

export const createOwnRp = (folder: string): OwnRp => {
  const programs = createPrograms(folder)
  const browsing = createBrowsing(folder)
  return {
    folder,
    cookies: createCookies(),
    programs,
    browsing,
    close: async () => void (await Promise.allSettled([browsing.close(), programs.close()])),
  }
}
