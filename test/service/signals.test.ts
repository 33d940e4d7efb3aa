import { expect, test } from 'vitest'
import { payloadOf } from '../../src-main/service/store/postgres/signals.ts'

const NOTHING = { from: '', signals: [] }

test.each(['', 'hello', 'null', '[]', '"probe"', '{}', '{"from":1,"signals":[]}', '{"from":"a","signals":"probe"}'])(
  'a foreign notification says nothing: %s',
  (said) => {
    expect(payloadOf(said)).toEqual(NOTHING)
  },
)

test('of a notification counts what this version understands', () => {
  const known = [
    'probe',
    { about: 'events' },
    { about: 'pushes', workspace: 'w', device: 'd' },
    { about: 'inboxes ended', workspace: 'w' },
    { about: 'opinion wanted', workspace: 'w', msg_id: 'm' },
  ]
  const unknown = [
    null,
    7,
    'other',
    [],
    {},
    { about: 'toString' },
    { about: 'pushes', workspace: 'w' },
    { about: 'pushes', workspace: 'w', device: 1 },
    { about: 'inboxes ended', workspace: 'w', device: {} },
  ]
  expect(payloadOf(JSON.stringify({ from: '7', signals: [...unknown, ...known] }))).toEqual({
    from: '7',
    signals: known,
  })
})
