import { expect, type Page } from '@playwright/test'
import { readable } from './readable.ts'

/** Opens a page that must need nothing else; gives what ends the look at it: nothing was asked for, and nothing is wrong. */
export const openAlone = async (page: Page, address: string): Promise<(screen: string) => Promise<void>> => {
  const asked = new Set<string>()
  const complaints: string[] = []
  page.on('request', (request) => asked.add(request.url()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
  await page.goto(address)
  return async (screen) => {
    await readable(page, 'en')(screen)
    expect({ asked: [...asked], complaints }).toEqual({ asked: [address], complaints: [] })
  }
}
