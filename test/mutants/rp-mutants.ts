import type { Mutant } from './mutant.ts'

const RP = 'src-main/scenario/examples/your-own-rp/sample_rp.py'
const by = (name: string): string => `your-own-rp/${name}.yaml`

/** Ways in which a relying party could be wrong. */
export const rpMutants: readonly Mutant[] = [
  {
    what: 'a failed sign-in lets the user in',
    file: RP,
    find: '            attempt.update(state="failed", error=str(data.get("error", "")).partition(":")[0])',
    replace: '            attempt["state"], self.user = "signed-in", attempt["user"]',
    caughtBy: by('user-says-no'),
  },
  {
    what: 'the user is in as soon as the code is scanned',
    file: RP,
    find: '            attempt["state"] = "scanned"',
    replace: '            attempt["state"] = "scanned"\n            self.user = attempt["user"]',
    caughtBy: by('user-says-no'),
  },
  {
    what: 'a registration signs the user in',
    file: RP,
    find: '            attempt["state"] = "registered"',
    replace: '            attempt["state"] = "registered"\n            self.user = attempt["user"]',
    caughtBy: by('registers-by-its-api'),
  },
  {
    what: 'the page never learns that a code has expired',
    file: RP,
    find: '            attempt["state"] = "expired"',
    replace: '            pass',
    caughtBy: by('code-expires'),
  },
  {
    what: 'an expired code signs the user in',
    file: RP,
    find: '            attempt["state"] = "expired"',
    replace: '            attempt["state"], self.user = "expired", attempt["user"]',
    caughtBy: by('code-expires'),
  },
  {
    what: 'a result that is gone signs the user in',
    file: RP,
    find: '                attempt.update(state="failed", error="gone")',
    replace: '                attempt["state"], self.user = "signed-in", attempt["user"]',
    caughtBy: by('result-is-lost'),
  },
  {
    what: 'a result that is gone is waited for for ever',
    file: RP,
    find: '            if error.code in (40402, 41001):',
    replace: '            if error.code in (40402,):',
    caughtBy: by('result-is-lost'),
  },
  {
    what: 'the result is asked for again when it is known',
    file: RP,
    find: 'if attempt is None or attempt["state"] not in ("waiting", "scanned"):',
    replace: 'if attempt is None:',
    caughtBy: by('is-asked-twice'),
  },
  {
    what: 'all browsers share one session',
    file: RP,
    find: '        found = SESSIONS.get(cookie.value) if cookie else None',
    replace: '        found = next(iter(SESSIONS.values()), None)',
    caughtBy: by('other-browser'),
  },
  {
    what: 'signing out forgets nobody',
    file: RP,
    find: '                session.user = session.attempt = None',
    replace: '                session.attempt = None',
    caughtBy: by('signs-out'),
  },
  {
    what: 'a push is asked for as a code',
    file: RP,
    find: '            body["method"] = method',
    replace: '            body["method"] = "qrcode"',
    caughtBy: by('signs-in-by-push'),
  },
  {
    what: 'an outage is taken for an unknown user',
    file: RP,
    find: '                if error.code == 40403:',
    replace: '                if error.code >= 0:',
    caughtBy: by('outage'),
  },
  {
    what: 'an unknown user is taken for an outage',
    file: RP,
    find: '                if error.code == 40403:',
    replace: '                if error.code == 0:',
    caughtBy: by('unknown-user'),
  },
  {
    what: 'one call that fails ends the sign-in',
    file: RP,
    find: '            if error.code in (40402, 41001):',
    replace: '            if error.code >= 0:',
    caughtBy: by('outage'),
  },
  {
    what: 'an empty user name is accepted',
    file: RP,
    find: '            if not isinstance(user, str) or not user:',
    replace: '            if not isinstance(user, str):',
    caughtBy: by('wrong-calls'),
  },
  {
    what: 'the code shows another address',
    file: RP,
    find: 'png(session.attempt["url"])',
    replace: 'png(FIDO_URL)',
    caughtBy: by('code-as-a-picture'),
  },
]
