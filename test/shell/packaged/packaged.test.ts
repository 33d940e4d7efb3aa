import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { wireOf, wrongFuses } from './fuses.ts'
import { lostLicences, missingNotices } from './licences.ts'

const wire = (places: string, version = 1): Buffer =>
  Buffer.concat([Buffer.alloc(100, 7), wireOf(places, version), Buffer.alloc(100, 7)])

it('the check of what was packed names the fuses that are not as they were ordered, and all of them where there are none', () => {
  const wanted = { runAsNode: false, onlyLoadAppFromAsar: true, resetAdHocDarwinSignature: true }
  expect(wrongFuses(wire('01001100'), wanted)).toEqual([])
  expect(wrongFuses(Buffer.concat([wire('01001100'), wire('11001100')]), wanted)).toEqual(['runAsNode'])
  for (const none of [Buffer.from('a program'), wire('01001100', 2), wire('010')])
    expect(wrongFuses(none, wanted)).toEqual(['runAsNode', 'onlyLoadAppFromAsar'])
})

it('the check of what was packed finds a package that lost its licence on the way into the archive', () => {
  const source = temporaryFolder()
  const archive = temporaryFolder()
  const put = (folder: string, ...names: readonly string[]): void => {
    mkdirSync(folder, { recursive: true })
    for (const name of names) writeFileSync(join(folder, name), '{}')
  }
  put(join(source, 'node_modules/@a/kept'), 'package.json', 'LICENCE')
  put(join(archive, 'node_modules/@a/kept'), 'package.json', 'LICENCE')
  put(join(source, 'node_modules/lost'), 'package.json', 'license')
  put(join(archive, 'node_modules/lost'), 'package.json')
  put(join(source, 'node_modules/never-had-one'), 'package.json')
  put(join(archive, 'node_modules/never-had-one'), 'package.json')
  put(join(source, 'node_modules/not-packed'), 'package.json', 'LICENSE')
  expect(lostLicences({ archive, source })).toEqual(['node_modules/lost'])
})

it('the check of what was packed finds a package whose notice is missing, or has nothing below its name', () => {
  const notices = `react 1.0.0 (MIT)\n\nPermission\n\n${'-'.repeat(80)}\n\nempty 1.0.0 (MIT)\n\n\n`
  expect(missingNotices(['react', 'empty', 'gone'], notices)).toEqual(['empty', 'gone'])
})
