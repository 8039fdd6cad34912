import { sql } from 'kysely'
import type { CachedTable } from '#server/readmodel/model.ts'
import type { FaqEntry } from '#shared/content/endpoints.ts'
import { FAQ_CATEGORIES } from '#shared/content/faq.ts'
import { fold } from '#shared/countries/fold.ts'
import { LANGUAGES, type Language } from '#shared/language.ts'
import { textIn } from '#shared/text.ts'
import { answerHtml } from './answer-html.ts'

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
        .orderBy(sql`array_position(${[...FAQ_CATEGORIES]}::text[], category)`)
        .orderBy('position')
        .orderBy('slug')
        .execute()
      entries = rows.flatMap(({ slug, category, question, answer, updated_at }) =>
        LANGUAGES.map((language) => {
          const html = answerHtml(textIn(answer, language))
          return {
            language,
            searchText: fold(`${textIn(question, language)} ${html.replace(/<[^>]*>/g, ' ')}`),
            entry: {
              ...{ slug, category, question: textIn(question, language), answer: html },
              updated_at: updated_at.toISOString(),
            },
          }
        }),
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
