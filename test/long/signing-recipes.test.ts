import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SigningVector } from '../recipes/signing-vectors.ts'
import { missingPrograms } from '../support/missing-programs.ts'
import { isNightly } from '../support/parts.ts'
import { folderOfFile } from '../support/temporary-folder.ts'

const recipes = join(import.meta.dirname, '../../docs/interface/signing')
const vectors: readonly SigningVector[] = JSON.parse(readFileSync(join(recipes, 'vectors.json'), 'utf8')).vectors
const folder = folderOfFile()

const recipe = (file: string): string => join(recipes, file)
const made = (file: string): string => join(folder, file)

/** What makes a recipe a program, if anything does, and what runs it. */
const languages = {
  'sign.sh': { needs: ['bash', 'openssl'], run: ['bash', recipe('sign.sh')] },
  'sign.mjs': { needs: [], run: [process.execPath, recipe('sign.mjs')] },
  'sign.py': { needs: ['python3'], run: ['python3', recipe('sign.py')] },
  'sign.php': { needs: ['php'], run: ['php', recipe('sign.php')] },
  'sign.go': { needs: ['go'], make: ['go', 'build', '-o', made('sign'), recipe('sign.go')], run: [made('sign')] },
  'Sign.java': {
    needs: ['javac', 'java'],
    make: ['javac', '-d', folder, recipe('Sign.java')],
    run: ['java', '-XX:TieredStopAtLevel=1', '-cp', folder, 'Sign'],
  },
  'Sign.cs': {
    needs: ['mcs', 'mono'],
    make: ['mcs', `-out:${made('Sign.exe')}`, recipe('Sign.cs')],
    run: ['mono', made('Sign.exe')],
  },
} as const satisfies Readonly<
  Record<
    string,
    { readonly needs: readonly string[]; readonly make?: readonly string[]; readonly run: readonly string[] }
  >
>

const signed = (run: readonly string[], vector: SigningVector): Promise<string> =>
  new Promise((resolve, reject) => {
    const [program = '', ...args] = run
    const headers = vector.headers.map((header) => header.join(':'))
    const env = {
      ...process.env,
      LC_ALL: 'C.UTF-8',
      ACCESS_KEY_ID: vector.access_key_id,
      SECRET_KEY: vector.secret_key,
      SCOPE_IDENTIFIER: vector.scope_identifier,
      SVC_DATE: vector.x_svc_date,
    }
    const child = execFile(program, [...args, vector.method, vector.url, ...headers], { env }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    )
    child.stdin?.end(vector.body)
  })

const missing = new Map(Object.entries(languages).map(([file, { needs }]) => [file, missingPrograms(needs)]))
const there = [...missing].filter(([, programs]) => programs.length === 0).map(([file]) => file)

/** A program is started for each vector: each is for the next recipe that can run. In the nightly part every recipe has all. */
const vectorsFor = (file: string) => vectors.filter((_, i) => isNightly || i % there.length === there.indexOf(file))

test.each(Object.entries(languages))('%s signs as the service wants it', async (file, language) => {
  if (!there.includes(file)) return console.log(`${file} was not run: there is no ${missing.get(file)?.join(', ')}`)
  if ('make' in language)
    execFileSync(language.make[0], language.make.slice(1), { env: { ...process.env, GOCACHE: made('go') } })
  for (const vector of vectorsFor(file)) {
    const expected = `X-Svc-Date: ${vector.x_svc_date}\nAuthorization: ${vector.authorization}\n`
    expect(await signed(language.run, vector), vector.name).toBe(expected)
  }
})
