import { readMutants } from './mutant.ts'

/** Ways in which a relying party could be wrong: the sample RP. */
export const rpMutants = readMutants(`
src-main/testing/scenario/examples/your-own-rp/sample_rp.py
a failed sign-in lets the user in: your-own-rp/user-says-no.yaml
-            attempt.update(state="failed", error=str(data.get("error", "")).partition(":")[0])
+            attempt["state"], self.user = "signed-in", attempt["user"]
the user is in as soon as the code is scanned: your-own-rp/user-says-no.yaml
-            attempt["state"] = "scanned"
+            attempt["state"] = "scanned"
+            self.user = attempt["user"]
a registration signs the user in: your-own-rp/registers-by-its-api.yaml
-            attempt["state"] = "registered"
+            attempt["state"] = "registered"
+            self.user = attempt["user"]
the page never learns that a code has expired: your-own-rp/code-expires.yaml
-            attempt["state"] = "expired"
+            pass
an expired code signs the user in: your-own-rp/code-expires.yaml
-            attempt["state"] = "expired"
+            attempt["state"], self.user = "expired", attempt["user"]
a result that is gone signs the user in: your-own-rp/result-is-lost.yaml
-                attempt.update(state="failed", error="gone")
+                attempt["state"], self.user = "signed-in", attempt["user"]
a result that is gone is waited for for ever: your-own-rp/result-is-lost.yaml
-            if error.code in (40402, 41001):
+            if error.code in (40402,):
the result is asked for again when it is known: your-own-rp/is-asked-twice.yaml
-if attempt is None or attempt["state"] not in ("waiting", "scanned"):
+if attempt is None:
all browsers share one session: your-own-rp/other-browser.yaml
-        found = SESSIONS.get(cookie.value) if cookie else None
+        found = next(iter(SESSIONS.values()), None)
signing out forgets no user: your-own-rp/signs-out.yaml
-                session.user = session.attempt = None
+                session.attempt = None
a push is asked for as a code: your-own-rp/signs-in-by-push.yaml
-            body["method"] = method
+            body["method"] = "qrcode"
an outage is taken for an unknown user: your-own-rp/outage.yaml
-                if error.code == 40403:
+                if error.code >= 0:
an unknown user is taken for an outage: your-own-rp/unknown-user.yaml
-                if error.code == 40403:
+                if error.code == 0:
one call that fails ends the sign-in: your-own-rp/outage.yaml
-            if error.code in (40402, 41001):
+            if error.code >= 0:
an empty user name is accepted: your-own-rp/wrong-calls.yaml
-            if not isinstance(user, str) or not user:
+            if not isinstance(user, str):
the code shows another address: your-own-rp/code-as-a-picture.yaml
-png(session.attempt["url"])
+png(FIDO_URL)
whoever the service names is signed in: your-own-rp/service-names-another-user.yaml
-elif status == "success" and data.get("user_id") == attempt["user"]:
+elif status == "success":
an answer that is no JSON is not expected: your-own-rp/service-answers-nonsense.yaml
-except (OSError, http.client.HTTPException, ValueError) as error:
+except (OSError, http.client.HTTPException) as error:
a body that is no JSON is an error of the server: your-own-rp/wrong-calls.yaml
-self.answer(400, {"error": "not_json"})
+self.answer(500, {"error": "not_json"})
a list is taken for a user: your-own-rp/wrong-calls.yaml
-body.get("user") if isinstance(body, dict) else None
+body.get("user")

src-main/testing/scenario/examples/your-own-rp/page.html
the page does not show the code: your-own-rp/page-signs-in.yaml
-part('code').hidden = state !== 'waiting'
+part('code').hidden = true
`)
