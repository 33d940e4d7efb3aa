import type { Page } from '@playwright/test'
import { english, type Texts } from '../../../src-renderer/ui/texts-en.ts'
import { chinese } from '../../../src-renderer/ui/texts-zh.ts'
import type { Setting } from './setting.ts'

export const WORDS = { en: english, zh: chinese } as const satisfies Record<string, Texts>

export type Visit = {
  readonly page: Page
  readonly bench: Setting
  readonly words: Texts
  /** Called on every screen, when it stands. */
  readonly look: (screen: string) => Promise<void>
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
export const row = ({ page, words }: Visit, route: string) =>
  page.getByRole('button', { name: (words.timeline.words as Readonly<Record<string, string>>)[route] ?? route }).last()

export const ask = { user_id: 'alice', username: 'alice', interval_ms: 200 }
