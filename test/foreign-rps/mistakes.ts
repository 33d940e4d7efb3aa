import type { TrialName } from '../../src-main/core/contract/rp-checks.ts'

type Found = {
  /** The faults and checks that are about it. */
  readonly trials: readonly TrialName[]
  /** Where only a page shows it. */
  readonly by?: 'calls' | 'page'
}

/** By what each mistake that is put into an RP must be found. */
export const FOUND_BY: Readonly<Record<string, Found>> = {
  'signed-in-at-bind': { trials: ['nobody-unapproved'] },
  'fail-counts-as-success': { trials: ['nobody-unapproved'] },
  'result-user-unchecked': { trials: ['user-of-another', 'user-missing'] },
  'http-status-ignored': { trials: ['http-error-with-success'] },
  'envelope-code-ignored': { trials: ['error-code-with-success', 'code-missing'] },
  'unescaped-text': { trials: ['svc-user-with-markup', 'error-with-markup', 'list-with-markup'], by: 'page' },
  'secret-in-page': { trials: ['secret-kept'], by: 'page' },
  'polls-without-pause': { trials: ['pause-between-polls'] },
  'polls-past-the-end': { trials: ['polls-end', 'final-read-once'] },
  'reads-final-again': { trials: ['final-read-once'] },
  'code-without-token': { trials: ['code-with-token'], by: 'page' },
  'message-shared': { trials: ['message-for-each-request'] },
  'user-id-shared': { trials: ['user-id-for-each-account'] },
  'account-before-success': { trials: ['nobody-unapproved', 'account-after-success'] },
  'follows-redirect': { trials: ['redirect', 'redirect-for-good'] },
  'follows-redirect-by-fetch': { trials: ['redirect', 'redirect-for-good'] },
  'push-shows-code': { trials: ['push-without-code'], by: 'page' },
  'waits-for-ever': { trials: ['gateway-page-for-good'] },
  'fails-open': { trials: ['gateway-page', 'connection-cut', 'html-page', 'gateway-page-for-good'] },
  'attempt-of-anybody': { trials: ['another-browser'] },
  'stranger-registers': { trials: ['stranger-kept-out'] },
  'remembers-success': { trials: ['nobody-unapproved'] },
  'success-without-scan': { trials: ['success-unscanned'] },
  'error-ignored': { trials: ['success-with-error'] },
  'loose-status': {
    trials: ['status-in-list', 'status-true', 'success-in-capitals', 'success-with-suffix', 'status-unknown'],
  },
}
