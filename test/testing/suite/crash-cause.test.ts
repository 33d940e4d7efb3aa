import { expect, test } from 'vitest'
import { findCrashCause } from '../../../src-main/testing/suite/crash-cause.ts'

test.each([
  [
    'Node',
    `polling
/srv/rp/poll.mjs:12
    const who = data.user_id
                     ^

TypeError: Cannot read properties of null (reading 'user_id')
    at JSON.parse (<anonymous>)
    at undici (/srv/rp/node_modules/undici/index.js:1:2)
    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)
    at async poll (file:///srv/rp/poll.mjs:12:22)

Node.js v24.1.0`,
    "TypeError: Cannot read properties of null (reading 'user_id')",
    'async poll (file:///srv/rp/poll.mjs:12:22)',
  ],
  [
    'a page of Express',
    '<!DOCTYPE html><html><body><pre>TypeError: no &quot;data&quot;<br> &nbsp; &nbsp;at read (/srv/app.js:3:4)<br></pre>',
    'TypeError: no "data"',
    'read (/srv/app.js:3:4)',
  ],
  [
    'Python',
    `Traceback (most recent call last):
  File "/usr/lib/python3.11/threading.py", line 9, in run
    self._target()
  File "/srv/rp/fido.py", line 40, in poll
    who = data["user_id"]
          ~~~~^^^^^^^^^^^
  File "/usr/lib/python3/dist-packages/x.py", line 2, in get
TypeError: 'NoneType' object is not subscriptable`,
    "TypeError: 'NoneType' object is not subscriptable",
    '/srv/rp/fido.py", line 40, in poll',
  ],
  [
    'Java',
    `Exception in thread "main" java.lang.NullPointerException: data
\tat java.base/java.util.Objects.requireNonNull(Objects.java:1)
\tat org.shop.Poll.run(Poll.java:7)`,
    'Exception in thread "main" java.lang.NullPointerException: data',
    'org.shop.Poll.run(Poll.java:7)',
  ],
  [
    'Go',
    `panic: runtime error: invalid memory address

goroutine 1 [running]:
net/http.(*conn).serve()
\t/usr/lib/go-1.19/src/net/http/server.go:1 +0x1
main.poll(...)
\t/srv/rp/main.go:31 +0x1d`,
    'panic: runtime error: invalid memory address',
    '/srv/rp/main.go:31',
  ],
])('of a crash of %s it quotes the error and the first frame of the RP’s own code', (_what, output, error, frame) => {
  expect(findCrashCause(output)).toEqual({ error, frame })
})

test.each(['', 'Listening on 8080', 'TypeError: logged, and no crash', '<h1>Internal Server Error</h1>'])(
  'where no error has frames (%j) there is no cause',
  (output) => expect(findCrashCause(output)).toBeUndefined(),
)
