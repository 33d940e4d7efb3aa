import type { Handset } from './handset.ts'
import type { Phone } from './phone.ts'
import { removeWithTraces } from './phone-traces.ts'
import type { Workspace } from './workspace.ts'

/** `shared`: the workspace of the bench, where phones and users keep tests apart; `own`: a new one for each test. */
export type Isolation = 'shared' | 'own'

/** A workspace for one test, and its end. */
export type Scratch = {
  readonly workspace: Workspace
  /** What happened in the test, each time one HTML file: of the workspace where it is its own, else of each phone. */
  reports(title: string): Promise<readonly string[]>
  /** Removes what the test made: the whole workspace where it is its own. */
  remove(): Promise<void>
}

export const openScratch = async (handset: Handset, isolation: Isolation): Promise<Scratch> => {
  const whole = isolation === 'own' ? await handset.workspace() : handset
  const after = await whole.lastSeq()
  const phones: Phone[] = []
  const phone: Workspace['phone'] = async (options) => {
    const made = await whole.phone(options)
    phones.push(made)
    return made
  }
  const remove = async (): Promise<void> => {
    if (isolation === 'own') await whole.close()
    else for (const made of phones) await removeWithTraces({ client: whole.client, phone: made, after })
  }
  const reports = async (title: string): Promise<readonly string[]> => {
    const about = isolation === 'own' ? [{}] : phones.map(({ id }) => ({ phone_id: id }))
    const queries = about.map((one) => ({ ...one, after, title: plainName(title, TITLE_MAX) }))
    return Promise.all(queries.map(async (query) => (await whole.client.call('events.report', { query })).html))
  }
  return { workspace: { ...whole, phone }, reports, remove }
}

/** The contract's longest names: of a phone, and of a report. */
const PHONE_NAME_MAX = 64
const TITLE_MAX = 128

export const phoneNameOf = (title: string): string => plainName(title, PHONE_NAME_MAX)

/** Without control characters, which no name may have. */
const plainName = (title: string, max: number): string =>
  [...title.replace(/\p{Cc}/gu, ' ').trim()].slice(0, max).join('') || 'A test'
