import { errors } from '../../../src-main/core/contract/errors.ts'
import { texts } from '../../ui/texts.ts'
import { type Source, sourceOf } from './finding.ts'

/** Below docs/ of the repository. No package contains them, and the page loads nothing from elsewhere. */
export const DOCUMENTS: readonly (readonly [path: string, title: string])[] = [
  ['first-five-minutes', 'The first five minutes'],
  ['glossary', 'Glossary'],
  ['architecture', 'How the code is laid out'],
  ['errors', 'Error codes'],
  ['faults', 'Faults'],
  ['service-faults', 'Faults of the service'],
  ['profile', 'The profile'],
  ['events', 'Events'],
  ['control-routes', 'Routes of the control interface'],
  ['known-flaws', 'Published flaws, and the trials that find them'],
  ['conformance', 'From rule to test'],
  ['second-opinion', 'The second opinion'],
  ['camera', 'What the camera reads'],
  ['performance', 'Performance'],
  ['using/check', 'Check a service'],
  ['using/ci', 'In your CI'],
  ['using/command-line', 'The command line'],
  ['using/configuration', 'The configuration file'],
  ['using/control', 'The control interface'],
  ['using/desktop', 'The desktop program'],
  ['using/https', 'https'],
  ['using/image', 'The container image'],
  ['using/judge', 'The judge'],
  ['using/load', 'Load'],
  ['using/operations', 'Running it for others'],
  ['using/page', 'The page'],
  ['using/phones', 'Virtual phones'],
  ['using/postgresql', 'On PostgreSQL'],
  ['using/proxy', 'Between your RP and a service'],
  ['using/runs', 'Runs, reports and replay'],
  ['using/scenarios', 'Scenarios'],
  ['using/sdk', 'The SDK'],
  ['using/service-faults', 'Faults of the service'],
  ['using/sizing', 'How to size it'],
  ['using/teams', 'One bench for a team'],
  ['using/test-fixtures', 'Phones in Playwright and Vitest'],
  ['interface/phone-app', "The phone's interface"],
  ['interface/relying-party', "The relying party's interface"],
  ['interface/signing', 'Signing a request'],
  ['interface/version-1', 'What version 1 of the contract promises'],
]

/** Other words to find a document by. */
const ALSO: Readonly<Record<string, string>> = {
  errors: Object.values(errors)
    .map(({ code }) => code)
    .join(' '),
}

export const documentsSource = (): Source =>
  sourceOf(
    'documents',
    DOCUMENTS.map(([name, title]) => {
      const path = `docs/${name}.md`
      return {
        key: name,
        title,
        leads: texts.palette.found.document(path),
        also: `${name} ${texts.palette.found.groups.documents} docs ${ALSO[name] ?? ''}`,
        to: { run: (desk) => void desk.copy(async () => path) },
      }
    }),
  )
