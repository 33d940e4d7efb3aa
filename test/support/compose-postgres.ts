import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ROOT } from './imports.ts'

export type ComposeService = {
  readonly image: string
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly configs?: readonly { readonly source: string }[]
}

/** What stands in .env. */
export const COMPOSE_ENV: Readonly<Record<string, string>> = {
  DATABASE_PASSWORD: 'a-password-of-24-letters',
  CONTROL_TOKEN: 'control-token-0123456789ab',
  METRICS_TOKEN: 'metrics-token-0123456789ab',
}

/** compose.postgres.yaml with its variables filled in, as Compose does it. */
export const readCompose = (): {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly configs: Readonly<Record<string, { readonly content: string }>>
} => {
  const text = readFileSync(join(ROOT, 'compose.postgres.yaml'), 'utf8')
  const filled = text.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, how: string, fallback: string) => {
    const value = COMPOSE_ENV[name] ?? (how === '-' ? fallback : undefined)
    if (value === undefined) throw new Error(`${name} is not set`)
    return value
  })
  return parse(filled, { merge: true })
}

/** The balancer's configuration as it is, but on this machine: each server is one of these ports. */
export const composeBalancer = (ports: {
  readonly own: number
  readonly services: readonly number[]
  readonly bench: number
}): string => {
  const { content = '' } = readCompose().configs.balancer ?? {}
  return (
    content
      .replace('bind :7420', `bind 127.0.0.1:${ports.own}`)
      .replace(/service-(\d):7420/g, (_, n: string) => `127.0.0.1:${ports.services[Number(n) - 1]}`)
      // Noticed sooner.
      .replaceAll('inter 1s', 'inter 100ms')
      .replace('bench:7420', `127.0.0.1:${ports.bench}`)
  )
}
