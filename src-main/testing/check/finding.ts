import type { CheckVerdict } from '../../core/contract/check-report.ts'

export type Finding = {
  readonly verdict: CheckVerdict
  /** The unexpected answer, in one line. */
  readonly text?: string
  /** A part that the service lacks; the report combines all cases of this part into one. */
  readonly absent?: 'vault'
}

export const passed: Finding = { verdict: 'passed' }
export const failed = (text: string): Finding => ({ verdict: 'failed', text })
export const vacuous = (text: string): Finding => ({ verdict: 'vacuous', text })
export const skipped = (text: string): Finding => ({ verdict: 'skipped', text })
export const warning = (text: string): Finding => ({ verdict: 'warning', text })

export const passIf = (holds: boolean, otherwise: string): Finding => (holds ? passed : failed(otherwise))

/** A case's name as an ID, for files and the command line. */
export const caseId = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[’']/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
