import type { Mutant } from './mutant.ts'

const RP = 'src-main/testing/scenario/examples/your-own-rp/sample_rp.py'
const by = (name: string): string => `your-own-rp/${name}.yaml`

/** Ways in which a relying party could be wrong: the sample RP, unless a file is named. */
const rows: readonly (Omit<Mutant, 'file'> & Partial<Pick<Mutant, 'file'>>)[] = [
  {
    what: 'a failed sign-in lets the user in',
    find: '            attempt.update(state="failed", error=str(data.get("error", "")).partition(":")[0])',
    replace: '            attempt["state"], self.user = "signed-in", attempt["user"]',
    caughtBy: by('user-says-no'),
  },
  {
    what: 'the user is in as soon as the code is scanned',
    find: '            attempt["state"] = "scanned"',
    replace: '            attempt["state"] = "scanned"\n            self.user = attempt["user"]',
    caughtBy: by('user-says-no'),
  },
  {
    what: 'a registration signs the user in',
    find: '            attempt["state"] = "registered"',
    replace: '            attempt["state"] = "registered"\n            self.user = attempt["user"]',
    caughtBy: by('registers-by-its-api'),
  },
  {
    what: 'the page never learns that a code has expired',
    find: '            attempt["state"] = "expired"',
    replace: '            pass',
    caughtBy: by('code-expires'),
  },
  {
    what: 'an expired code signs the user in',
    find: '            attempt["state"] = "expired"',
    replace: '            attempt["state"], self.user = "expired", attempt["user"]',
    caughtBy: by('code-expires'),
  },
  {
    what: 'a result that is gone signs the user in',
    find: '                attempt.update(state="failed", error="gone")',
    replace: '                attempt["state"], self.user = "signed-in", attempt["user"]',
    caughtBy: by('result-is-lost'),
  },
  {
    what: 'a result that is gone is waited for for ever',
    find: '            if error.code in (40402, 41001):',
    replace: '            if error.code in (40402,):',
    caughtBy: by('result-is-lost'),
  },
  {
    what: 'the result is asked for again when it is known',
    find: 'if attempt is None or attempt["state"] not in ("waiting", "scanned"):',
    replace: 'if attempt is None:',
    caughtBy: by('is-asked-twice'),
  },
  {
    what: 'all browsers share one session',
    find: '        found = SESSIONS.get(cookie.value) if cookie else None',
    replace: '        found = next(iter(SESSIONS.values()), None)',
    caughtBy: by('other-browser'),
  },
  {
    what: 'signing out forgets no user',
    find: '                session.user = session.attempt = None',
    replace: '                session.attempt = None',
    caughtBy: by('signs-out'),
  },
  {
    what: 'a push is asked for as a code',
    find: '            body["method"] = method',
    replace: '            body["method"] = "qrcode"',
    caughtBy: by('signs-in-by-push'),
  },
  {
    what: 'an outage is taken for an unknown user',
    find: '                if error.code == 40403:',
    replace: '                if error.code >= 0:',
    caughtBy: by('outage'),
  },
  {
    what: 'an unknown user is taken for an outage',
    find: '                if error.code == 40403:',
    replace: '                if error.code == 0:',
    caughtBy: by('unknown-user'),
  },
  {
    what: 'one call that fails ends the sign-in',
    find: '            if error.code in (40402, 41001):',
    replace: '            if error.code >= 0:',
    caughtBy: by('outage'),
  },
  {
    what: 'an empty user name is accepted',
    find: '            if not isinstance(user, str) or not user:',
    replace: '            if not isinstance(user, str):',
    caughtBy: by('wrong-calls'),
  },
  {
    what: 'the code shows another address',
    find: 'png(session.attempt["url"])',
    replace: 'png(FIDO_URL)',
    caughtBy: by('code-as-a-picture'),
  },
  {
    what: 'whoever the service names is signed in',
    find: 'elif status == "success" and data.get("user_id") == attempt["user"]:',
    replace: 'elif status == "success":',
    caughtBy: by('service-names-another-user'),
  },
  {
    what: 'an answer that is no JSON is not expected',
    find: 'except (OSError, http.client.HTTPException, ValueError) as error:',
    replace: 'except (OSError, http.client.HTTPException) as error:',
    caughtBy: by('service-answers-nonsense'),
  },
  {
    what: 'a body that is no JSON is an error of the server',
    find: 'self.answer(400, {"error": "not_json"})',
    replace: 'self.answer(500, {"error": "not_json"})',
    caughtBy: by('wrong-calls'),
  },
  {
    what: 'a list is taken for a user',
    find: 'body.get("user") if isinstance(body, dict) else None',
    replace: 'body.get("user")',
    caughtBy: by('wrong-calls'),
  },
  {
    what: 'the page does not show the code',
    file: RP.replace('sample_rp.py', 'page.html'),
    find: "part('code').hidden = state !== 'waiting'",
    replace: "part('code').hidden = true",
    caughtBy: by('page-signs-in'),
  },
]

export const rpMutants: readonly Mutant[] = rows.map((row) => ({ file: RP, ...row }))
