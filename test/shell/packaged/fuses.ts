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

type Fuses = Readonly<Record<(typeof PLACES)[number], boolean>>

const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

/** As they stand in a program: behind the sentinel version, number of places, then one character each. */
export const wireOf = (places: string, version = 1): Buffer =>
  Buffer.concat([Buffer.from(SENTINEL), Buffer.from([version, places.length]), Buffer.from(places)])

/** What the program was built with; a universal program has one wire for each processor. */
const readFuses = (program: Buffer): readonly Fuses[] => {
  const found: Fuses[] = []
  for (let at = program.indexOf(SENTINEL); at >= 0; at = program.indexOf(SENTINEL, at + 1)) {
    const start = at + SENTINEL.length
    const [version, places = 0] = program.subarray(start, start + 2)
    if (version !== 1 || places < PLACES.length) continue
    const wire = program.subarray(start + 2, start + 2 + places).toString('latin1')
    found.push(Object.fromEntries(PLACES.map((name, i) => [name, wire[i] === '1'])) as Fuses)
  }
  return found
}

/** The fuses that are not as they were ordered, by name; a program without any has them all wrong. */
export const wrongFuses = (program: Buffer, wanted: Readonly<Record<string, boolean>>): readonly string[] => {
  const found = readFuses(program)
  const ordered = PLACES.filter((name) => Object.hasOwn(wanted, name))
  return found.length === 0 ? ordered : ordered.filter((name) => found.some((fuses) => fuses[name] !== wanted[name]))
}
