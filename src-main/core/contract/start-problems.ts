import { type Coded, type ParamsOf, textOf } from '../protocol/coded.ts'
import { reasons } from '../protocol/reasons.ts'
import { shellWord } from '../protocol/shell-word.ts'
import type { Reason, Refusal } from './errors.ts'
import type { PhoneTrouble } from './phone-trouble.ts'

type OfFile = { readonly file: string }
type Says = { readonly message: string }
type Got = { readonly got: string }
type Versions = { readonly version: number; readonly known: number }
type Holder = { readonly shown: string; readonly pid: number; readonly host: string }

const FILE: Readonly<Record<string, string>> = {
  ENOENT: 'cannot be made there',
  EEXIST: 'is a file, where a folder should be',
  ENOTDIR: 'lies below a file, not a folder',
  EISDIR: 'is a folder, where a file should be',
  EACCES: 'is not open to this user',
  EPERM: 'is not open to this user',
  EROFS: 'cannot be written: the disk is read-only',
  ENOSPC: 'cannot be written: the disk is full',
  EDQUOT: 'cannot be written: the user’s part of the disk is full',
  ENAMETOOLONG: 'has too long a name',
  ELOOP: 'is a link that leads to itself',
}

/** Why the system refuses a file, in English. */
export const systemRefusals = {
  database_says: ({ message }: Says) => `the database cannot be used: ${message}.`,
  file_refused: ({ file = 'a file in it', errno, message }: Says & { file?: string; errno: string }) =>
    Object.hasOwn(FILE, errno) ? `${file} ${FILE[errno]}.` : `${message}.`,
}

export type SystemRefusal = Coded<ParamsOf<typeof systemRefusals>>

/** Why a certificate or its key cannot be used, in English. */
export const certificateProblems = {
  no_certificate: 'it holds no certificate in PEM',
  certificate_expired: ({ at }: { at: string }) => `the certificate expired at ${at}`,
  certificate_not_yet: ({ from }: { from: string }) => `the certificate is not valid before ${from}`,
  openssl_refuses: ({ message }: Says) => `OpenSSL refuses it: ${message}`,
  no_private_key: 'it holds no private key in PEM',
  key_encrypted: 'it is encrypted; write it without a passphrase, as openssl pkey does',
  key_of_another: 'it is the key of another certificate',
}

export type CertificateProblem = Coded<ParamsOf<typeof certificateProblems>> & { readonly of: 'certificate' | 'key' }

const URL_SHAPE = 'Expected postgres://USER:PASSWORD@HOST:PORT/DATABASE.'

/** Why a URL names no database, in English. The URL is left out, since it has a password in it. */
export const databaseUrls = {
  not_a_url: `it is not a URL. ${URL_SHAPE}`,
  not_postgres: ({ protocol }: { protocol: string }) => `it begins with ${protocol}//. ${URL_SHAPE}`,
  schema_unfit: ({ got }: Got) =>
    `schema must be lower-case letters, digits and _, at most 63, beginning with a letter; got "${got}".`,
  pool_unfit: ({ got, most }: Got & { most: number }) => `pool must be a whole number from 2 to ${most}; got "${got}".`,
  notifications_unfit: ({ got }: Got) => `notifications must be on or off; got "${got}".`,
}

export type DatabaseUrlProblem = Coded<ParamsOf<typeof databaseUrls>>

const LISTEN: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it; --port takes another, 0 a free one',
  EACCES: 'this user may not use it',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host name',
}

const upTo = ({ version, known }: Versions): string =>
  `has version ${version}; this program knows versions up to ${known}. Use a newer handset.`

/** Why a bench cannot start, in English. */
export const startProblems = {
  directory_in_use: ({ path, pid, since }: { path: string; pid?: string; since?: string }) =>
    `The data directory ${path} is in use by ${pid === undefined ? 'another process' : `process ${pid}`}${since === undefined ? '' : ` since ${since}`}. npx handset open --data ${shellWord(path)} shows its page.`,
  directory_refused: ({ path, cause }: { path: string; cause: SystemRefusal }) =>
    `The data directory ${path} cannot be used: ${textOf(systemRefusals, cause)} Move away what is in the way, or name another.`,
  directory_newer: (versions: Versions) => `The data directory ${upTo(versions)}`,
  no_version_in: ({ file }: OfFile) => `${file} does not hold a version number.`,
  database_refused: ({ file, message }: OfFile & Says) =>
    `The database ${file} cannot be used: ${message}. Move it away, or name another data directory.`,
  database_unreadable: ({ file, cause }: OfFile & { cause: SystemRefusal }) =>
    `The database ${file} cannot be read: ${textOf(systemRefusals, cause)}`,
  database_newer: (versions: Versions) => `The database ${upTo(versions)}`,
  phones_refused: ({ file, message }: OfFile & Says) =>
    `The phones’ database ${file} cannot be used: ${message}. Move it away, or name another data directory.`,
  phones_newer: ({ file, ...versions }: OfFile & Versions) => `The phones’ database ${file} ${upTo(versions)}`,
  main_damaged: ({ path, problem }: { path: string; problem: Reason }) =>
    `The workspace main in ${path} is damaged. ${textOf(reasons, problem)} Put back a copy of the directory, or name another.`,

  no_postgres_driver: 'The package pg is missing. Install it beside handset: npm install pg.',
  postgres_refused: ({ shown, message }: Says & { shown: string }) =>
    `The database ${shown} cannot be used: ${message}.`,
  postgres_newer: ({ shown, ...versions }: { shown: string } & Versions) => `The database ${shown} ${upTo(versions)}`,
  bench_place_taken: ({ shown, pid, host }: Holder) =>
    `The database ${shown} has a bench already: process ${pid} on ${host}. Stop it, or start this one with --role service.`,
  bench_place_lost: ({ shown, pid, host, seconds }: Holder & { seconds: number }) =>
    `The database ${shown} has another bench now: process ${pid} on ${host}. This one was silent for more than ${seconds} s.`,

  seed_refused: (_: { refusal: Refusal }) =>
    'The bench cannot be set up as the options and the configuration file say:',
  phone_refused: ({ name }: PhoneTrouble & { name: string }) => `The phone "${name}" cannot be made:`,

  authority_refused: ({ file, folder, problem }: OfFile & { folder: string; problem: CertificateProblem }) =>
    `${file}: ${textOf(certificateProblems, problem)}. Remove the folder ${folder}, and a new CA is made.`,
  cannot_listen: ({ host, port, errno }: { host: string; port: number; errno: string }) =>
    `Cannot listen on ${host.includes(':') ? `[${host}]` : host}:${port}: ${LISTEN[errno] ?? errno}.`,
  /** `directory`: the other bench's data directory, if known. */
  port_of_handset: ({ port, directory }: { port: number; directory?: string }) =>
    `Cannot listen on port ${port}: another Handset uses it${directory === undefined ? '' : `, with the data directory ${directory}`}. "npx handset open" shows its page; --port takes another port, 0 a free one.`,

  bench_file_unreadable: ({ file, message }: OfFile & Says) => `${file} cannot be read: ${message}.`,
  bench_file_damaged: ({ file }: OfFile) =>
    `${file} does not say where a bench is. Restart the bench of that directory.`,
}

export type StartProblem = Coded<ParamsOf<typeof startProblems>>
