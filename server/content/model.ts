import type { CachedTable } from '#server/readmodel/model.ts'
import type { FaqEntry } from '#shared/content/endpoints.ts'
import { fold } from '#shared/countries/fold.ts'
import type { Language } from '#shared/language.ts'

/** Published questions and answers in memory, in page order. */
export function createFaqModel() {
  let entries: { language: Language; entry: FaqEntry; searchText: string }[] = []
  const cachedTable: CachedTable = {
    table: 'faq_entries',
    async load(db) {
      const rows = await db
        .selectFrom('faq_entries')
        .selectAll()
        .where('is_published', '=', true)
        .orderBy('position')
        .orderBy('slug')
        .execute()
      entries = rows.flatMap((row) =>
        (['en', 'ar'] as const).map((language) => ({
          language,
          searchText: fold(`${row[`question_${language}`]} ${row[`answer_${language}`].replace(/<[^>]*>/g, ' ')}`),
          entry: {
            slug: row.slug,
            category: row.category,
            question: row[`question_${language}`],
            answer: row[`answer_${language}`],
            updated_at: row.updated_at.toISOString(),
          },
        })),
      )
    },
  }
  return {
    cachedTable,
    list(language: Language, search?: string): FaqEntry[] {
      const words = fold(search ?? '')
        .split(' ')
        .filter(Boolean)
      return entries
        .filter((e) => e.language === language && words.every((word) => e.searchText.includes(word)))
        .map(({ entry }) => entry)
    },
  }
}

export type FaqModel = ReturnType<typeof createFaqModel>
