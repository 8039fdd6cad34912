import { type CountryLevel, listCountryLevels } from '#shared/advisories/endpoints.ts'
import { SEVERITIES, type Severity } from '#shared/advisories/severity.ts'
import type { Language } from '#shared/language.ts'
import { translator } from '#web/lib/i18n.tsx'
import type { CallEndpoint } from '#web/lib/visitor.ts'
import { allNames, nameIn } from '../reader.server.ts'
import styles from './AdvisoryMap.module.css'
import { toLines } from './listed.ts'
import { DOT, type MapView, REGIONS, type Region } from './view.ts'
import views from './views.json'

const VIEWS = views as unknown as Record<Region, MapView>

/** An unknown region shows the world. */
const regionOf = (text: string | null): Region => REGIONS.find((region) => region === text) ?? 'world'

/**
 * The map of the advisories and the same as a list, in the language of the reader; null as long as no country has a
 * level, since an empty map would look like a safe world. The picture is markup: its thousand elements would take long
 * to render as components, here and again in the browser.
 */
export async function advisoryMap(api: CallEndpoint, language: Language, regionName: string | null) {
  const { countries } = await api(listCountryLevels)
  if (countries.length === 0) return null
  const region = regionOf(regionName)
  return {
    region,
    picture: pictureOf(VIEWS[region], countries, language),
    levels: levelsOf(countries, language),
    hasDoubt: countries.some(({ is_confirmed }) => !is_confirmed),
  }
}

export type AdvisoryMapData = NonNullable<Awaited<ReturnType<typeof advisoryMap>>>

/**
 * Keeps the picture out of the data that is sent with a whole page, which already has it as markup; the renderer still
 * reads it.
 */
export function sendPictureOnce(map: AdvisoryMapData): void {
  Object.defineProperty(map, 'picture', { enumerable: false })
}

/** By level and name. */
function levelsOf(countries: readonly CountryLevel[], language: Language) {
  const nameOf = nameIn(language)
  const { compare } = new Intl.Collator(language)
  return SEVERITIES.map((severity) => ({
    severity,
    countries: toLines(
      countries
        .filter(({ severity_level }) => severity_level === severity)
        .map(({ code, is_confirmed }) => ({ code, name: nameOf(code), isDoubtful: !is_confirmed }))
        .sort((a, b) => compare(a.name, b.name)),
    ),
  })).filter(({ countries }) => countries !== '')
}

function pictureOf(view: MapView, countries: readonly CountryLevel[], language: Language): string {
  const titleOf = titleIn(language)
  const levels = new Map(countries.map((country) => [country.code, country]))
  const groups = new Map<string | undefined, string[]>(FILLS.map((fill) => [fill, []]))
  for (const { code, name } of allNames(language)) {
    const path = view.paths[code] ?? squareAt(view.dots[code])
    const level = levels.get(code)
    if (path) groups.get(fillOf(level))?.push(shapeLink(code, path, titleOf(name, level)))
  }
  const names = Object.entries(view.names).map(([code, [x, y]]) => {
    return `<text x="${x}" y="${y}">${escaped(nameIn(language)(code))}</text>`
  })
  const svg = [PATTERNS, ...[...groups].map(([fill, shapes]) => groupOf(fill, shapes)), ...names].join('')
  return `<svg class="${styles.map}" viewBox="0 0 ${view.width} ${view.height}" aria-hidden="true">${svg}</svg>`
}

/** Reached by pointer only: the list beside the map has the same links for keyboards and screen readers. */
const shapeLink = (code: string, path: string, title: string) =>
  `<a href="/countries/${code}" tabindex=-1><title>${escaped(title)}</title><path d="${path}"/></a>`

function groupOf(fill: string | undefined, shapes: readonly string[]): string {
  if (shapes.length === 0) return ''
  if (fill === undefined) return `<g class="${styles.none}">${shapes.join('')}</g>`
  const look = fill.startsWith('map-doubt') ? styles.doubt : fill === 'map-info' ? styles.info : styles.level
  // An attribute, since an older browser looks for what a style sheet refers to in the style sheet.
  return `<g class="${look}" fill="url(#${fill})">${shapes.join('')}</g>`
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

function squareAt(at: [number, number] | undefined): string | undefined {
  return at && `M${at[0] - DOT / 2} ${at[1] - DOT / 2}h${DOT}v${DOT}h-${DOT}z`
}

function titleIn(language: Language) {
  const t = translator(language, 'maps')
  const levelName = translator(language, 'advisories')
  return (country: string, level: CountryLevel | undefined): string => {
    if (!level) return t('level_none', { country })
    const shown = { country, level: levelName(`level_${level.severity_level}`) }
    return t(level.is_confirmed ? 'level_confirmed' : 'level_not_confirmed', shown)
  }
}

function fillOf(level: CountryLevel | undefined): string | undefined {
  return level && `map-${level.is_confirmed ? '' : 'doubt-'}${level.severity_level}`
}

/** The less serious first: the edge between two countries is that of the more serious one. */
const FILLS = [undefined, ...SEVERITIES.toReversed().flatMap((level) => [`map-doubt-${level}`, `map-${level}`])]

/** The more serious, the heavier: the levels also differ in grey. Diagonal stripes only for what is not confirmed. */
const MARKS: Record<Severity, string | null> = {
  emergency: null,
  critical: 'M0 3.5h7M3.5 0v7',
  warning: 'M0 3.5h7',
  caution: 'M2.7 3.5h1.6',
  info: null,
}
const DIAGONALS = 'M-1 8 8-1M-2 2 2-2M5 9 9 5'
const STRIPE_WIDTHS: Record<Severity, number> = { emergency: 2.9, critical: 2.5, warning: 2.1, caution: 1.6, info: 1.1 }

const PATTERNS = `<defs>${SEVERITIES.map((level) => {
  const isDotted = level === 'caution'
  const mark = { path: MARKS[level], color: isDotted ? '--map-dots' : '--map-mark', width: isDotted ? 1.6 : 1 }
  const stripes = { path: DIAGONALS, color: `--map-stripe-${level}`, width: STRIPE_WIDTHS[level] }
  return pattern(`map-${level}`, `--map-${level}`, mark) + pattern(`map-doubt-${level}`, '--map-none', stripes)
}).join('')}</defs>`

function pattern(id: string, ground: string, mark: { path: string | null; color: string; width: number }): string {
  const lines = mark.path && `<path d="${mark.path}" style="stroke:var(${mark.color});stroke-width:${mark.width}"/>`
  const square = `<rect width="7" height="7" style="fill:var(${ground})"/>`
  return `<pattern id="${id}" width="7" height="7" patternUnits="userSpaceOnUse">${square}${lines ?? ''}</pattern>`
}
