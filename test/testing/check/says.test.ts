import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ALL_CASES } from '../../../src-main/testing/check/run-check.ts'
import { SENTENCES } from '../../../src-main/testing/check/says.ts'
import { ROOT } from '../../support/imports.ts'

/** One line, and links as their text. */
const flat = (text: string): string =>
  text
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
const read = (page: string): string => readFileSync(join(ROOT, `docs/${page}.md`), 'utf8')

/** Sections that hold no service to anything. A reason may be the test that holds the product to it. */
const OTHER_SECTIONS: Readonly<Record<string, readonly (readonly [heading: string, reason: string])[]>> = {
  'interface/relying-party': [['What a careful RP does', 'It binds the RP: `handset suite rp` judges it.']],
  'interface/signing': [
    ['One request, text by text', 'It is about `handset sign`.'],
    ['In your language', 'It is about signers, which sign the vectors.'],
  ],
  'interface/phone-app': [
    ['A first phone, with curl', 'An example of the calls above.'],
    ['Signals', 'Hints, which a service need not send.'],
  ],
  'interface/version-1': [
    ['What may change at any time', 'It promises nothing.'],
    ['When something has to go', 'test/core/contract/deprecated.test.ts'],
    ['How a client finds out', 'test/sdk/workspace.test.ts'],
  ],
}

/** Sentences that no case can hold a service to. */
const WITHOUT_CASE: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'interface/relying-party': {
    'It says who calls, where, and how to read the page.': [
      'Your server, the relying party (RP), calls this interface. All paths are below `base_url`: by default `http://localhost:7420/fido`, and `http://localhost:7420/w/<id>/fido` in a workspace (an isolated part of a bench) other than `main`.',
      '*Profile* marks a setting. OpenAPI 3.1: `{base_url}/openapi.json`. | call | what it does | `data` |',
      'A registration or a sign-in is a *message*.',
    ],
    'It binds the RP.': [
      'Your page shows the url as a QR code, your server polls the result with the `msg_id` until the status is final or `expires_at` (Unix seconds) has passed.',
    ],
    'A response that was lost looks from outside like one that was read.': [
      'A response that gets lost counts as delivered: a client that retries must expect 41001.',
    ],
    'No call tells what a phone displays.': ['Another `username` at sign-in is only displayed.'],
    'No case waits ten minutes.': ['then the message is gone (40402).'],
    'A quota is set by whoever runs the bench, and no call of an RP tells it.': [
      'A workspace may have a quota of credentials and of messages under way: beyond it a registration or sign-in is refused with 40907.',
    ],
  },
  'interface/signing': {
    'No call tells whether the profile names one, and which key was tried first.': [
      'and what the *profile* lists in `short_form_identifiers`. The first that verifies is the caller.',
    ],
    'No path of the interface has anything to decode, and the route is judged first.': [
      'neither decoded nor normalised (*profile*: or percent-encoded once more per segment)',
    ],
    'No RP can have a key ID with a slash.': ['The key ID ends at the first `/`.'],
    'It sums up what follows.': ['**Beyond ASCII.** Everything that is signed is octets.'],
    'It is about clients and the SDK.': [
      "sign what your HTTP client sends. Node's own `http` and browsers send each character as one octet (Latin-1) and refuse the rest, Go and curl send UTF-8. The SDK's signer encodes every value as UTF-8 first, so that any text can be sent. It returns an error for what HTTP cannot carry (control characters, lone surrogates, a path that is not percent-encoded), and sends nothing.",
      'compare them with yours line by line.',
    ],
    'The cases ask the profile how far; no call moves a clock.': [
      "(*profile*: another distance, or the workspace's clock).",
    ],
  },
  'interface/phone-app': {
    'It says where, and how to read the page.': [
      'What a phone app speaks; write your own. `app_url` is `http://localhost:7420/app`, or `http://localhost:7420/w/<id>/app` in another workspace. Same envelope, same error codes.',
      'As OpenAPI 3.1: `{app_url}/openapi.json`. | call | body → `data` |',
      'other ports of localhost would get them.',
    ],
    'A case waits for no call longer than ten seconds.': ['a comment every 15 s keeps it alive.'],
    'Hints, which a service need not send.': [
      '`signal` events are [below](#signals); a phone ignores events that it does not know. |',
    ],
    'It binds the phone: a service sees neither the secret nor the keys.': [
      'A phone that makes an account draws a secret S of 128 bits which never leaves the account\'s phones. `proof = HKDF(S, "signin")`',
      '`HKDF(S, "vault")` is the key that seals credentials for the vault, so the service cannot read them.',
    ],
    'The cases of the vault are skipped then.': ['A service may have no vault: its calls are 40401.'],
  },
  'interface/version-1': {
    'It says what the page is about.': [
      'The interfaces of RPs and phones, and the control interface `/control/v1`, are version 1. The product has its own version; the changelog says when something was added.',
    ],
    'test/service/openapi.test.ts': [
      '- **Routes**: each method and path of the served OpenAPI documents, and which fields their answers have, with their types and meanings.',
    ],
    'test/recipes/signing-vectors.test.ts': ['The 42 vectors are part of the promise.'],
    'test/docs/documents.test.ts': [
      '- **Names** that a script writes: options and variables of the command line, keys of the configuration file and of scenarios, settings of the profile and faults.',
    ],
    'test/package/package.test.ts': [
      '- **What `handset serve --json` prints**, exit codes, and the exports of the npm package that its declarations name.',
    ],
    'test/bench/control/events.test.ts': ['- **Events**: each kind and its fields, and that `seq` only grows.'],
    'test/service/store.test.ts': [
      '- **Data**: a data directory and an exported workspace of an older version of the product open in a newer one. Never the other way: a newer directory is refused untouched.',
    ],
  },
}

test('each sentence of the interface has its cases, or a reason why it has none', () => {
  for (const [page, sections] of Object.entries(OTHER_SECTIONS)) {
    let text = read(page).replaceAll(/```[\s\S]*?```|<!-- made[\s\S]*?<!-- end -->/g, '')
    for (const [heading] of sections) {
      const [before, after] = text.split(`\n## ${heading}\n`)
      expect(after, `${page}: ${heading}`).toBeDefined()
      text = `${before}\n${after?.replace(/^(?!## )[\s\S]*?(?=\n## |$(?![\s\S]))/, '')}`
    }
    // The bench's own way of telling why, which no other service needs.
    let left = flat(text.replaceAll(/^#.*|^\|[-|]+\|$/gm, '').replace(/\*\*Why it does not match\.[\s\S]*/, ''))
    const kept = [...Object.keys(WITHOUT_CASE[page] ?? {}), ...sections.map(([, reason]) => reason)]
    const absent = kept.filter((reason) => reason.startsWith('test/') && !existsSync(join(ROOT, reason)))
    expect(absent, page).toEqual([])
    const reasons = Object.values(WITHOUT_CASE[page] ?? {}).flat()
    const said = SENTENCES.flatMap((each) => (each.page === page ? [each.sentence] : []))
    for (const sentence of [...said, ...reasons].map(flat).toSorted((a, b) => b.length - a.length)) {
      expect(left, `${page} has it once`).toContain(sentence)
      left = left.replace(sentence, '¦')
    }
    const unsaid = left.split('¦').filter((each) => /\w/.test(each))
    expect(unsaid, page).toEqual([])
  }
})

test('each case says a sentence that its page has word by word, below its heading', () => {
  const absent = SENTENCES.filter(({ page, heading, sentence }) => {
    const text = flat(read(page)).replaceAll("'", '’')
    const below = text.slice(Math.max(0, text.indexOf(heading)))
    return !text.includes(heading) || !below.includes(flat(sentence).replaceAll("'", '’'))
  })
  expect(absent.map(({ sentence }) => sentence)).toEqual([])
  const isOf = (pattern: string) => new RegExp(`^${pattern.replaceAll('*', '.+')}$`)
  const unused = SENTENCES.flatMap(({ ids }) => ids).filter((each) => !ALL_CASES.some(({ id }) => isOf(each).test(id)))
  expect(unused).toEqual([])
})
