import { wholeLocale } from '#server/churches/locale-details.ts'
import { type Filters, readQuestion } from '#server/churches/question.ts'
import type { MapLocale } from '#shared/assistant/answer.ts'
import type { Point } from '#shared/churches/distance.ts'
import { DEFAULT_RADIUS_KM, type FoundLocale } from '#shared/churches/endpoints.ts'
import type { PublicChapter } from '#shared/churches/public-chapters.ts'
import { type Speech, speechOf } from '../composing/speech.ts'
import type { Statement } from '../drafts.ts'
import { actionsIn } from './actions.ts'
import { churchText } from './church-text.ts'
import { type Gathered, type GatheringDeps, NOTHING, type QuestionContext } from './context.ts'
import { chapterSource, countrySource, localeSource } from './sources.ts'

/** Churches read for an answer (LOC-API-06), of which those that have what was asked for are shown first. */
const MAX_READ = 10
/** Churches listed in an answer; the locator lists all of them. */
export const MAX_CHURCHES = 5

/** The churches that a question is about, and how they were found. */
interface FoundChurches {
  how: 'in' | 'near' | 'nearest'
  place: string
  /** Name used for the search; null if none was named. */
  city: string | null
  country: string | null
  locales: FoundLocale[]
  total: number
  warning: string | null
}

/** Churches in the named place, or near the user. `ask`: no place was named, and none is known. */
export async function findChurches(deps: GatheringDeps, ctx: QuestionContext): Promise<FoundChurches | 'ask'> {
  const speech = speechOf(ctx.language)
  const { city, country: named, destination } = ctx.understood.analysis.entities
  const country = named ?? destination
  if (city) return inCity(deps, ctx, speech, city, country)
  if (ctx.location && (ctx.understood.isNear || !country))
    return near(deps, ctx.location, { place: speech.plain('your_place'), city: null, country: null })
  return country ? inCountry(deps, speech, country) : 'ask'
}

async function inCountry(deps: GatheringDeps, speech: Speech, country: string): Promise<FoundChurches> {
  const found = await searchChurches(deps, { country })
  return { ...found, how: 'in', place: speech.country(country), city: null, country, warning: null }
}

async function inCity(
  deps: GatheringDeps,
  ctx: QuestionContext,
  speech: Speech,
  city: string,
  country: string | null,
): Promise<FoundChurches> {
  const about = { place: speech.city(city), city, country }
  const found = await searchChurches(deps, { city, ...(country ? { country } : {}) })
  if (found.total > 0) return { ...about, ...found, how: 'in', warning: null }
  const nowhere: FoundChurches = { ...about, how: 'in', locales: [], total: 0, warning: null }
  try {
    const point = await deps.findPlace(city, country, ctx.signal)
    const around = point ? await near(deps, point, about) : nowhere
    // Churches with a hidden location can only be found by country.
    return around.total === 0 && country ? await inCountry(deps, speech, country) : around
  } catch (error) {
    deps.log.warn({ reason: (error as Error).message }, 'a city could not be looked up')
    return { ...nowhere, warning: speech.plain('warning_context') }
  }
}

/** Churches within the radius, otherwise the nearest; for a named city only those of its country. */
async function near(deps: GatheringDeps, point: Point, about: Pick<FoundChurches, 'place' | 'city' | 'country'>) {
  const at = { lat: point.latitude, lng: point.longitude, radius: DEFAULT_RADIUS_KM }
  const found = await searchChurches(deps, { ...at, ...(about.country ? { country: about.country } : {}) })
  return { ...about, ...found, how: found.isNearest ? ('nearest' as const) : ('near' as const), warning: null }
}

/** The first matching public churches and the total number. */
export async function searchChurches({ churches, countries }: GatheringDeps, filters: Filters) {
  const found = churches.search(readQuestion(filters, countries()), { limit: MAX_READ, offset: 0 })
  const rows = await churches.withDetails(found.rows)
  const locales: FoundLocale[] = rows.map(({ locale: row, km }) => wholeLocale(row, km))
  return { locales, total: found.total, isNearest: found.isNearest }
}

/** The churches of a place, each with its address and next service. */
export async function gatherChurches(deps: GatheringDeps, ctx: QuestionContext): Promise<Gathered> {
  const found = await findChurches(deps, ctx)
  const speech = speechOf(ctx.language)
  if (found === 'ask') return askForPlace(speech)
  if (found.locales.length === 0) return noChurches(deps, ctx, found)
  const callFirstAfter = deps.settings.get('locales.call_first_after_days')
  const locales = found.locales.slice(0, MAX_CHURCHES)
  const statements: Statement[] = locales.map((locale) => ({
    text: churchText(locale, { speech, now: ctx.now, callFirstAfter }),
    records: [`locale:${locale.id}`],
  }))
  const actions = actionsIn(speech)
  const { country } = found
  // The total is supported by the country page; near a point, by each listed church.
  const isAll = found.how === 'nearest' || found.total === statements.length
  const counted = country ? [`country:${country}`] : statements.flatMap(({ records }) => records)
  return {
    sections: [
      { lead: { text: leadFor(speech, found), records: counted }, statements: isAll ? statements : [] },
      ...(isAll
        ? []
        : [{ lead: { text: speech.say('churches_shown', { count: statements.length }), records: [] }, statements }]),
    ],
    sources: [...(country ? [countrySource(country, speech)] : []), ...locales.map(localeSource)],
    mapLocales: mapLocalesOf(locales),
    quickActions: [
      { ...actions.locator, value: locatorAddress(found) },
      ...(country ? [actions.country(country)] : []),
      ...writable(locales).map(({ id, name }) => actions.write(id, name)),
    ],
    warning: found.warning,
    found: 'all',
  }
}

/** A follow-up question with the two ways to answer it. */
export function askForPlace(speech: Speech): Gathered {
  const actions = actionsIn(speech)
  return {
    ...NOTHING,
    found: 'asks',
    opening: [speech.plain('ask_place')],
    quickActions: [actions.nearMe, actions.locator],
  }
}

/** Chapters where there is no church; otherwise the portal's own statement that it knows of none. */
export async function noChurches(deps: GatheringDeps, ctx: QuestionContext, found: FoundChurches): Promise<Gathered> {
  const speech = speechOf(ctx.language)
  const actions = actionsIn(speech)
  const { country } = found
  const none = speech.say('churches_none', { place: found.place })
  const chapters = country ? await chaptersIn(deps, ctx, country) : []
  const rest = { quickActions: [actions.locator, actions.person], warning: found.warning }
  if (!country) return { ...NOTHING, ...rest, opening: [none] }
  return {
    ...rest,
    sections: [
      {
        lead: { text: none, records: [`country:${country}`] },
        statements: chapters.map((chapter) => chapterStatement(chapter, speech)),
      },
    ],
    sources: [countrySource(country, speech), ...chapters.map(chapterSource)],
    found: 'some',
  }
}

async function chaptersIn(
  deps: GatheringDeps,
  ctx: QuestionContext,
  country: string,
): Promise<readonly PublicChapter[]> {
  try {
    return (await deps.findChapters(country, ctx.signal)).slice(0, MAX_CHURCHES)
  } catch (error) {
    deps.log.warn({ reason: (error as Error).message }, 'chapters could not be searched; the answer has locales only')
    return []
  }
}

const chapterStatement = (chapter: PublicChapter, speech: Speech): Statement => ({
  text: speech.say('church_item', {
    name: chapter.chapter_name,
    address: [chapter.city, chapter.state_province, speech.country(chapter.country_code ?? '')]
      .filter(Boolean)
      .join(', '),
  }),
  records: [`chapter:${chapter.id}`],
})

function leadFor(speech: Speech, { how, place, total }: FoundChurches): string {
  const distance = speech.distance(DEFAULT_RADIUS_KM)
  if (how === 'nearest') return speech.say('churches_nearest', { distance, place })
  return how === 'near'
    ? speech.say('churches_near', { count: total, distance, place })
    : speech.say('churches_lead', { count: total, place })
}

export const mapLocalesOf = (locales: readonly FoundLocale[]): MapLocale[] =>
  locales.flatMap(({ id, name, address, latitude, longitude, discreet_mode }) =>
    latitude === null || longitude === null
      ? []
      : [{ id, name, address, latitude, longitude, is_area: discreet_mode === 'approximate' }],
  )

/** A church that hides its exact location should be contacted before a visit. */
const writable = (locales: readonly FoundLocale[]) =>
  locales.filter(({ discreet_mode }) => discreet_mode !== 'exact').slice(0, 1)

function locatorAddress({ how, city, country }: FoundChurches): string {
  const query = new URLSearchParams({ ...(city ? { near: city } : {}), ...(country ? { country } : {}) })
  return how === 'in' || city ? `/church-locator?${query}` : '/church-locator'
}
