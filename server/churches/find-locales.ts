import anyAscii from 'any-ascii'
import type { Countries } from '#server/countries/reference.ts'
import { fold } from '#shared/countries/fold.ts'
import type { ChurchModel, DetailedRow } from './model.ts'
import { type Filters, readQuestion, tokenize } from './question.ts'
import type { Found, Page } from './search.ts'

export interface SearchResult extends Found {
  rows: DetailedRow[]
  /** The corrected spelling that matched; null: as typed. */
  corrected: string | null
}

/** Searches for the input as typed; only without any match, for its transliteration, then for corrected spellings. */
export async function findLocales(
  model: ChurchModel,
  countries: Countries,
  filters: Filters,
  page: Page,
): Promise<SearchResult> {
  const found = model.search(readQuestion(filters, countries), page)
  if (found.total > 0) return { ...found, rows: await model.withDetails(found.rows), corrected: null }
  const words = tokenize(filters.search)
  const latin = tokenize(fold(anyAscii(words.join(' '))))
  for (const respell of [() => latin, () => model.correct(words), () => model.correct(latin)]) {
    const search = (await respell()).join(' ')
    if (search === words.join(' ')) continue
    const others = model.search(readQuestion({ ...filters, search }, countries), page)
    if (others.total > 0) return { ...others, rows: await model.withDetails(others.rows), corrected: search }
  }
  return { ...found, rows: [], corrected: null }
}
