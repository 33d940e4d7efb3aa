import { FAULTS } from '../../src-main/authenticator/faults.ts'
import { routes } from '../../src-main/contract/control/routes.ts'
import { type ErrorName, errors } from '../../src-main/contract/errors.ts'
import { eventKinds } from '../../src-main/contract/events.ts'
import { FAULT_NAMES } from '../../src-main/contract/faults.ts'
import { loadReportSchema } from '../../src-main/contract/load-report.ts'
import { type ProfileSetting, profileSettings, relaxableRules } from '../../src-main/contract/profile.ts'
import { CHECK_STORIES, RP_CHECK_NAMES, RP_CHECKS } from '../../src-main/contract/rp-checks.ts'
import { runReportSchema } from '../../src-main/contract/run-report.ts'
import { scenarioSchema } from '../../src-main/contract/scenario.ts'
import { FAULT_STORIES, SERVICE_FAULT_GROUPS, type ServiceFault } from '../../src-main/contract/service-fault.ts'
import { SERVICE_FAULT_NAMES, serviceFaultOf } from '../../src-main/contract/service-faults.ts'
import { en } from '../../src-main/messages/en/en.ts'
import { serviceFaultGroups, serviceFaultStories } from '../../src-main/messages/en/service-faults.ts'
import { rpChecks } from '../../src-main/messages/en/suite-findings.ts'

import { conformanceRows } from '../conformance/rows.ts'
import { taggedTitles } from '../conformance/titles.ts'
import { signingVectors } from '../recipes/signing-vectors.ts'
import { pages, readPage } from './code-blocks.ts'
import { javaContract } from './java-contract.ts'
import { code, codes, table } from './markdown.ts'
import { fillParts, MARKED } from './parts.ts'
import { pythonContract } from './python-contract.ts'
import { schemaFile, sharedSchemaFile } from './schema-file.ts'
import { routeRows } from './schema-rows.ts'

/** Pages that are made from the code. `npm run docs` writes them; a test fails when one is stale. */
export type Document = { readonly path: string; readonly text: () => string }

const made = (...from: readonly string[]): string => `<!-- Made by \`npm run docs\` from ${from.join(', ')}. -->`

const errorPage = (): string =>
  `${made('src-main/contract/errors.ts', 'src-main/messages/en/errors.ts')}
# Error codes

Every response of every interface is \`{"code", "data", "error"}\`. \`code\` is 0 on success, else one of these: the HTTP
status × 100 plus a number. The codes are stable; the text of \`error\` begins with the sentence below and then says what
was received and what was expected. With the profile's \`http_status: always-200\` the status is always 200.

${table(
  ['code', 'status', 'what `error` begins with', 'belongs to'],
  Object.entries(errors).map(([name, row]) => [
    String(row.code),
    String(row.status),
    en.errors[name as ErrorName],
    row.rule,
  ]),
)}
`

const valuesOf = ({ rule }: ProfileSetting): readonly [allowed: string, preset: string] => {
  switch (rule.kind) {
    case 'choice':
      return [codes(rule.values), code(rule.values[0])]
    case 'set':
      return [
        `any of ${codes(rule.values)}`,
        rule.default.length === rule.values.length ? 'all' : codes(rule.default) || 'none',
      ]
    case 'flag':
      return ['`true`, `false`', code(rule.default)]
    case 'number':
      return [`${rule.min} to ${rule.max}${rule.unit === undefined ? '' : ` ${rule.unit}`}`, code(rule.default)]
    case 'identifiers':
      return [`a list of texts, at most ${rule.most}`, 'empty']
    case 'origins':
      return ['a list of origins', rule.default.length === 0 ? 'empty' : codes(rule.default)]
  }
}

const profilePage = (): string =>
  `${made('src-main/contract/profile.ts')}
# The profile

The public description of the service leaves much unsaid, and your RP has to match whatever *your* real service does. So
each such choice is a setting. A profile is a JSON object with any of these keys; what it does not name keeps its
default. It is given to \`handset serve --profile FILE\`, or changed while the bench runs, in the console or by
\`PATCH /control/v1/profile\`; it applies from the next request on. An unknown key or a value out of range is refused,
with the key's name, and then nothing is changed.

${[...new Set(Object.values(profileSettings).map((setting) => setting.group))]
  .map((group) => {
    const rows = Object.entries<ProfileSetting>(profileSettings)
      .filter(([, setting]) => setting.group === group)
      .map(([key, setting]) => [`\`${key}\``, setting.sentence, ...valuesOf(setting)])
    return `## ${group}\n\n${table(['key', 'what it decides', 'values', 'default'], rows)}`
  })
  .join('\n\n')}

## Relaxed rules

What the judge accepts for each value of \`judge_relaxes\`.

${table(
  ['value', 'what is accepted'],
  Object.entries(relaxableRules).map(([rule, sentence]) => [`\`${rule}\``, sentence]),
)}
`

const faultPage = (): string => {
  const seams = [...new Set(FAULT_NAMES.map((name) => FAULTS[name].seam))]
  const outcome = (expected: unknown): string =>
    typeof expected === 'object'
      ? Object.entries(expected ?? {})
          .map(([ceremony, each]) => `${ceremony}: \`${each}\``)
          .join(', ')
      : `\`${expected}\``
  return `${made('src-main/contract/faults.ts', 'src-main/authenticator/faults', 'src-main/messages/en/faults.ts')}
# Faults

Named ways in which a phone can get one thing wrong. Arm one with \`POST /control/v1/phones/{id}/faults\`. Behind the colon stands
what a correct service shows: the machine word of a failed message, a status, or the code with which the phone's call is refused. There are ${FAULT_NAMES.length}.

${seams
  .map((seam) => {
    const rows = FAULT_NAMES.map((name) => ({ name, fault: FAULTS[name] }))
      .filter(({ fault }) => fault.seam === seam)
      .map(({ name, fault }) => {
        const only = fault.ceremony === 'both' ? '' : ` (${fault.ceremony})`
        return `- \`${name}\` ${en.faults[name]}${only}: ${outcome(fault.expected)}`
      })
    return `## ${seam[0]?.toUpperCase()}${seam.slice(1)}\n\n${rows.join('\n')}`
  })
  .join('\n\n')}
`
}

const parametersText = ({ parameters = {} }: ServiceFault): string =>
  Object.entries(parameters)
    .map(([name, { preset }]) => `\`${name}\`${preset === '' ? '' : ` (${JSON.stringify(preset)})`}`)
    .join(', ')

const serviceFaultPage = (): string => {
  const admitting = SERVICE_FAULT_NAMES.filter((name) => serviceFaultOf(name).harm === 'admits')
  return `${made('src-main/contract/service-faults.ts', 'src-main/messages/en/service-faults.ts')}
# Faults of the service

Named ways in which the service can lie to an RP or fail it. Your RP meets them sooner or later: behind a proxy, after a
deployment, under attack. There are ${SERVICE_FAULT_NAMES.length}; the ${admitting.length} with **!** make a careless RP let somebody in who should not be.
They stand below what a careful RP does. How to arm them, and how to walk all of them against your own RP:
[using/service-faults.md](using/service-faults.md). \`GET /control/v1/service-faults\` lists the calls that each can strike.

## The stories

${table(
  ['name', 'what happens'],
  FAULT_STORIES.map((story) => [code(story), serviceFaultStories[story]]),
)}

## Checks while the service is honest

\`handset suite rp\` plays each story without a fault first and looks at the RP. The numbers are those of
[what a careful RP does](interface/relying-party.md#what-a-careful-rp-does).

${table(
  ['name', 'the rule', 'number', 'looked at in'],
  RP_CHECK_NAMES.map((name) => [
    code(name),
    rpChecks[name],
    String(RP_CHECKS[name].rule),
    CHECK_STORIES[name].map((story) => code(story)).join(' '),
  ]),
)}

${SERVICE_FAULT_GROUPS.map((group) => {
  const faults = SERVICE_FAULT_NAMES.map((name) => ({ name, fault: serviceFaultOf(name) })).filter(
    ({ fault }) => fault.group === group,
  )
  const acts = [...new Set(faults.map(({ fault }) => fault.act))].map((act) => {
    const rows = faults
      .filter(({ fault }) => fault.act === act)
      .map(({ name, fault }) => {
        const parameters = parametersText(fault)
        const what = `${en.serviceFaults[name]}${parameters === '' ? '' : ` (${parameters})`}`
        return `- \`${name}\`${fault.harm === 'admits' ? ' **!**' : ''} ${what}`
      })
    return `${en.carefulActs[act]}:\n\n${rows.join('\n')}`
  })
  return `## ${serviceFaultGroups[group]}\n\n${acts.join('\n\n')}`
}).join('\n\n')}
`
}

const controlPage = (): string =>
  `${made('src-main/contract/control')}
# Routes of the control interface

Behind \`/control/v1\`; those of a workspace other than \`main\` behind \`/w/<id>/control/v1\`. How it is meant, with examples: [using/control.md](using/control.md).
\`?\` marks what may be left out; what is struck through is deprecated. Types, limits and answers are in \`{control_url}/openapi.json\`.

${table(['route', 'name', 'what it does', 'takes'], routeRows(routes))}
`

const eventPage = (): string =>
  `${made('src-main/contract/events.ts')}
# Events

Everything that happens becomes one event: see [using/control.md](using/control.md) for how to list, stream and await them. Each event has \`v\` (1), \`seq\`
(from 1 in its workspace; a gap is left only where a bench was killed), \`workspace\`, \`kind\`, \`actor\` (\`{kind, id?}\`), \`cause\` (the request in which it happened), \`wall\` (real
time) and \`bench\` (the workspace's time, both in milliseconds). The match of \`POST /wait\` may name these and the fields of the kind; one
that no event can have, by a field, a type or a word, is refused with 40002:

${table(
  ['kind', 'what happened', 'fields', 'closed lists'],
  Object.entries(eventKinds).map(([kind, { sentence, fields }]) => [
    code(kind),
    sentence,
    codes(Object.keys(fields)),
    Object.entries<{ readonly type?: string; readonly enum?: readonly string[] }>(fields)
      .flatMap(([field, schema]) => (schema.enum === undefined ? [] : [`${code(field)}: ${codes(schema.enum)}`]))
      .join('<br>'),
  ]),
)}
`

const DOCUMENTS = {
  interface: 'The RP’s interface',
  decisions: 'Where the interface is silent',
  'app-interface': 'The phone’s interface and the command line',
  standards: 'The standards of 2026',
} as const

const conformancePage = (): string => {
  const titles = taggedTitles()
  const testsOf = (tag: string): string =>
    [...new Set(titles.filter(({ tags }) => tags.includes(tag)).map(({ file }) => file))]
      .map((file) => `[${file.slice('test/'.length).replace(/\.(test|spec)\.ts$/, '')}](../${file})`)
      .join(', ')
  return `${made('test/conformance/rows.ts and the tags of the tests')}
# From rule to test

Every rule of the interface documents, and the files whose tests fail when it is broken: they name it in brackets at the
start of a title. \`npm test\` fails when a rule has no test. There are ${conformanceRows.length} rules.

${Object.entries(DOCUMENTS)
  .map(([document, title]) => {
    const rows = conformanceRows
      .filter((row) => row.document === document)
      .map(({ tag, row }) => `- \`${tag}\` ${row} (${testsOf(tag)})`)
    return `## ${title}\n\n${rows.join('\n')}`
  })
  .join('\n\n')}

Not read: FIDO's Metadata Service (3.1.1, January 2026). A workspace trusts the roots that it is given, and takes no BLOB, status or revocation list.
Held by hand, and not kept here: eight key attestations of Pixel phones with Android 16 and 17 from android/keyattestation 47f970d0 (Apache-2.0),
five under Google's root of 2025 (P-384, "Key Attestation CA1", which SimpleWebAuthn 14.0.3 does not have) and two of ML-DSA-65 keys: every chain leads to its root and every key
description is read. None of them is a WebAuthn statement.
`
}

const vectorFile = (): string => {
  const about =
    'Requests and what their signing makes of them, for whoever writes a signer. Texts are UTF-8. CC0: use them as you like. Made by `npm run docs`.'
  return `${JSON.stringify({ about, vectors: signingVectors() }, null, 2)}\n`
}

export const documents: readonly Document[] = [
  { path: 'docs/errors.md', text: errorPage },
  { path: 'docs/profile.md', text: profilePage },
  { path: 'docs/control-routes.md', text: controlPage },
  { path: 'docs/faults.md', text: faultPage },
  { path: 'docs/service-faults.md', text: serviceFaultPage },
  { path: 'docs/events.md', text: eventPage },
  { path: 'docs/conformance.md', text: conformancePage },
  { path: 'docs/run-report.schema.json', text: () => schemaFile('Handset run report', runReportSchema) },
  { path: 'docs/load-report.schema.json', text: () => schemaFile('Handset load report', loadReportSchema) },
  { path: 'docs/interface/signing/vectors.json', text: vectorFile },
  { path: 'clients/python/src/handset/contract.py', text: pythonContract },
  { path: 'clients/java/src/main/java/local/handset/Calls.java', text: javaContract },
  ...pages
    .filter((path) => MARKED.test(readPage(path)))
    .map((path) => ({ path, text: () => fillParts(readPage(path)) })),
]

/** What editors check scenarios by. It is no part of the checkout: `npm run docs` makes it for the examples, `npm run pack` for the package. */
export const scenarioSchemaFile: Document = {
  path: 'docs/scenario.schema.json',
  text: () => sharedSchemaFile('Handset scenario', scenarioSchema),
}
