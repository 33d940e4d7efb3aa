import { optionUsage } from '../../src-main/cli/command.ts'
import { describeOption, findBenchOptions, OPTIONS, type OptionTable } from '../../src-main/cli/options.ts'
import { APP_OPERATIONS, appRoutes } from '../../src-main/core/contract/app/routes.ts'
import { configSchema } from '../../src-main/core/contract/config.ts'
import { routes } from '../../src-main/core/contract/control/routes.ts'
import { errors } from '../../src-main/core/contract/errors.ts'
import { eventKinds } from '../../src-main/core/contract/events.ts'
import { FAULT_NAMES } from '../../src-main/core/contract/faults.ts'
import { FAILURE_WORDS } from '../../src-main/core/contract/judge/failure-words.ts'
import { AUTHENTICATION_STEPS, REGISTRATION_STEPS, refusingStep } from '../../src-main/core/contract/judge/steps.ts'
import { loadReportSchema } from '../../src-main/core/contract/load-report.ts'
import * as profiles from '../../src-main/core/contract/profile.ts'
import { profilePart } from '../../src-main/core/contract/profile-schema.ts'
import { rpRoutes } from '../../src-main/core/contract/rp/routes.ts'
import { CHECK_STORIES, RP_CHECK_NAMES, RP_CHECKS, RULE_NUMBERS } from '../../src-main/core/contract/rp-checks.ts'
import { rpSuiteSchema } from '../../src-main/core/contract/rp-suite.ts'
import { runReportSchema } from '../../src-main/core/contract/run-report.ts'
import { scenarioSchema } from '../../src-main/core/contract/scenario.ts'
import type { RouteTable } from '../../src-main/core/contract/schema.ts'
import {
  FAULT_STORIES,
  SERVICE_FAULT_NAMES,
  type ServiceFault,
  serviceFaultOf,
  serviceFaultStories,
} from '../../src-main/core/contract/service-faults.ts'
import { webauthnServerSchema } from '../../src-main/core/contract/webauthn-server.ts'
import { en } from '../../src-main/core/messages/en/en.ts'
import { FAULTS } from '../../src-main/phones/authenticator/faults.ts'
import { MODELS } from '../../src-main/phones/authenticator/models.ts'
import { SDK_ERRORS } from '../../src-main/sdk/errors.ts'
import { LEVEL_3_NOTES, LEVEL_4_WATCH } from '../conformance/level-3.ts'
import { conformanceRows } from '../conformance/rows.ts'
import { taggedTitles } from '../conformance/titles.ts'
import { signingVectors } from '../recipes/signing-vectors.ts'
import { pages, readPage } from './code-blocks.ts'
import { javaContract } from './java-contract.ts'
import { code, codes, sections } from './markdown.ts'
import { pythonContract } from './python-contract.ts'
import { schemaFile, sharedSchemaFile } from './schema-file.ts'
import { routeRows, schemaRows } from './schema-rows.ts'

/** A page says once what an empty field means. */
const documented = { ...profiles.defaultProfile, empty_optional: 'refuse' } as const

/** The tables within pages that are written by hand: each stands between `<!-- made: NAME -->` and `<!-- end -->`. */
const parts: Readonly<Record<string, () => string>> = {
  models: () =>
    Object.values(MODELS)
      .map(({ name, title, algorithms, attestation, storage, counter }) => {
        const rest = [storage === 'chip' ? [] : [storage], counter === 'growing' ? [] : [`counter ${counter}`]].flat()
        return `- ${code(name)} ${title} (${[code(attestation), ...rest].join(', ')}: ${algorithms.join(', ')})`
      })
      .join('\n'),
  behaviour: () => shapeTable(routes['phones.patch'].body.properties.behaviour),
  conditions: () =>
    [
      shapeTable(routes['conditions.put'].body.properties.rp),
      `The operations of \`app\` are ${codes(APP_OPERATIONS)}.`,
    ].join('\n\n'),
  config: () => shapeTable(configSchema, ['phones[].behaviour.']),
  options: () =>
    Object.entries<OptionTable>(OPTIONS)
      .map(([name, table]) => `- **${name}** ${codes(Object.keys(table).map((option) => `--${option}`))}`)
      .join('\n'),
  'run-options': () => optionLines(OPTIONS.run),
  'show-options': () => optionLines(OPTIONS.show),
  'suite-options': () => optionLines(OPTIONS.suite),
  'rp-fields': () => fieldList(rpRoutes(documented)),
  'phone-fields': () => fieldList(appRoutes(documented)),
  'sdk-errors': () =>
    Object.entries(SDK_ERRORS)
      .map(([name, meaning]) => `- ${code(name)} ${meaning}`)
      .join('\n'),
}

/** Without those that find a bench. */
const optionLines = (table: OptionTable): string =>
  Object.entries(table)
    .filter(([name]) => !Object.hasOwn(findBenchOptions, name))
    .map(([name, option]) => `- ${code(optionUsage(name, option))} ${describeOption(option)}`)
    .join('\n')

/** The keys of a schema, but not those below `elsewhere`, which another page explains. */
const shapeTable = (schema: object, elsewhere: readonly string[] = []): string =>
  schemaRows(schema)
    .filter(([key = '']) => !elsewhere.some((start) => key.startsWith(`\`${start}`)))
    .map(([key, values, meaning]) => `- ${key} (${values}) ${meaning}`)
    .join('\n')

/** Each field of the answers, once where several calls have it. */
const fieldList = (routes: RouteTable): string => {
  const lines = Object.values(routes).flatMap(({ data }) => shapeTable(data).split('\n'))
  const plain = lines.map((line) => line.replace(/ \(text, required\)|, required(?=\))/, ''))
  return `\`data\` has:\n\n${[...new Set(plain)].join('\n')}`
}

const MARKED = /^<!-- made: ([\w-]+) -->\n[\s\S]*?^<!-- end -->$/m

/** A page with its parts made again. */
const fillParts = (markdown: string): string =>
  markdown.replace(new RegExp(MARKED, 'gm'), (_, name: string) => {
    const part = parts[name]
    if (part === undefined) throw new Error(`there is no part "${name}"; known are ${Object.keys(parts).join(', ')}`)
    return `<!-- made: ${name} -->\n\n${part()}\n\n<!-- end -->`
  })

/** Pages that are made from the code. `npm run docs` writes them; a test fails when one is stale. */
export type Document = { readonly path: string; readonly text: () => string }

const made = (...from: readonly string[]): string => `<!-- Made by \`npm run docs\` from ${from.join(', ')}. -->`

const errorPage = (): string => {
  const rows = Object.values(errors).map(({ code, rule, text }) => ({ rule, line: `- ${code} ${text}` }))
  return `${made('src-main/core/contract/errors.ts')}
# Error codes

Every response of every interface is \`{"code", "data", "error"}\`. \`code\` is 0 on success, else one of these stable codes:
the HTTP status × 100 plus a number. \`error\` begins with the sentence below and then says what was received and what was
expected. With the profile's \`http_status: always-200\` the status is always 200.

${sections(
  rows,
  ({ rule }) => rule,
  ({ line }) => line,
)}
`
}

/** The values of a setting, the default first. */
const valuesOf = ({ rule }: profiles.ProfileSetting): string => {
  switch (rule.kind) {
    case 'choice':
      return codes(rule.values)
    case 'set':
      if (rule.meanings !== undefined) return 'None by default; those below'
      return `${rule.default.length === rule.values.length ? 'All' : codes(rule.default) || 'None'} of ${codes(rule.values)}`
    case 'flag':
      return codes([rule.default, !rule.default])
    case 'number':
      return `${code(rule.default)}, ${rule.min} to ${rule.max}${rule.unit === undefined ? '' : ` ${rule.unit}`}`
    case 'identifiers':
      return `Empty by default; at most ${rule.most}`
    case 'origins':
      return codes(rule.default) || 'Empty by default'
  }
}

const profilePage = (): string =>
  `${made('src-main/core/contract/profile.ts')}
# The profile

The public description of the service leaves much unsaid, and your RP has to match whatever *your* real service does. So
each such choice is a setting. A profile is a JSON object with any of these keys. Give it to \`handset serve --profile FILE\`,
or change it while the bench runs, in the console or by \`PATCH /control/v1/profile\`. It applies from the next request on.
An unknown key or value is refused by name, and nothing is changed. Each line ends with the values; the default stands first.

${sections(
  Object.entries<profiles.ProfileSetting>(profiles.profileSettings),
  ([, { group }]) => group,
  ([key, setting]) => `- ${code(key)} ${setting.sentence} ${valuesOf(setting)}`,
)}

## Relaxed rules

What the judge accepts for each value of \`judge_relaxes\`:

${Object.entries(profiles.relaxableRules)
  .map(([rule, sentence]) => `- ${code(rule)} ${sentence}`)
  .join('\n')}
`

/** Words of a sentence that add nothing to a name: little words, and what a part of a name means. */
const LITTLE =
  'a an and are as at by does for from has have in is it its no not of on only that the there to was with written belongs claims says contains cannot be read marked'
const MEANT: Readonly<Record<string, readonly string[]>> = {
  missing: ['lacks', 'never', 'without'],
  empty: ['string'],
  truncated: ['cut', 'off'],
  list: ['array'],
  twice: ['two', 'repeated'],
  trailing: ['follow', 'follows'],
  repeats: ['twice', 'contains', 'each'],
  unknown: ['undefined'],
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? []

/** `expired` and `expires` are one word here. */
const stem = (word: string): string => word.slice(0, 5)

/** Whether a sentence only says in words what a name says, below a heading. */
const isSaidByName = (sentence: string, name: string, heading: string): boolean => {
  const parts = wordsOf(name)
  const said = new Set(
    [...parts, ...parts.flatMap((part) => MEANT[part] ?? []), ...wordsOf(heading), ...LITTLE.split(' ')].map(stem),
  )
  return wordsOf(sentence.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')).every((word) => said.has(stem(word)))
}

const faultPage = (): string => {
  const outcome = (expected: unknown): string =>
    typeof expected === 'object'
      ? Object.entries(expected ?? {})
          .map(([ceremony, each]) => `${ceremony} ${code(each)}`)
          .join(', ')
      : code(expected)
  const ceremonies: Readonly<Record<string, string>> = { both: 'both ceremonies', none: 'no ceremony' }
  const seams = [...new Set(FAULT_NAMES.map((name) => FAULTS[name].seam))]
  const rows = FAULT_NAMES.map((name) => {
    const { seam, ceremony, expected } = FAULTS[name]
    const area = `${seam[0]?.toUpperCase()}${seam.slice(1)}`
    const what = isSaidByName(en.faults[name], `${name} ${outcome(expected)}`, area) ? '' : ` ${en.faults[name]}`
    return {
      seam,
      area: `${area}: ${ceremonies[ceremony] ?? ceremony}`,
      line: `- ${code(name)}${what}${expected === name.replaceAll('-', '_') ? '' : `: ${outcome(expected)}`}`,
    }
  })
  return `${made('src-main/core/contract/faults.ts', 'src-main/phones/authenticator/faults')}
# Faults

The ${FAULT_NAMES.length} mistakes that a phone makes on command: arm one with \`POST /control/v1/phones/{id}/faults\`. After the colon is
what a correct service shows: the machine word of a failed message, a status, or the code that refuses the phone's call; \`none\`
where no message is concerned. Without one, the word is the fault's name with underscores.

${sections(
  seams.flatMap((seam) => rows.filter((row) => row.seam === seam)),
  ({ area }) => area,
  ({ line }) => line,
)}
`
}

const parametersText = ({ parameters = {} }: ServiceFault): string =>
  Object.entries(parameters)
    .map(([name, { preset }]) => `\`${name}\`${preset === '' ? '' : ` (${JSON.stringify(preset)})`}`)
    .join(', ')

const serviceFaultPage = (): string => {
  const all = SERVICE_FAULT_NAMES.map((name) => ({ name, fault: serviceFaultOf(name) }))
  const lineOf = ({ name, fault }: (typeof all)[number]): string => {
    const said = isSaidByName(en.serviceFaults[name], name, en.carefulActs[fault.act])
    const what = [said ? '' : en.serviceFaults[name], parametersText(fault)].filter((text) => text !== '').join('; ')
    return `- ${code(name)}${fault.harm === 'admits' ? '**!**' : ''} ${what}`.trimEnd()
  }
  return `${made('src-main/core/contract/service-faults.ts')}
# Faults of the service

The ${all.length} ways in which the service lies to an RP or fails it on command. The ${all.filter(({ fault }) => fault.harm === 'admits').length} with **!** make a careless RP let
somebody in. They stand below what a careful RP does.
[How to arm them, and how to try all of them on your RP](using/service-faults.md). \`GET /control/v1/service-faults\` lists the calls
that each can strike, and the exact words of each.

## The stories

${FAULT_STORIES.map((story) => `- ${code(story)} ${serviceFaultStories[story]}`).join('\n')}

## Checks while the service is honest

\`handset suite rp\` also plays each story without a fault. In parentheses: the number of the
[rule](interface/relying-party.md#what-a-careful-rp-does), and the stories that show it.

${RP_CHECK_NAMES.map((name) => `- ${code(name)} ${RP_CHECKS[name].title} (${RULE_NUMBERS[RP_CHECKS[name].act]}: ${codes(CHECK_STORIES[name])})`).join('\n')}

${sections(all, ({ fault: { act } }) => `${en.carefulActs[act]} (${RULE_NUMBERS[act]})`, lineOf)}
`
}

const controlPage = (): string =>
  `${made('src-main/core/contract/control')}
# Routes of the control interface

Below \`/control/v1\`, or \`/w/<id>/control/v1\` for a workspace other than \`main\`. Each line has the route, its name, and in parentheses what it takes:
\`?\` marks what is optional; what is struck through is deprecated. Types, limits and answers: \`{control_url}/openapi.json\`. Examples: [using/control.md](using/control.md).

${routeRows(routes)
  .map(([route, name, summary, takes]) => `- ${route} ${name} ${summary}${takes === '' ? '' : ` (${takes})`}`)
  .join('\n')}
`

type FieldSchema = { readonly type?: string; readonly enum?: readonly string[] }

const fieldText = (field: string, schema: FieldSchema): string =>
  schema.enum === undefined ? code(field) : `${code(field)} (${codes(schema.enum)})`

const eventPage = (): string =>
  `${made('src-main/core/contract/events.ts')}
# Events

Everything that happens becomes one event; [how to list, stream and await them](using/control.md#what-there-is). Each has \`v\` (1), \`seq\`
(from 1 in its workspace; only a killed bench leaves a gap), \`workspace\`, \`kind\`, \`actor\` (\`{kind, id?}\`), \`cause\` (the request in which it happened), \`wall\` (real
time) and \`bench\` (the workspace's time, both in milliseconds). The match of \`POST /wait\` may name these and the fields of the kind; one
that no event can have is refused with 40002. The fields, closed lists in parentheses:

${Object.entries(eventKinds)
  .map(
    ([kind, { sentence, fields }]) =>
      `- **${kind}** ${sentence} ${Object.entries<FieldSchema>(fields)
        .map(([field, schema]) => fieldText(field, schema))
        .join(', ')}`,
  )
  .join('\n')}
`

const DOCUMENTS = {
  interface: 'The RP’s interface',
  decisions: 'Where the interface is silent',
  'app-interface': 'The phone’s interface and the command line',
  standards: 'The standards of 2026',
} as const

/** Each step with the words that refuse there, and what Handset does about it. */
const levelThreeSteps = (): string =>
  [...REGISTRATION_STEPS, ...AUTHENTICATION_STEPS]
    .map((id) => {
      const ceremony = id.startsWith('7.1') ? 'registration' : 'authentication'
      const words = FAILURE_WORDS.filter((word) => refusingStep(word, ceremony) === id)
      const said = [`- **${id}** ${en.steps[id]}.`, LEVEL_3_NOTES[id] ?? '', words.length === 0 ? '' : codes(words)]
      return said.filter((text) => text !== '').join(' ')
    })
    .join('\n')

const conformancePage = (): string => {
  const titles = taggedTitles()
  const testsOf = (tag: string): string =>
    [...new Set(titles.filter(({ tags }) => tags.includes(tag)).map(({ file }) => file))]
      .map((file) => `[${file.slice('test/'.length).replace(/\.(test|spec)\.ts$/, '')}](../${file})`)
      .join(', ')
  return `${made('test/conformance/rows.ts and the tags of the tests')}
# From rule to test

The ${conformanceRows.length} rules of the interface documents, below the files whose tests fail when one is broken. Each test names its rules in brackets at the
start of its title: search \`test/\` for \`[signing.host]\`. \`npm test\` fails when a rule has no test.

${Object.entries(DOCUMENTS)
  .map(([document, title]) => {
    const rows = conformanceRows.filter((row) => row.document === document)
    const files = [...new Set(rows.map(({ tag }) => testsOf(tag)))].map((tests) => {
      const lines = rows.filter(({ tag }) => testsOf(tag) === tests).map(({ tag, row }) => `- ${code(tag)} ${row}`)
      return `${tests}:\n\n${lines.join('\n')}`
    })
    return `## ${title}\n\n${files.join('\n\n')}`
  })
  .join('\n\n')}

## WebAuthn Level 3, step by step

The ${REGISTRATION_STEPS.length} steps of §7.1 and ${AUTHENTICATION_STEPS.length} of §7.2, compared in November 2026 with the Editor’s Draft of 2026-07-30 (w3c/webauthn 146d0db0). In these
sections it differs from the branch of the Candidate Recommendation (8bbf3638, 2026-05-15) only in the numbers of three references, and its own
are one too low. The Recommendation of 2026-08-25 itself was not compared. Without a note, the judge does what the text says. The words are
those of a mistake in the answer; a mistake in a statement or in a signature has many more, at 7.1.22 and 7.2.21.

${levelThreeSteps()}

After Level 3:

${LEVEL_4_WATCH.map((line) => `- ${line}`).join('\n')}

Of FIDO's Metadata Service a list is read that the option --mds names; nothing is fetched, and no certificate status is looked up.
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

/** Editors check YAML files by these. They are not in the checkout: `npm run docs` makes them for it, `npm run pack` for the package. */
export const editorSchemas = (
  [
    ['scenario', 'Handset scenario', scenarioSchema],
    ['config', 'Handset configuration, also handset.config.yaml', configSchema],
    ['profile', 'Handset profile', profilePart],
    ['rp-suite', 'How handset suite rp uses an RP', rpSuiteSchema],
    ['webauthn-server', 'How handset check --webauthn calls a server', webauthnServerSchema],
  ] as const
).map(([name, title, schema]) => ({
  ...{ name, title, schema },
  path: `docs/${name}.schema.json`,
  text: () => sharedSchemaFile(title, schema),
}))
