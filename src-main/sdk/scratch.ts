import type { Handset } from './handset.ts'
import type { Phone } from './phone.ts'
import { removeWithTraces } from './phone-traces.ts'
import type { Workspace } from './workspace.ts'

/** `shared`: the workspace of the bench, where phones and users keep tests apart; `own`: a new one for each test. */
export type Isolation = 'shared' | 'own'

/** A workspace for one test, and its end. */
export type Scratch = {
  readonly workspace: Workspace
  /** The number of the last event before the test. */
  readonly after: number
  /** The phones that the test made. */
  readonly phones: readonly Phone[]
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
  return { workspace: { ...whole, phone }, after, phones, remove }
}

/** After its test: a name has 64 characters at most, and no control characters. */
export const phoneNameOf = (title: string): string =>
  [...title.replace(/\p{Cc}/gu, ' ')].slice(0, 64).join('').trim() || 'Phone'
