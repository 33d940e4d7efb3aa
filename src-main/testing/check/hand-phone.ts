import { renderUnicodeCompact } from 'uqr'
import type { Phone } from './check-phone.ts'

type Hand = {
  readonly baseUrl: string
  readonly say: (text: string) => void
  /** Comes back when the person has pressed Enter. */
  readonly ask: (question: string) => Promise<string>
}

/** A person with a phone, who is told what to do. Only the results show what the phone did. */
export const handPhone = ({ baseUrl, say, ask }: Hand): Phone => {
  const done = (what: string): Promise<string> => ask(`${what} Then press Enter. `)
  return {
    bind: async (msgId, kind) => {
      const url = `${baseUrl.replace(/\/$/, '')}/m#${kind}${msgId}`
      say(`${renderUnicodeCompact(url)}\n${url}`)
      await done('Scan this code with the phone, and do not approve yet.')
    },
    answer: () => done('Approve on the phone.'),
    reject: () => done('Refuse on the phone.'),
  }
}
