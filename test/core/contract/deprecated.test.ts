import { expect, test } from 'vitest'
import { createOpenApi } from '../../../src-main/core/contract/open-api.ts'
import {
  answer,
  count,
  deprecated,
  object,
  optional,
  type RouteTable,
  text,
} from '../../../src-main/core/contract/schema.ts'
import { findProblem } from '../../../src-main/core/contract/validate.ts'
import { javaContract } from '../../docs/java-contract.ts'
import { pythonContract } from '../../docs/python-contract.ts'
import { routeRows } from '../../docs/schema-rows.ts'

/** One route that goes, and one with members that go: nothing else is said of them. */
const routes = {
  'notes.add': {
    method: 'POST',
    path: '/notes',
    summary: 'Adds a note.',
    deprecated: 'Use notes.put.',
    body: object({ words: text() }),
    data: answer({ length: count() }),
  },
  'notes.put': {
    method: 'PUT',
    path: '/notes',
    summary: 'Puts a note.',
    query: object({ from: optional(deprecated(text('Its first character.'), 'Leave it out.')) }),
    body: object({ words: text(), colour: optional(deprecated(text(), 'Use paint.')) }),
    data: answer({ length: deprecated(count(), 'Count yourself.') }),
  },
} as const satisfies RouteTable

const of = {
  ...{ title: 't', version: '1', description: 'd', servers: [], routes },
  security: { name: 'token', scheme: {} },
}

test('[contract.deprecated] a route and members that are deprecated are marked in the OpenAPI document, and no others', () => {
  const paths = createOpenApi(of).paths as Record<string, Record<string, object>>
  expect(paths['/notes']?.post).toMatchObject({ deprecated: true, description: 'Deprecated. Use notes.put.' })
  const put = paths['/notes']?.put
  expect(put).not.toHaveProperty('deprecated')
  expect(put).toMatchObject({
    parameters: [
      {
        name: 'from',
        deprecated: true,
        description: 'Deprecated. Leave it out. Its first character.',
        required: false,
      },
    ],
    requestBody: {
      content: {
        'application/json': {
          schema: {
            properties: { colour: { deprecated: true, description: 'Deprecated. Use paint.' } },
            required: ['words'],
          },
        },
      },
    },
  })
  expect(JSON.stringify(put)).toContain(
    '"length":{"type":"integer","maximum":9007199254740991,"minimum":0,"deprecated":true',
  )
  expect(JSON.stringify(put).match(/"deprecated":true/g)).toHaveLength(3)
})

test('[contract.deprecated] what is deprecated is validated as before', () => {
  const { body } = routes['notes.put']
  expect(findProblem({ words: 'a' }, body)).toBeUndefined()
  expect(findProblem({ words: 'a', colour: 'red' }, body)).toBeUndefined()
  expect(findProblem({ words: 'a', colour: 1 }, body)).toMatchObject({ params: { field: 'colour' } })
})

test('[contract.deprecated] it follows into the list of routes and the clients', () => {
  const [add = [], put = []] = routeRows(routes)
  expect(add[2]).toBe('Adds a note. **Deprecated. Use notes.put.**')
  expect(put.slice(2)).toEqual(['Puts a note.', '~~`from?`~~; `words`, ~~`colour?`~~'])
  const java = javaContract(routes)
  expect(java).toContain('     * @deprecated Use notes.put.\n     */\n    @Deprecated\n    public Json notesAdd(')
  expect(java.match(/@Deprecated/g)).toHaveLength(1)
  const python = pythonContract(routes)
  expect(python).toContain('        self._deprecated("notes_add: Use notes.put.")\n')
  expect(python.match(/self\._deprecated\(/g)).toHaveLength(1)
})
