/** For npm run package: the notices of all that the desktop program has inside, beside what was built. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/imports.ts'
import { licencesOf } from './licences.ts'
import { PEERS } from './peers.ts'

writeFileSync(join(ROOT, 'out/THIRD-PARTY-LICENCES.txt'), licencesOf(Object.keys(PEERS)))
