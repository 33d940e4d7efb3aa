import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What says a version: the tag, the manifests of the package and of both clients, and the changelog. */
export type Versions = {
  readonly tag: string
  readonly packageJson: string
  readonly pyproject: string
  readonly pom: string
  readonly changelog: string
}

const text = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')

/** What this checkout says. */
export const versionsFor = (tag: string): Versions => ({
  tag,
  packageJson: text('package.json'),
  pyproject: text('clients/python/pyproject.toml'),
  pom: text('clients/java/pom.xml'),
  changelog: text('CHANGELOG.md'),
})

/** Why nothing can be released under this tag; empty when it can. */
export const releaseProblems = ({ tag, packageJson, pyproject, pom, changelog }: Versions): string[] => {
  const version = /^v(\d+\.\d+\.\d+)$/.exec(tag)?.[1]
  if (version === undefined) return [`The tag must be one such as v1.2.3; got "${tag}".`]
  const found = {
    'package.json': (JSON.parse(packageJson) as { readonly version: string }).version,
    'clients/python/pyproject.toml': /^version = "(.*)"$/m.exec(pyproject)?.[1],
    // The first one is the project's own.
    'clients/java/pom.xml': /<version>(.*?)<\/version>/.exec(pom)?.[1],
  }
  const others = Object.entries(found)
    .filter(([, theirs]) => theirs !== version)
    .map(([file, theirs]) => `${file} has version ${theirs}, the tag ${version}.`)
  const notes = notesOf(changelog, version)
  return [
    ...others,
    ...(notes === undefined ? [`CHANGELOG.md has no part "## ${version}".`] : []),
    ...(notes === '' ? [`CHANGELOG.md says nothing under "## ${version}".`] : []),
    ...(notesOf(changelog, 'Unreleased') ? ['CHANGELOG.md still has something under "## Unreleased".'] : []),
  ]
}

/** A version's part of the changelog; undefined when it has none. */
export const notesOf = (changelog: string, version: string): string | undefined => {
  const parts = changelog.split(/^## /m).slice(1)
  const part = parts.find((text) => /^\[?([^\]\s]+)/.exec(text)?.[1] === version)
  return part?.slice(part.indexOf('\n') + 1).trim()
}
