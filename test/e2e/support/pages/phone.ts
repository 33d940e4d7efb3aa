import type { Page } from '@playwright/test'

export type PhoneView = ReturnType<typeof phoneView>

/** One virtual phone. */
export const phoneView = (page: Page, name: string) => {
  const root = page.getByRole('region', { name: `Phone of ${name}`, exact: true })
  const screen = root.getByRole('region', { name: `Screen of ${name}`, exact: true })
  const camera = root.getByRole('button', { name: `Scan with ${name}’s phone` })
  const sensor = screen.getByRole('button', { name: 'Touch to confirm' })
  /** Holds the camera over the RP's code; gives what was sent to the bench for it. */
  const scan = async (): Promise<{ readonly image: { readonly data: string } }> => {
    const sent = page.waitForRequest(/\/phones\/[^/]+\/scan$/)
    const [request] = await Promise.all([sent, camera.click()])
    return request.postDataJSON()
  }
  const touch = () => sensor.click()
  return {
    root,
    screen,
    camera,
    sensor,
    heading: screen.getByRole('heading', { level: 3 }),
    says: screen.getByRole('status'),
    /** The addresses that a request names, where another page shows its code. */
    names: screen.locator('[data-part="request-site"]'),
    push: screen.getByRole('button', { name: /^Open the request of / }),
    reject: screen.getByRole('button', { name: 'Reject' }),
    done: screen.getByRole('button', { name: 'Done' }),
    storage: (kind: 'Cloud HSM' | 'Secure chip') => screen.getByRole('radio', { name: kind }),
    scan,
    touch,
    /** Scans and confirms. */
    answer: async (): Promise<void> => {
      await scan()
      await touch()
    },
  }
}
