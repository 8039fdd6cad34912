import { distanceKm, type Point } from '#shared/churches/distance.ts'
import { NEAREST_WITHOUT_RADIUS } from '#shared/churches/endpoints.ts'
import type { Base } from './base.ts'
import { candidatesFor } from './candidates.ts'
import { createMatcher, isCountryOnly, type Question } from './question.ts'
import { byName, type CachedLocale } from './rows.ts'

/** A consistent snapshot: a base, which of its rows are outdated, and the rows changed since, sorted. */
export interface Snapshot {
  base: Base
  dead: ReadonlySet<number>
  fresh: readonly CachedLocale[]
}

/** A locale in a result; null: no distance was requested, or it has no point. */
export interface FoundRow {
  locale: CachedLocale
  km: number | null
}

export interface Page {
  limit: number
  offset: number
}

export interface Found {
  rows: FoundRow[]
  total: number
  /** Nothing is within the radius: these are the nearest beyond it. */
  isNearest: boolean
}

/** A locale with its distance, which is infinite if it has no point: those come last. */
interface LocaleDistance {
  locale: CachedLocale
  km: number
}

/** Matching locales: by name and id, or by distance and id if a point is set. */
export function search(holding: Snapshot, question: Question, page: Page): Found {
  const { point, radiusKm } = question
  if (!point) return byNames(holding, question, page)
  if (radiusKm === null) return byDistance(holding, question, point, page)
  const near = within(holding, question, point, radiusKm)
  if (near.length > 0) return { rows: pageOf(near, page), total: near.length, isNearest: false }
  const nearest = first(nearestOf(holding, question, point, NEAREST_WITHOUT_RADIUS), NEAREST_WITHOUT_RADIUS)
  return { rows: pageOf(nearest, page), total: nearest.length, isNearest: nearest.length > 0 }
}

function byNames(holding: Snapshot, question: Question, { limit, offset }: Page): Found {
  const fresh = holding.fresh.filter(createMatcher(question))
  const locales: CachedLocale[] = []
  const total = forEachMatch(holding, question, (row) => locales.push(row) < offset + limit)
  const all = fresh.length > 0 ? [...locales, ...fresh].sort(byName) : locales
  return {
    rows: all.slice(offset, offset + limit).map((locale) => ({ locale, km: null })),
    total: total + fresh.length,
    isNearest: false,
  }
}

/** All matches, at any distance. */
function byDistance(holding: Snapshot, question: Question, point: Point, page: Page): Found {
  if (isCountryOnly(question)) {
    const nearest = nearestOf(holding, question, point, page.offset + page.limit)
    if (nearest.length >= page.offset + page.limit)
      return { rows: pageOf(nearest, page), total: countOf(holding, question), isNearest: false }
  }
  const all = everyMatch(holding, question, point)
  return { rows: pageOf(all, page), total: all.length, isNearest: false }
}

function within({ base, dead, fresh }: Snapshot, question: Question, point: Point, maxKm: number): LocaleDistance[] {
  const isMatch = createMatcher(question)
  const found: LocaleDistance[] = []
  for (const tree of treesFor(base, question))
    tree.within(point, maxKm, (ordinal, km) => {
      const locale = base.rows[ordinal]!
      if (!dead.has(ordinal) && isMatch(locale)) found.push({ locale, km })
    })
  const since = fresh.filter(isMatch).map((locale) => measure(locale, point))
  return [...found, ...since.filter(({ km }) => km <= maxKm)]
}

/** At least the `count` nearest that have a point, or all of them. */
function nearestOf(holding: Snapshot, question: Question, point: Point, count: number): LocaleDistance[] {
  if (!isCountryOnly(question))
    return everyMatch(holding, question, point).filter(({ km }) => km !== Number.POSITIVE_INFINITY)
  const { base, dead, fresh } = holding
  const isAlive = dead.size > 0 ? (ordinal: number) => !dead.has(ordinal) : undefined
  const inBase = treesFor(base, question).flatMap((tree) => tree.nearest(point, count, isAlive))
  const since = fresh.filter(createMatcher(question)).filter(({ latitude }) => latitude !== null)
  return [
    ...inBase.map(({ ordinal, km }) => ({ locale: base.rows[ordinal]!, km })),
    ...since.map((locale) => measure(locale, point)),
  ]
}

const treesFor = (base: Base, { codes }: Question) => (codes ? codes.map(base.pointsOf) : [base.points])

function everyMatch(holding: Snapshot, question: Question, point: Point): LocaleDistance[] {
  const all = holding.fresh.filter(createMatcher(question)).map((locale) => measure(locale, point))
  forEachMatch(holding, question, (locale) => all.push(measure(locale, point)) > 0)
  return all
}

const countOf = (holding: Snapshot, question: Question): number =>
  holding.fresh.filter(createMatcher(question)).length + forEachMatch(holding, question, () => false)

/** Visits matching rows of the base in order, as long as more are wanted. Returns their total. */
function forEachMatch(
  { base, dead }: Snapshot,
  question: Question,
  wantsMore: (locale: CachedLocale) => boolean,
): number {
  const { ordinals, isExact } = candidatesFor(base, question)
  const isMatch = createMatcher(question)
  const count = ordinals ? ordinals.length : base.rows.length
  // The length of an exact candidate list is the count.
  const isCounted = isExact && dead.size === 0
  let matches = 0
  let isWanted = true
  for (let i = 0; i < count && (isWanted || !isCounted); i++) {
    const ordinal = ordinals ? ordinals[i]! : i
    if (dead.has(ordinal)) continue
    const locale = base.rows[ordinal]!
    if (!isExact && !isMatch(locale)) continue
    matches++
    if (isWanted) isWanted = wantsMore(locale)
  }
  return isCounted ? count : matches
}

const measure = (locale: CachedLocale, point: Point): LocaleDistance => ({ locale, km: kmFrom(point, locale) })

function kmFrom(point: Point, { latitude, longitude }: CachedLocale): number {
  if (latitude === null || longitude === null) return Number.POSITIVE_INFINITY
  return distanceKm(point, { latitude, longitude })
}

const pageOf = (all: LocaleDistance[], { limit, offset }: Page): FoundRow[] =>
  first(all, offset + limit)
    .slice(offset)
    .map(({ locale, km }) => ({ locale, km: Number.isFinite(km) ? km : null }))

/** The first `count` by distance, then id. Of many matches only possible ones are sorted. */
function first(all: LocaleDistance[], count: number): LocaleDistance[] {
  const furthest = all.length > count ? new Float64Array(all.map(({ km }) => km)).sort()[count - 1] : undefined
  const limit = furthest ?? Number.POSITIVE_INFINITY
  return all
    .filter(({ km }) => km <= limit)
    .sort((a, b) => (a.km === b.km ? (a.locale.id < b.locale.id ? -1 : 1) : a.km - b.km))
    .slice(0, count)
}
