import { openStore } from '../../../src-main/service/store/open-store.ts'
import { messageRecord, rpRecord } from './records.ts'

/** Writes messages and says after each which one is committed, until it is killed. */
const store = await openStore({ kind: 'directory', path: process.argv[2] ?? '' })
if (!store.ok) throw new Error(store.error.code)
await store.value.rps.insert('main', rpRecord('rp'))
for (let n = 0; ; n++) {
  await store.value.messages.insert('main', messageRecord(`m${n}`), [])
  process.send?.(n)
}
