const IN_RUN_TESTS = 'clients/*/run-tests runs it from its text.'
const IN_RUNNER = 'test/package/fixtures.test.ts runs it with its runner.'

const IN_RECIPES = 'test/package/ci-recipes.test.ts runs its steps.'

/** Blocks that no test runs, by the page and the beginning of their text, and why. A line that fits no block fails. */
export const notRun: readonly { readonly page: string; readonly begins: string; readonly reason: string }[] = [
  {
    page: 'README.md',
    begins: 'npm ci && npm start',
    reason: 'test/long/first-command.test.ts runs the first line, .ci/run the second, each from its text.',
  },
  { page: 'CONTRIBUTING.md', begins: 'npm ci ', reason: 'It installs the project and runs these tests.' },
  {
    page: 'clients/python/README.md',
    begins: 'pip install ./clients/python',
    reason: 'clients/python/run-tests installs this folder before it tests.',
  },
  { page: 'clients/python/README.md', begins: 'import pytest', reason: IN_RUN_TESTS },
  { page: 'clients/python/README.md', begins: 'import handset', reason: IN_RUN_TESTS },
  { page: 'clients/python/README.md', begins: 'u-1', reason: IN_RUN_TESTS },
  { page: 'clients/java/README.md', begins: 'import static', reason: IN_RUN_TESTS },
  { page: 'docs/architecture.md', begins: 'src-main/', reason: 'A picture of the folders.' },
  { page: 'docs/architecture.md', begins: 'protocol →', reason: 'Who may import whom.' },
  { page: 'docs/using/postgresql.md', begins: 'npm install pg', reason: 'It needs a database of the reader.' },
  { page: 'docs/using/service-faults.md', begins: 'POST /control', reason: 'One call, as a figure.' },
  {
    page: 'docs/using/service-faults.md',
    begins: 'url: http',
    reason: 'It is about an RP of the reader; test/cli/suite.test.ts plays one like it.',
  },
  { page: 'docs/using/postgresql.md', begins: 'handset serve --role', reason: 'It needs a database and a balancer.' },
  { page: 'docs/using/sdk.md', begins: 'npm i -D handset', reason: 'It fetches the package from the registry.' },
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
  { page: 'docs/using/ci.md', begins: 'pipeline {', reason: IN_RECIPES },
]
