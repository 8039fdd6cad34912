import type { Countries } from '#server/countries/reference.ts'
import type { Log } from '#server/log.ts'
import { type Church, churchOfChapter, churchOfLocale } from '#shared/churches/church.ts'
import type { PublicChapter } from '#shared/churches/public-chapters.ts'
import { findLocales } from './find-locales.ts'
import { wholeLocale } from './locale-details.ts'
import type { ChurchModel, DetailedRow } from './model.ts'
import { type Filters, readQuestion } from './question.ts'

/** For locales near a point (LOC-API-23). */
const NEARBY = 20

export interface ChurchSearchDeps {
  model: ChurchModel
  countries: () => Countries
  /** Read from the database; the response is sent without them if that fails. */
  chapters: (filters: Filters & { limit: number }) => Promise<PublicChapter[]>
  log: Log
}

const churchOf = ({ locale, km }: DetailedRow) => churchOfLocale(wholeLocale(locale, km))

/**
 * Churches of both kinds, locales first: exact matches, or those within the radius; only if both are empty, the
 * locator's search, which tolerates typing errors and looks beyond the radius (LOC-API-22, 23).
 */
export async function searchChurches(
  { model, countries, chapters, log }: ChurchSearchDeps,
  { limit, ...filters }: Filters & { limit: number },
): Promise<{ churches: Church[]; corrected_search: string | null; is_nearest: boolean }> {
  const page = { limit: Math.max(limit, NEARBY), offset: 0 }
  const question = readQuestion(filters, countries())
  const direct = model.search(question, page)
  const found = await chapters({ ...filters, limit }).catch((error: Error): PublicChapter[] => {
    log.warn({ reason: error.message }, 'chapters could not be searched; the answer has locales only')
    return []
  })
  const locales = await model.withDetails(direct.isNearest && found.length > 0 ? [] : direct.rows)
  const churches = [...locales.map(churchOf), ...found.map(churchOfChapter)].slice(0, limit)
  if (churches.length > 0)
    return { churches, corrected_search: null, is_nearest: locales.length > 0 && direct.isNearest }
  const others = await findLocales(model, countries(), filters, page)
  return {
    churches: others.rows.slice(0, limit).map(churchOf),
    corrected_search: others.corrected,
    is_nearest: others.isNearest,
  }
}
