import { isOrigin } from '../core/contract/profile.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import type { WantedBench } from './bench-options.ts'
import type { OptionName } from './read-options.ts'

export const ROLES = ['all', 'service', 'bench'] as const
export type Role = (typeof ROLES)[number]

type RoleOptions = { readonly role?: string; readonly 'service-url'?: string }

/** What a process does of a Handset that several processes share. */
export const parseRole = (
  options: RoleOptions,
  { database, dataDirectory, tls }: WantedBench & { readonly tls?: unknown },
  named: OptionName,
): Result<{ readonly role: Role; readonly serviceUrl?: string }, string> => {
  const { role: text = 'all', 'service-url': serviceUrl } = options
  const role = ROLES.find((each) => each === text)
  if (role === undefined) return err(`${named('role')} must be ${ROLES.join(', ')}; got "${text}".`)
  if (role !== 'all' && database === undefined) {
    return err(`${named('role')} ${role} shares its data with other processes: name their database with --store.`)
  }
  if (role === 'service' && dataDirectory !== undefined) {
    return err(`${named('role')} service keeps nothing itself; ${named('data')} is for the bench.`)
  }
  if (role === 'service' && tls !== undefined) {
    return err(
      `${named('role')} service speaks http to its balancer, which speaks https to the others: leave out --tls.`,
    )
  }
  if ((role === 'bench') !== (serviceUrl !== undefined)) {
    return role === 'bench'
      ? err(`${named('role')} bench needs --service-url: where RPs and phones find the service.`)
      : err(`${named('service-url')} is for --role bench.`)
  }
  if (serviceUrl === undefined) return ok({ role })
  if (!isOrigin(serviceUrl) || !/^https?:/.test(serviceUrl)) {
    return err(
      `${named('service-url')} must be an origin such as https://fido.example, without a path; got "${serviceUrl}".`,
    )
  }
  return ok({ role, serviceUrl })
}
