/** Electron's switches that are set in its program file, in the order of their places on the wire. */
const PLACES = [
  'runAsNode',
  'enableCookieEncryption',
  'enableNodeOptionsEnvironmentVariable',
  'enableNodeCliInspectArguments',
  'enableEmbeddedAsarIntegrityValidation',
  'onlyLoadAppFromAsar',
  'loadBrowserProcessSpecificV8Snapshot',
  'grantFileProtocolExtraPrivileges',
] as const

export type Fuses = Readonly<Record<(typeof PLACES)[number], boolean>>

const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

/** What the program was built with; a universal program has one wire for each processor. */
export const readFuses = (program: Buffer): readonly Fuses[] => {
  const found: Fuses[] = []
  for (let at = program.indexOf(SENTINEL); at >= 0; at = program.indexOf(SENTINEL, at + 1)) {
    // Behind the sentinel: version, number of places, then one character each.
    const start = at + SENTINEL.length
    const [version, places = 0] = program.subarray(start, start + 2)
    if (version !== 1 || places < PLACES.length) continue
    const wire = program.subarray(start + 2, start + 2 + places).toString('latin1')
    found.push(Object.fromEntries(PLACES.map((name, i) => [name, wire[i] === '1'])) as Fuses)
  }
  return found
}
