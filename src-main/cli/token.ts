import type { Body } from '../core/contract/control/routes.ts'
import { type TokenState, tokenRoutes } from '../core/contract/control/token-routes.ts'
import { findProblem } from '../core/contract/validate.ts'
import { en } from '../core/messages/en/en.ts'
import { textOf } from '../core/protocol/coded.ts'
import { withoutUndefined } from '../core/protocol/json.ts'
import { formatRfc3339 } from '../core/protocol/time.ts'
import { makeCommand } from './command.ts'
import { misuse } from './command-end.ts'
import { openBenchClient } from './find-bench.ts'
import type { OptionsOf } from './options.ts'
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
    if (verb !== 'new' && verb !== 'list' && verb !== 'revoke') misuse(`it does new, list or revoke, not "${verb}".`)
    if (verb === 'revoke' && ids.length === 0) misuse('which token? handset token list names them.')
    if (verb !== 'revoke' && ids.length > 0) misuse(`${verb} takes no "${ids[0]}".`)
    const body = wantedToken(options)
    const bench = openBenchClient({ options, named }, environment)
    if (verb === 'new') {
      const made = await bench.ask((client, signal) => client.call('tokens.create', { body, signal }))
      terminal.out(options.json === true ? JSON.stringify(made) : made.secret)
    }
    if (verb === 'list') {
      const listed = await bench.ask((client, signal) => client.call('tokens.list', { signal }))
      terminal.out(options.json === true ? JSON.stringify(listed) : tokenTable(listed.tokens, terminal))
    }
    for (const id of ids) {
      await bench.ask((client, signal) => client.call('tokens.revoke', { params: { id }, signal }))
      terminal.out(options.json === true ? JSON.stringify({ revoked: id }) : `${id} is revoked.`)
    }
    return 0
  },
)

type TokenOptions = OptionsOf<'token'>

const wantedToken = (options: TokenOptions): Body<'tokens.create'> => {
  const { name, 'most-phones': phones, 'most-credentials': credentials, 'most-messages': messages } = options
  const body: Body<'tokens.create'> = {
    ...withoutUndefined({ name }),
    workspaces: (options.workspace ?? []).filter(Boolean),
    may_open: options['may-open'],
    quota: withoutUndefined({ phones, credentials, messages }),
    reveal_secrets: options['reveal-secrets'] === true,
  }
  const problem = findProblem(body, tokenRoutes['tokens.create'].body)
  return problem === undefined ? body : misuse(textOf(en.reasons, problem))
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
