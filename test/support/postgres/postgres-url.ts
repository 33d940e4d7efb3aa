import { inject } from 'vitest'
import { type PostgresLocation, parsePostgresUrl } from '../../../src-main/service/store/postgres/location.ts'
import { taken } from '../taken.ts'

const server = inject('postgres')

/** For `describe.skipIf`: the run has said why already. */
export const noPostgres = 'missing' in server

let schemas = 0

/** A database URL with a schema that no other test has. */
export const newSchemaUrl = (more = ''): string =>
  `${'url' in server ? server.url : 'postgres://none'}?schema=t${process.pid}_${++schemas}${more}`

/** The same database, asked through what listens there. */
export const atPort = (url: string, port: number): string => url.replace(/:\d+(?=\/)/, `:${port}`)

export const locationOf = (url: string): PostgresLocation => taken(parsePostgresUrl(url))
