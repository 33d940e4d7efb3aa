import { isLong } from '../support/parts.ts'

const IN_RUN_TESTS = 'clients/*/run-tests runs it from its text.'
const IN_RUNNER = 'test/package/fixtures.test.ts runs it with its runner.'

const IN_RECIPES = 'test/package/ci-recipes.test.ts runs its steps.'

type Row = { readonly page: string; readonly begins: string; readonly reason: string }

/** Blocks that take a minute: `npm test -- long` runs them. */
const LONG: readonly Row[] = [
  {
    page: 'docs/using/check.md',
    begins: 'npx handset check --base-url "$BASE" --app-url "$(value app_url < handset.json)" --record',
    reason: 'test/cli/check.test.ts records and compares fewer cases.',
  },
]

/** Blocks that no test runs, by the page and the beginning of their text, and why. A line that fits no block fails. */
export const notRun: readonly Row[] = [
  ...(isLong ? [] : LONG),
  {
    page: 'README.md',
    begins: 'npm ci && npm start',
    reason: 'test/long/first-command.test.ts runs the first line, .ci/run the second, each from its text.',
  },
  {
    page: 'README.md',
    begins: 'await phone.scan',
    reason: 'It stands in docs/using/test-fixtures.md, which test/package/fixtures.test.ts runs.',
  },
  { page: 'CONTRIBUTING.md', begins: 'npm ci ', reason: 'It installs the project and runs these tests.' },
  {
    page: 'clients/python/README.md',
    begins: 'pip install ./clients/python',
    reason: 'clients/python/run-tests installs this folder before it tests.',
  },
  { page: 'clients/python/README.md', begins: 'import pytest', reason: IN_RUN_TESTS },
  { page: 'clients/python/README.md', begins: 'import os', reason: IN_RUN_TESTS },
  { page: 'clients/python/README.md', begins: 'import handset', reason: IN_RUN_TESTS },
  { page: 'clients/python/README.md', begins: 'u-1', reason: IN_RUN_TESTS },
  { page: 'clients/java/README.md', begins: 'import static', reason: IN_RUN_TESTS },
  { page: 'clients/java/README.md', begins: 'var key', reason: 'Shop.java of its tests starts a server so.' },
  { page: 'docs/architecture.md', begins: 'src-main/', reason: 'A picture of the folders.' },
  {
    page: 'docs/using/load.md',
    begins: 'npx handset load',
    reason: 'It takes minutes; test/cli/load/load.test.ts loads for less than a second.',
  },
  {
    page: 'docs/using/check.md',
    begins: 'a-put-without',
    reason: 'test/cli/check.test.ts gives such files.',
  },
  { page: 'docs/using/postgresql.md', begins: 'npm install pg', reason: 'It needs a database of the reader.' },
  {
    page: 'docs/using/teams.md',
    begins: 'handset token new',
    reason: 'test/cli/admin.test.ts makes, lists and revokes tokens so.',
  },
  {
    page: 'docs/using/teams.md',
    begins: 'curl -s -H',
    reason: 'test/control/workspace-leases.test.ts opens workspaces so.',
  },
  { page: 'docs/using/operations.md', begins: 'scrape_configs', reason: 'It is for Prometheus.' },
  {
    page: 'docs/using/operations.md',
    begins: 'handset backup',
    reason: 'test/cli/admin.test.ts copies a workspace in these ways.',
  },
  {
    page: 'docs/using/operations.md',
    begins: '$ handset admin',
    reason: 'It needs a database of the reader; test/postgres/operations.test.ts has one.',
  },
  { page: 'docs/using/sizing.md', begins: 'sign-ins per second', reason: 'A formula.' },
  {
    page: 'docs/using/sizing.md',
    begins: '1,000,000 × 2',
    reason: 'Arithmetic; test/docs/documents.test.ts does it again.',
  },
  {
    page: 'docs/using/sizing.md',
    begins: 'processor of the service',
    reason: 'Arithmetic; test/docs/documents.test.ts does it again.',
  },
  { page: 'docs/using/image.md', begins: 'for name in', reason: 'It needs a Docker daemon.' },
  { page: 'docs/using/image.md', begins: 'for each in', reason: 'It needs a Docker daemon.' },
  { page: 'docs/using/service-faults.md', begins: 'POST /control', reason: 'One call, as a figure.' },
  {
    page: 'docs/using/service-faults.md',
    begins: 'url: http://127.0.0.1:8080\ncalls',
    reason: 'test/foreign-rps has RPs with such forms.',
  },
  {
    page: 'docs/using/service-faults.md',
    begins: 'url: http://127.0.0.1:8080\nstart: ',
    reason: 'It is about an RP of the reader; test/cli/suite.test.ts plays one like it.',
  },
  {
    page: 'docs/using/service-faults.md',
    begins: 'url: http://127.0.0.1:8080\nstart:\n',
    reason: 'test/long/suite-by-page.test.ts runs it, from its text.',
  },
  { page: 'docs/using/postgresql.md', begins: 'handset serve --role', reason: 'It needs a database and a balancer.' },
  {
    page: 'docs/using/sdk.md',
    begins: 'npm i -D PATH',
    reason: 'test/package/install-package.ts installs the packed one.',
  },
  {
    page: 'docs/using/test-fixtures.md',
    begins: "import { expect, test } from 'handset/playwright'",
    reason: IN_RUNNER,
  },
  { page: 'docs/using/test-fixtures.md', begins: "import { startHandset } from 'handset'", reason: IN_RUNNER },
  { page: 'docs/using/test-fixtures.md', begins: "import { expect } from 'vitest'", reason: IN_RUNNER },
  { page: 'docs/interface/signing.md', begins: 'Authorization: SVC', reason: 'The two forms of one header.' },
  { page: 'docs/using/image.md', begins: 'docker run', reason: 'It needs a Docker daemon.' },
  { page: 'docs/using/image.md', begins: 'docker load', reason: 'It needs a Docker daemon.' },
  { page: 'docs/using/image.md', begins: 'npm run pack', reason: 'test/image/check-image.ts runs what it makes.' },
  { page: 'docs/using/ci.md', begins: 'name: sign-in', reason: IN_RECIPES },
  { page: 'docs/using/ci.md', begins: 'sign-in:', reason: IN_RECIPES },
  { page: 'docs/using/ci.md', begins: 'sign-in-beside-image:', reason: 'test/image/image.test.ts uses its variables.' },
  { page: 'docs/using/ci.md', begins: 'pipeline {', reason: IN_RECIPES },
]
