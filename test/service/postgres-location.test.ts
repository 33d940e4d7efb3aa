import { describe, expect, test } from 'vitest'
import { parsePostgresUrl } from '../../src-main/service/store/postgres/location.ts'
import { fromSafeText, toSafeText } from '../../src-main/service/store/postgres/safe-text.ts'
import { postgresText } from '../../src-main/service/store/postgres/statement-text.ts'
import { taken } from '../support/taken.ts'

describe('the URL of a PostgreSQL database', () => {
  test('names the schema and the pool, which the driver does not see', () => {
    const location = taken(
      parsePostgresUrl('postgres://me:s3cret@db.example/desk?schema=team_a&pool=5&sslmode=require'),
    )
    expect(location).toEqual({
      connection: 'postgres://me:s3cret@db.example/desk?sslmode=require',
      schema: 'team_a',
      pool: 5,
      notifications: true,
      shown: 'db.example:5432/desk (schema team_a)',
    })
  })

  test('may lead to a socket, and has a schema and a pool of its own without being told', () => {
    const location = taken(parsePostgresUrl('postgresql:///desk?host=/run/postgresql&port=5433'))
    expect(location).toMatchObject({ schema: 'handset', pool: 10, shown: '/run/postgresql:5433/desk (schema handset)' })
  })

  test.each([
    ['nonsense s3cret', 'not_a_url'],
    ['mysql://me:s3cret@db/x', 'not_postgres'],
    ['postgres://me:s3cret@db/x?schema=A"b', 'schema_unfit'],
    ['postgres://me:s3cret@db/x?schema=a;drop', 'schema_unfit'],
    ['postgres://me:s3cret@db/x?pool=1', 'pool_unfit'],
    ['postgres://me:s3cret@db/x?pool=many', 'pool_unfit'],
    ['postgres://me:s3cret@db/x?notifications=maybe', 'notifications_unfit'],
  ])('%s is refused, and its password is not repeated', (url, code) => {
    const refused = parsePostgresUrl(url)
    expect(refused).toMatchObject({ ok: false, error: { code } })
    expect(JSON.stringify(refused)).not.toContain('s3cret')
  })
})

describe('statements for PostgreSQL', () => {
  const text = postgresText('desk')

  test('number their values and name the schema of each table, and of nothing else', () => {
    const made = text(
      'WITH held AS (SELECT 1 FROM rps WHERE id = ?) UPDATE messages SET rp = ? FROM held JOIN pushes ON true',
    )
    expect(made).toBe(
      'WITH held AS (SELECT 1 FROM desk.rps WHERE id = $1) UPDATE desk.messages SET rp = $2 FROM held JOIN desk.pushes ON true',
    )
    expect(text("INSERT INTO unused_rows SELECT nextval('row_keys'), NULL::rps")).toBe(
      "INSERT INTO desk.unused_rows SELECT nextval('desk.row_keys'), NULL::desk.rps",
    )
  })
})

test('text with U+0000, which PostgreSQL refuses, comes back as it was', () => {
  for (const value of ['plain', 'a\0b', '\u001a', '\u001a0\0\u001a1', '\0\0']) {
    const stored = toSafeText(value)
    expect(stored).not.toContain('\0')
    expect(fromSafeText(stored)).toBe(value)
  }
  expect(toSafeText(7)).toBe(7)
})
