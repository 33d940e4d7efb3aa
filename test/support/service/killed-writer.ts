import { openStore } from '../../../src-main/service/store/open-store.ts'

/** Writes messages and says after each which one is committed, until somebody kills it. */
const store = await openStore({ kind: 'directory', path: process.argv[2] ?? '' })
if (!store.ok) throw new Error(store.error)
await store.value.rps.insert('main', {
  ...{ id: 'rp', name: 'Shop', rp_id: 'shop.example', origins: [], handle_key: 'AAAA', created_at: 0 },
})
for (let n = 0; ; n++) {
  const message = {
    id: `m${n}`,
    rp: 'rp',
    kind: 'registration',
    user_id: 'u1',
    username: 'u',
    display_name: 'd',
    credential_name: 'c',
    challenge: 'AAAA',
    state: 'init',
    svc_user: '',
    error: '',
    created_at: 0,
    expires_at: 100,
  } as const
  await store.value.messages.insert('main', message, [])
  process.send?.(n)
}
