import type { Body } from '../core/contract/control/routes.ts'
import { type TokenState, tokenRoutes } from '../core/contract/control/token-routes.ts'
import { findProblem } from '../core/contract/validate.ts'
import { en } from '../core/messages/en/en.ts'
import { textOf } from '../core/messages/text.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { formatRfc3339 } from '../core/protocol/time.ts'
import { callBench } from './call-bench.ts'
import { fail, makeCommand, misuse } from './command.ts'
import type { ParsedOptions, tokenOptions } from './options.ts'
import { paintFor, type Terminal } from './terminal.ts'

export const token = makeCommand(
  {
    name: 'token',
    usage: 'new | list | revoke ID… [OPTIONS]',
    more: [
      'new prints the token alone: TOKEN=$(handset token new --workspace ci). It is shown once; its hash is kept.',
    ],
  },
  async ({ options, positionals: [verb = 'list', ...ids], named }, environment) => {
    const { terminal } = environment
    if (verb !== 'new' && verb !== 'list' && verb !== 'revoke') {
      return misuse(environment, 'token', `it does new, list or revoke, not "${verb}".`)
    }
    if (verb === 'revoke' ? ids.length === 0 : ids.length > 0) {
      return misuse(
        environment,
        'token',
        verb === 'revoke' ? 'which token? handset token list names them.' : `${verb} takes no "${ids[0]}".`,
      )
    }
    const wanted = wantedToken(options)
    if (!wanted.ok) return misuse(environment, 'token', wanted.error)
    const bench = callBench('token', options, { environment, named })
    if (typeof bench === 'number') return bench
    if (verb === 'new') {
      const made = await bench.try((client, signal) => client.call('tokens.create', { body: wanted.value, signal }))
      if (!made.ok) return fail(environment, 'token', made.error)
      terminal.out(options.json === true ? JSON.stringify(made.value) : made.value.secret)
      return 0
    }
    if (verb === 'list') {
      const listed = await bench.try((client, signal) => client.call('tokens.list', { signal }))
      if (!listed.ok) return fail(environment, 'token', listed.error)
      terminal.out(options.json === true ? JSON.stringify(listed.value) : tokenTable(listed.value.tokens, terminal))
      return 0
    }
    for (const id of ids) {
      const revoked = await bench.try((client, signal) => client.call('tokens.revoke', { params: { id }, signal }))
      if (!revoked.ok) return fail(environment, 'token', revoked.error)
      terminal.out(options.json === true ? JSON.stringify({ revoked: id }) : `${id} is revoked.`)
    }
    return 0
  },
)

type TokenOptions = ParsedOptions<typeof tokenOptions>

const QUOTAS = { 'most-phones': 'phones', 'most-credentials': 'credentials', 'most-messages': 'messages' } as const

const wantedToken = (options: TokenOptions): Result<Body<'tokens.create'>, string> => {
  const quota: Record<string, number> = {}
  for (const [option, of] of Object.entries(QUOTAS)) {
    const most = options[option as keyof typeof QUOTAS]
    if (most !== undefined) quota[of] = most
  }
  const body: Body<'tokens.create'> = {
    ...(options.name === undefined ? {} : { name: options.name }),
    workspaces: (options.workspace ?? []).filter(Boolean),
    may_open: options['may-open'],
    quota,
    reveal_secrets: options['reveal-secrets'] === true,
  }
  const problem = findProblem(body, tokenRoutes['tokens.create'].body)
  return problem === undefined ? ok(body) : err(textOf(en.reasons, problem))
}

const tokenTable = (tokens: readonly TokenState[], terminal: Terminal): string => {
  if (tokens.length === 0) return 'No tokens but the bench’s own.'
  const { dim } = paintFor(terminal)
  return tokens
    .map(({ id, name, workspaces, may_open, reveal_secrets, created_at }) =>
      [
        id,
        name,
        workspaces.length === 0 ? dim('no workspace') : workspaces.join(', '),
        ...(may_open > 0 ? [`may open ${may_open}`] : []),
        ...(reveal_secrets ? ['reveals secrets'] : []),
        dim(formatRfc3339(created_at)),
      ].join('  '),
    )
    .join('\n')
}
