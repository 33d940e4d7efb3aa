import type { Coded, NoParams } from '../protocol/coded.ts'
import type { Reason, Refusal } from './errors.ts'

type OfFile = { readonly file: string }
type Versions = { readonly version: number; readonly known: number }
type Holder = { readonly shown: string; readonly pid: number; readonly host: string }

export type SystemRefusalParams = {
  readonly database_says: { readonly message: string }
  readonly file_refused: { readonly file?: string; readonly errno: string; readonly message: string }
}

export type SystemRefusal = Coded<SystemRefusalParams>

export type CertificateProblemParams = {
  readonly no_certificate: NoParams
  readonly certificate_expired: { readonly at: string }
  readonly certificate_not_yet: { readonly from: string }
  readonly openssl_refuses: { readonly message: string }
  readonly no_private_key: NoParams
  readonly key_encrypted: NoParams
  readonly key_of_another: NoParams
}

export type CertificateProblem = Coded<CertificateProblemParams> & { readonly of: 'certificate' | 'key' }

/** The URL is left out, since it has a password in it. */
export type DatabaseUrlProblemParams = {
  readonly not_a_url: NoParams
  readonly not_postgres: { readonly protocol: string }
  readonly schema_unfit: { readonly got: string }
  readonly pool_unfit: { readonly got: string; readonly most: number }
  readonly notifications_unfit: { readonly got: string }
}

export type DatabaseUrlProblem = Coded<DatabaseUrlProblemParams>

export type StartProblemParams = {
  readonly directory_in_use: { readonly path: string; readonly pid?: string; readonly since?: string }
  readonly directory_refused: { readonly path: string; readonly cause: SystemRefusal }
  readonly directory_newer: Versions
  readonly no_version_in: OfFile
  readonly database_refused: OfFile & { readonly message: string }
  readonly database_unreadable: OfFile & { readonly cause: SystemRefusal }
  readonly database_newer: Versions
  readonly phones_refused: OfFile & { readonly message: string }
  readonly phones_newer: OfFile & Versions
  readonly main_damaged: { readonly path: string; readonly problem: Reason }

  readonly no_postgres_driver: NoParams
  readonly postgres_refused: { readonly shown: string; readonly message: string }
  readonly postgres_newer: { readonly shown: string } & Versions
  readonly bench_place_taken: Holder
  readonly bench_place_lost: Holder & { readonly seconds: number }

  readonly seed_refused: { readonly refusal: Refusal }
  readonly phone_refused: {
    readonly name: string
    readonly word: string
    readonly reason?: Reason | undefined
    readonly service_code?: number | undefined
  }

  readonly authority_refused: OfFile & { readonly folder: string; readonly problem: CertificateProblem }
  readonly cannot_listen: { readonly host: string; readonly port: number; readonly errno: string }
  /** `directory`: the other bench's data directory, if known. */
  readonly port_of_handset: { readonly port: number; readonly directory?: string }

  readonly bench_file_unreadable: OfFile & { readonly message: string }
  readonly bench_file_damaged: OfFile
}

export type StartProblem = Coded<StartProblemParams>
