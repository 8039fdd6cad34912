import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#server/testing/database.ts'
import { retiredWords } from '../../scripts/testing/vocabulary.ts'
import { inBackground } from './claims.ts'

const database = await testDatabase()

test('no table, column, function, index, constraint, trigger or policy is named by a retired word', async () => {
  const { rows } = await inBackground(database, 'test', (db) =>
    sql<{ owner: string; name: string }>`
      with portal as (select c.oid, c.relkind, coalesce(indrelid::regclass::text, relname) as owner, relname::text as name
        from pg_class c join pg_namespace n on n.oid = relnamespace left join pg_index on indexrelid = c.oid
        where nspname = 'public')
      select owner, name from portal
      union select owner, attname::text from portal join pg_attribute on attrelid = portal.oid
        where attnum > 0 and not attisdropped and relkind <> 'i'
      union select owner, conname::text from portal join pg_constraint on conrelid = portal.oid
        -- Names of "not null" follow the first name of a column, and exist since PostgreSQL 18 only.
        where contype <> 'n'
      union select owner, tgname::text from portal join pg_trigger on tgrelid = portal.oid where not tgisinternal
      union select owner, polname::text from portal join pg_policy on polrelid = portal.oid
      union select proname::text, unnest(proname::text || coalesce(proargnames, '{}')) from pg_proc p
        join pg_namespace n on n.oid = pronamespace where n.nspname = 'public'
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`.execute(db),
  )
  expect(rows.length).toBeGreaterThan(1000)
  const found = rows.flatMap(({ owner, name }) => retiredWords(name).map((word) => `${owner}.${name}: ${word}`))
  expect(found).toEqual([])
})

test('no check constraint or policy names a stored value by a retired word', async () => {
  const { rows } = await inBackground(database, 'test', (db) =>
    sql<{ owner: string; definition: string }>`
      select conrelid::regclass::text as owner, pg_get_constraintdef(c.oid) as definition from pg_constraint c
        join pg_namespace n on n.oid = connamespace where nspname = 'public' and contype = 'c'
      union all select tablename, concat_ws(' ', qual, with_check) from pg_policies where schemaname = 'public'
      union all select 'function ' || proname, prosrc from pg_proc p join pg_namespace n on n.oid = pronamespace
        where n.nspname = 'public'
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`.execute(db),
  )
  expect(rows.length).toBeGreaterThan(100)
  const found = rows.flatMap(({ owner, definition }) =>
    [...definition.matchAll(/'([a-z][a-z_-]*)'/g)].flatMap(([, value]) =>
      retiredWords(value!).map((word) => `${owner} '${value}': ${word}`),
    ),
  )
  expect([...new Set(found)]).toEqual([])
})
