import { McpServer } from '@modelcontextprotocol/server'
import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio'
import { findProblem } from '../../core/contract/validate.ts'
import { en } from '../../core/messages/en/en.ts'
import { textOf } from '../../core/protocol/coded.ts'
import { ControlError } from '../../sdk/client.ts'
import { type ToolContext, ToolProblem } from './tool-context.ts'
import { TOOLS, type Tool } from './tools.ts'

export type McpAbout = { readonly version: string; readonly instructions: string }

export const serveMcp = (context: ToolContext, about: McpAbout): StdioServerHandle =>
  serveStdio(() => {
    const server = new McpServer(
      { name: 'handset', version: about.version },
      { capabilities: { tools: {} }, instructions: about.instructions },
    )
    for (const tool of TOOLS) {
      const { name, description } = tool
      server.registerTool(name, { description, inputSchema: standardSchema(tool) }, async (input, { mcpReq }) =>
        answerOf(() => tool.run(context, input as never, mcpReq.signal)),
      )
    }
    return server
  })

/** Our schema in the form of https://standardschema.dev. */
const standardSchema = ({ input }: Tool) => ({
  '~standard': {
    version: 1 as const,
    vendor: 'handset',
    validate: (value: unknown) => {
      const problem = findProblem(value ?? {}, input)
      return problem === undefined ? { value: value ?? {} } : { issues: [{ message: textOf(en.reasons, problem) }] }
    },
    jsonSchema: { input: () => plain(input), output: () => plain(input) },
  },
})

/** Plain JSON Schema, without the keys for our own validator. */
const plain = (schema: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key.startsWith('x-') || key.startsWith('~') ? undefined : value)))

type Answer = { readonly content: { type: 'text'; text: string }[]; readonly isError?: true }

/** Callers can correct a call that the bench refuses: they get a sentence, never a stack trace. */
const answerOf = async (run: () => Promise<string>): Promise<Answer> => {
  try {
    return { content: [{ type: 'text', text: await run() }] }
  } catch (reason) {
    return { content: [{ type: 'text', text: problemOf(reason) }], isError: true }
  }
}

const problemOf = (reason: unknown): string => {
  if (reason instanceof ToolProblem) return reason.message
  if (reason instanceof ControlError) return `${reason.message} (${reason.code})`
  if (reason instanceof Error && /^(AbortError|TimeoutError)$/.test(reason.name)) return 'It was cancelled.'
  return 'The bench does not answer. Is it still running?'
}
