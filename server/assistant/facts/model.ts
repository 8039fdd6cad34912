import type { CachedTable } from '#server/readmodel/model.ts'
import type { Fact, FactKind } from '#shared/assistant/facts.ts'

export type FactModel = ReturnType<typeof createFactModel>

interface FactFilters {
  kind: FactKind
  /** Null: facts that hold everywhere; undefined: of every country. */
  country?: string | null
  code?: string
  /** Facts of this purpose and of any purpose. */
  purpose?: Fact['purpose']
}

/** The facts in memory, in display order. */
export function createFactModel() {
  let facts: Fact[] = []
  const cachedTable: CachedTable = {
    table: 'assistant_facts',
    async load(db) {
      const rows = await db
        .selectFrom('assistant_facts')
        .selectAll()
        .where('is_active', '=', true)
        .orderBy('position')
        .orderBy('id')
        .execute()
      facts = rows.map(({ is_active: _, updated_at: __, updated_by: ___, ...fact }) => fact)
    },
  }
  return {
    cachedTable,
    list: ({ kind, country, code, purpose }: FactFilters): Fact[] =>
      facts.filter(
        (fact) =>
          fact.kind === kind &&
          (country === undefined || fact.country_code === country) &&
          (code === undefined || fact.code === code) &&
          (!purpose || fact.purpose === null || fact.purpose === purpose),
      ),
  }
}

/** Last confirmed too long ago to be used without a warning. */
export const isExpired = ({ valid_until }: Pick<Fact, 'valid_until'>, now: Date): boolean =>
  valid_until < now.toISOString().slice(0, 10)
