import type { RpSuite } from '../../../src-main/core/contract/rp-suite.ts'

/** How the suite speaks to the sample RPs. */
export const sampleSuite = (url: string) => {
  const begin = { json: { user_id: '{user_id}', username: '{username}' }, address: 'url', keep: { attempt: 'attempt' } }
  return {
    url,
    calls: {
      register: { path: '/api/register', ...begin },
      sign_in: { path: '/api/sign-in', ...begin },
      state: { path: '/api/attempt?id={attempt}', read: 'state' },
      who: { path: '/api/me', read: 'user_id' },
      passkeys: { path: '/api/passkeys', read: 'passkeys[].id' },
      remove: { path: '/api/passkeys/remove', json: { ids: '{ids}' }, read: 'removed' },
    },
    patience_s: 10,
    answer_s: 10,
  } satisfies RpSuite
}
