import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type * as z from 'zod'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import { escapeLike } from '#server/db/like.ts'
import type { AssistantFactsTable } from '#server/db/tables-assistant.ts'
import type { listFacts, ManagedFact } from '#shared/assistant/facts.ts'
import { AppError } from '#shared/errors.ts'
import { isExpired } from './model.ts'

const FACTS_PER_PAGE = 50
/** A fact is due for confirmation this long before it expires. */
const DUE_DAYS = 30

export type FactRow = Selectable<AssistantFactsTable>
type Filters = z.output<typeof listFacts.query>

export const dayOf = (date: Date) => date.toISOString().slice(0, 10)
export const daysAfter = (day: string, days: number) => dayOf(new Date(Date.parse(day) + days * 86_400_000))

export const managed = ({ updated_by: _, updated_at, ...fact }: FactRow, now: Date): ManagedFact => ({
  ...fact,
  is_expired: isExpired(fact, now),
  updated_at: updated_at.toISOString(),
})

/** Facts by their text or the name of their country, least recently confirmed first. */
export async function findFacts(
  db: Db,
  { search, kind, country, status, page }: Filters,
  { now, countries }: { now: Date; countries: Countries },
) {
  const today = dayOf(now)
  const named = search ? codesNamed(search, countries) : []
  const pattern = `%${escapeLike(search ?? '')}%`
  let chosen = db.selectFrom('assistant_facts')
  if (kind) chosen = chosen.where('kind', '=', kind)
  if (country) chosen = chosen.where('country_code', '=', country)
  const where = chosen
    .$if(status === 'inactive', (q) => q.where('is_active', '=', false))
    .$if(status === 'expired', (q) => q.where('is_active', '=', true).where('valid_until', '<', today))
    .$if(status === 'due', (q) =>
      q.where('valid_until', '>=', today).where('valid_until', '<=', daysAfter(today, DUE_DAYS)),
    )
    .$if(Boolean(search), (q) =>
      q.where((eb) =>
        eb.or([
          eb('id', 'ilike', pattern),
          eb('source_title', 'ilike', pattern),
          eb('source_url', 'ilike', pattern),
          sql<boolean>`value::text ilike ${pattern}`,
          sql<boolean>`country_code = any(${named})`,
        ]),
      ),
    )
  const rows = await where
    .selectAll()
    .orderBy('valid_until')
    .orderBy('country_code')
    .orderBy('position')
    .orderBy('id')
    .limit(FACTS_PER_PAGE)
    .offset((page - 1) * FACTS_PER_PAGE)
    .execute()
  const { total } = await where.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { facts: rows.map((row) => managed(row, now)), total: Number(total), page, per_page: FACTS_PER_PAGE }
}

const codesNamed = (search: string, countries: Countries) =>
  countries
    .all()
    .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
    .map(({ code }) => code)

/** The row, locked for the rest of the transaction if it is to be changed. */
export async function findFact(db: Db, id: string, { forUpdate = false } = {}): Promise<FactRow | undefined> {
  return db
    .selectFrom('assistant_facts')
    .selectAll()
    .where('id', '=', id)
    .$if(forUpdate, (q) => q.forUpdate())
    .executeTakeFirst()
}

export const noSuchFact = () => new AppError(404, 'fact_not_found', 'Fact not found.')
