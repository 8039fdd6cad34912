import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { LANGUAGES } from '#shared/language.ts'
import { rowsOf } from '#shared/table.ts'
import { escapeLike } from './like.ts'

/** One page of a list, with the number of all its rows. The order comes apart: counting does not need it. */
export async function pageOf<DB, TB extends keyof DB, O>(
  found: SelectQueryBuilder<DB, TB, O>,
  { page, per_page }: { page: number; per_page: number },
  inOrder: (query: SelectQueryBuilder<DB, TB, O>) => SelectQueryBuilder<DB, TB, O>,
) {
  const { limit, offset } = rowsOf({ page, per_page })
  const counted = found.clearSelect().select(sql<string>`count(*)`.as('total'))
  const { total } = (await counted.executeTakeFirstOrThrow()) as { total: string }
  const rows = await inOrder(found).limit(limit).offset(offset).execute()
  return { rows, total: Number(total), page, per_page }
}

/** True where one of the texts contains what was searched for, in any case: a column, or `inLanguages('title')`. */
export const matches = (search: string, texts: readonly (string | Expression<unknown>)[]): Expression<SqlBool> =>
  sql<SqlBool>`(${sql.join(
    texts.map((text) => sql`${typeof text === 'string' ? sql.ref(text) : text} ilike ${`%${escapeLike(search)}%`}`),
    sql` or `,
  )})`

/** A translated column (`jsonb`) in each language of the portal. */
export const inLanguages = (column: string): Expression<string>[] =>
  LANGUAGES.map((language) => sql<string>`${sql.ref(column)} ->> ${language}::text`)
