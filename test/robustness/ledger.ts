/** What a client was told, and what they asked for without hearing of it: all that a crash may not change. */
export type Verdict = 'success' | 'fail'

export type MessageFacts = {
  readonly kind: 'registration' | 'authentication'
  /** The device that a push was made for. */
  pushedTo?: string
  bindAsked?: boolean
  boundTo?: string
  /** The ends that its answers can have had. */
  readonly asked: Set<Verdict>
  told?: Verdict
  readAsked?: boolean
  read?: boolean
  /** Of a registration: the credential that its answer brings. */
  credential?: string
}

/** Something that is made and taken away again; in between, its state is unknown. */
export type Presence = 'coming' | 'there' | 'going' | 'gone'

export type Ledger = {
  readonly messages: Map<string, MessageFacts>
  readonly credentials: Map<string, Presence>
  /** Device tokens, by device. */
  readonly devices: Map<string, { readonly token: string; presence: Presence }>
  /** By credential: its etag as last heard, or `unknown` while a change of it is under way, or `absent`. */
  readonly vault: Map<string, string>
  /** Credentials of virtual phones, with the phone's id. */
  readonly held: Map<string, string>
}

export const emptyLedger = (): Ledger => ({
  messages: new Map(),
  credentials: new Map(),
  devices: new Map(),
  vault: new Map(),
  held: new Map(),
})

type Row = Readonly<Record<string, string | number | null>>

export type Exported = {
  readonly service: { readonly tables: Readonly<Record<string, readonly Row[]>> }
  /** What phones.db holds. */
  readonly phones: {
    readonly phones: readonly { readonly json: string; readonly chip: readonly { readonly id: string }[] }[]
  }
}

export type PhoneRow = { readonly id: string; readonly credentials: readonly { readonly id: string }[] }

/** Everything in which the service's rows and the ledger disagree, and every row that cannot be. */
export const disagreements = (
  { service: { tables }, phones: stored }: Exported,
  phones: readonly PhoneRow[],
  ledger: Ledger,
): readonly string[] => {
  const of = (table: string): readonly Row[] => tables[table] ?? []
  const by = (table: string, key: (row: Row) => unknown) => new Map(of(table).map((row) => [key(row), row]))
  const messages = by('messages', ({ id }) => id)
  const credentials = by('credentials', ({ id }) => id)
  const devices = by('devices', ({ id }) => id)
  const pushes = by('pushes', ({ device, msg_id }) => `${device} ${msg_id}`)
  const vault = by('vault', ({ credential_id }) => credential_id)
  const rps = by('rps', ({ id }) => id)
  const accounts = by('accounts', ({ id }) => id)
  const wrong: string[] = []
  const claim = (holds: boolean, what: string): void => {
    if (!holds) wrong.push(what)
  }

  for (const [id, facts] of ledger.messages) {
    const row = messages.get(id)
    if (row === undefined) {
      wrong.push(`message ${id} was acknowledged and is gone`)
      continue
    }
    const { state } = row
    const ended = state === 'success' || state === 'fail'
    claim(facts.told === undefined || state === facts.told, `message ${id}: told ${facts.told}, is ${state}`)
    claim(facts.boundTo === undefined || row.device === facts.boundTo, `message ${id}: bound to ${row.device}`)
    claim(facts.boundTo === undefined || state !== 'init', `message ${id}: was bound and is in init`)
    claim(facts.bindAsked === true || state === 'init', `message ${id}: ${state}, though it was not bound`)
    claim(!ended || facts.asked.has(state), `message ${id}: ${state}, which no answer can have been`)
    claim(!facts.read || row.delivered_at !== null, `message ${id}: its result was read and may be read again`)
    claim(facts.readAsked === true || row.delivered_at === null, `message ${id}: delivered, though it was not read`)
    const sent = facts.pushedTo === undefined || pushes.has(`${facts.pushedTo} ${id}`)
    claim(sent || ledger.devices.get(facts.pushedTo ?? '')?.presence !== 'there', `message ${id}: its push is gone`)
  }
  for (const [id, presence] of ledger.credentials) {
    claim(presence !== 'there' || credentials.has(id), `credential ${id} was acknowledged and is gone`)
    claim(presence !== 'gone' || !credentials.has(id), `credential ${id} was deleted and is there`)
  }
  for (const [id, { presence }] of ledger.devices) {
    claim(presence !== 'there' || devices.has(id), `device ${id} was signed in and is gone`)
    claim(presence !== 'gone' || !devices.has(id), `device ${id} was signed out and is there`)
  }
  for (const [id, etag] of ledger.vault) {
    const there = vault.get(id)?.etag ?? 'absent'
    claim(etag === 'unknown' || etag === there, `vault ${id}: has ${there}, expected ${etag}`)
  }
  for (const [id, phone] of ledger.held) {
    const has = phones.find((one) => one.id === phone)?.credentials.some((credential) => credential.id === id)
    claim(has === true, `phone ${phone} has lost credential ${id}`)
    claim(credentials.has(id), `credential ${id} of phone ${phone} is unknown to the service`)
  }

  // A phone keeps a key before the service hears of it: heard of or not, what the service has is answered for.
  for (const { json, chip } of stored.phones) {
    const device = (JSON.parse(json) as { readonly device?: { readonly id: string } }).device?.id
    for (const { id, storage } of of('credentials').filter((row) => row.device === device)) {
      const kept = storage === 'chip' ? chip.some((one) => one.id === id) : vault.has(id)
      claim(kept, `credential ${id} of a virtual phone has no key in its ${storage}`)
    }
  }

  // Rows that nothing could have made.
  for (const row of of('messages')) {
    const { id, state, device, answer_hash, error, delivered_at, credential_id, kind } = row
    const ended = state === 'success' || state === 'fail'
    claim(
      state === 'init' ? device === null : device !== null || state === 'timeout',
      `message ${id}: ${state} by ${device}`,
    )
    claim(ended === (answer_hash !== null), `message ${id}: ${state} with answer ${answer_hash}`)
    claim((state === 'fail') === (error !== ''), `message ${id}: ${state} with error ${error}`)
    claim(delivered_at === null || ended, `message ${id}: delivered in ${state}`)
    claim(rps.has(row.rp), `message ${id}: of an RP that is not there`)
    const taken = ledger.credentials.get(String(credential_id))
    const deleted = taken === 'going' || taken === 'gone'
    claim(
      !(state === 'success' && kind === 'registration') || credentials.has(credential_id) || deleted,
      `message ${id}: success without its credential`,
    )
  }
  const made = new Set(of('messages').map(({ credential_id }) => credential_id))
  for (const { id } of of('credentials')) claim(made.has(id), `credential ${id}: no message made it`)
  for (const { id, account } of of('devices')) claim(accounts.has(account), `device ${id}: without account`)
  for (const { msg_id } of of('pushes')) claim(messages.has(msg_id), `push of ${msg_id}: without message`)
  for (const { account } of of('vault')) claim(accounts.has(account), `vault of ${account}: without account`)
  return wrong
}
