import type {
  CertificateProblemParams,
  DatabaseUrlProblemParams,
  StartProblemParams,
  SystemRefusalParams,
} from '../../contract/start-problems.ts'
import { shellWord } from '../../protocol/shell-word.ts'
import { type Texts, textOf } from '../text.ts'
import { reasons } from './reasons.ts'

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

export const systemRefusals: Texts<SystemRefusalParams> = {
  database_says: ({ message }) => `the database cannot be used: ${message}.`,
  file_refused: ({ file = 'a file in it', errno, message }) =>
    Object.hasOwn(FILE, errno) ? `${file} ${FILE[errno]}.` : `${message}.`,
}

export const certificateProblems: Texts<CertificateProblemParams> = {
  no_certificate: 'it holds no certificate in PEM',
  certificate_expired: ({ at }) => `the certificate expired at ${at}`,
  certificate_not_yet: ({ from }) => `the certificate is not valid before ${from}`,
  openssl_refuses: ({ message }) => `OpenSSL refuses it: ${message}`,
  no_private_key: 'it holds no private key in PEM',
  key_encrypted: 'it is encrypted; write it without a passphrase, as openssl pkey does',
  key_of_another: 'it is the key of another certificate',
}

const URL_SHAPE = 'Expected postgres://USER:PASSWORD@HOST:PORT/DATABASE.'

export const databaseUrls: Texts<DatabaseUrlProblemParams> = {
  not_a_url: `it is not a URL. ${URL_SHAPE}`,
  not_postgres: ({ protocol }) => `it begins with ${protocol}//. ${URL_SHAPE}`,
  schema_unfit: ({ got }) =>
    `schema must be lower-case letters, digits and _, at most 63, beginning with a letter; got "${got}".`,
  pool_unfit: ({ got, most }) => `pool must be a whole number from 2 to ${most}; got "${got}".`,
  notifications_unfit: ({ got }) => `notifications must be on or off; got "${got}".`,
}

const LISTEN: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it; --port takes another, 0 a free one',
  EACCES: 'this user may not use it',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host name',
}

const upTo = ({ version, known }: StartProblemParams['directory_newer']): string =>
  `has version ${version}; this program knows versions up to ${known}. Use a newer handset.`

export const startProblems: Texts<StartProblemParams> = {
  directory_in_use: ({ path, pid, since }) =>
    `The data directory ${path} is in use by ${pid === undefined ? 'another process' : `process ${pid}`}${since === undefined ? '' : ` since ${since}`}. npx handset open --data ${shellWord(path)} shows its page.`,
  directory_refused: ({ path, cause }) =>
    `The data directory ${path} cannot be used: ${textOf(systemRefusals, cause)} Move away what is in the way, or name another.`,
  directory_newer: (versions) => `The data directory ${upTo(versions)}`,
  no_version_in: ({ file }) => `${file} does not hold a version number.`,
  database_refused: ({ file, message }) =>
    `The database ${file} cannot be used: ${message}. Move it away, or name another data directory.`,
  database_unreadable: ({ file, cause }) => `The database ${file} cannot be read: ${textOf(systemRefusals, cause)}`,
  database_newer: (versions) => `The database ${upTo(versions)}`,
  phones_refused: ({ file, message }) =>
    `The phones’ database ${file} cannot be used: ${message}. Move it away, or name another data directory.`,
  phones_newer: ({ file, ...versions }) => `The phones’ database ${file} ${upTo(versions)}`,
  main_damaged: ({ path, problem }) =>
    `The workspace main in ${path} is damaged. ${textOf(reasons, problem)} Put back a copy of the directory, or name another.`,

  no_postgres_driver: 'The package pg is missing. Install it beside handset: npm install pg.',
  postgres_refused: ({ shown, message }) => `The database ${shown} cannot be used: ${message}.`,
  postgres_newer: ({ shown, ...versions }) => `The database ${shown} ${upTo(versions)}`,
  bench_place_taken: ({ shown, pid, host }) =>
    `The database ${shown} has a bench already: process ${pid} on ${host}. Stop it, or start this one with --role service.`,
  bench_place_lost: ({ shown, pid, host, seconds }) =>
    `The database ${shown} has another bench now: process ${pid} on ${host}. This one was silent for more than ${seconds} s.`,

  seed_refused: () => 'The bench cannot be set up as the options and the configuration file say:',
  phone_refused: ({ name }) => `The phone "${name}" cannot be made:`,

  authority_refused: ({ file, folder, problem }) =>
    `${file}: ${textOf(certificateProblems, problem)}. Remove the folder ${folder}, and a new CA is made.`,
  cannot_listen: ({ host, port, errno }) =>
    `Cannot listen on ${host.includes(':') ? `[${host}]` : host}:${port}: ${LISTEN[errno] ?? errno}.`,
  port_of_handset: ({ port, directory }) =>
    `Cannot listen on port ${port}: another Handset uses it${directory === undefined ? '' : `, with the data directory ${directory}`}. "npx handset open" shows its page; --port takes another port, 0 a free one.`,

  bench_file_unreadable: ({ file, message }) => `${file} cannot be read: ${message}.`,
  bench_file_damaged: ({ file }) => `${file} does not say where a bench is. Restart the bench of that directory.`,
}
