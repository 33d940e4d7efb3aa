import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OPTIONS } from '../../../src-main/cli/options.ts'
import { findRoot } from '../../../src-main/cli/root.ts'
import { findProblem } from '../../../src-main/core/contract/validate.ts'
import { mcpServerOf } from '../../package/mcp-server.ts'

const manifest = JSON.parse(readFileSync(join(findRoot(import.meta.dirname), 'package.json'), 'utf8'))
const ours = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'Some-Owner/a.repository' }

const text = (more: object = {}) => ({ type: 'string', ...more })
const object = (properties: object, ...required: readonly string[]) => ({
  ...{ type: 'object', additionalProperties: false, properties, required },
})
/** The rules of the registry's server.schema.json for the fields that we use; any other field is a mistake here. */
const RULES = object(
  {
    $schema: text({
      pattern: '^https://static\\.modelcontextprotocol\\.io/schemas/[\\d-]{10}/server\\.schema\\.json$',
    }),
    name: text({ pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$', minLength: 3, maxLength: 200 }),
    title: text({ minLength: 1, maxLength: 100 }),
    description: text({ minLength: 1, maxLength: 100 }),
    version: text({ pattern: '^\\d+\\.\\d+\\.\\d+(-[\\w.-]+)?$', maxLength: 255 }),
    repository: object({ url: text({ pattern: '^https://' }), source: { const: 'github' } }, 'url', 'source'),
    packages: {
      type: 'array',
      items: object(
        {
          registryType: { const: 'npm' },
          identifier: { const: manifest.name },
          version: { const: manifest.version },
          runtimeHint: { const: 'npx' },
          transport: object({ type: { const: 'stdio' } }, 'type'),
          packageArguments: {
            type: 'array',
            items: object({ type: { const: 'positional' }, value: { enum: Object.keys(OPTIONS) } }, 'type', 'value'),
          },
        },
        ...['registryType', 'identifier', 'transport', 'packageArguments'],
      ),
    },
  },
  ...['$schema', 'name', 'description', 'version', 'packages'],
)

test('the entry for the MCP registry keeps its rules, starts a command that there is, and has the package’s own name', () => {
  const made = mcpServerOf(manifest, ours)
  expect(findProblem(made?.document, RULES)).toBeUndefined()
  expect(made?.document).toMatchObject({ name: made?.mcpName, packages: [{ packageArguments: [{ value: 'mcp' }] }] })
  expect(made?.mcpName).toBe('io.github.Some-Owner/handset')
})

test('a package that no workflow of GitHub packs has no entry', () => {
  const elsewhere = { ...ours, GITHUB_SERVER_URL: 'https://git.example' }
  expect([mcpServerOf(manifest, {}), mcpServerOf(manifest, elsewhere)]).toEqual([undefined, undefined])
})
