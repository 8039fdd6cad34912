import { countryNames } from '#shared/advisories/cards.ts'
import { type Advisory, type AdvisorySource, listAdvisorySources } from '#shared/advisories/endpoints.ts'
import { localWording } from '#shared/advisories/phrases.ts'
import { getCountry } from '#shared/countries/endpoints.ts'
import { getEmergency } from '#shared/emergency/endpoints.ts'
import { getSite } from '#shared/settings/endpoints.ts'
import { isVouchedFor } from '#web/advisories/freshness-text.ts'
import { nameIn, titleIn } from '#web/advisories/reader.server.ts'
import { sourceName } from '#web/lib/country-names.ts'
import { formatDay, formatMoment, isolated } from '#web/lib/format.ts'
import { type Translate, translator } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import { outlineIn } from '#web/maps/outline.server.ts'
import { countryPage } from './country-page.ts'
import { doubtLine, doubtOf } from './doubt.ts'
import { factsOf } from './facts.ts'
import { nextServiceIn } from './next-service.server.ts'
import { shownRows } from './shown-rows.server.ts'
import { type SourceRow, sourceRows } from './source-rows.ts'
import { verdictOf } from './verdict.ts'

type Context = Parameters<typeof visitorOf>[0]

/** The page's own list is short; `?changes=all` shows all that the API gives at once. */
const CHANGES = 6
const ALL_CHANGES = 1000

/** Data of the page of a country. Throws a 404 if there is no such country. */
export async function loadCountry(context: Context, request: Request, code: string) {
  const { language } = visitorOf(context)
  const call = api(context)
  const nameOf = nameIn(language)
  const t = translator(language, 'countries')
  const isAll = new URL(request.url).searchParams.get('changes') === 'all'
  const [answer, { sources: all }, emergency, site] = await Promise.all([
    call(getCountry, { params: { code }, query: { events: isAll ? ALL_CHANGES : CHANGES } }),
    call(listAdvisorySources),
    call(getEmergency, { query: { country: code } }),
    call(getSite),
  ])
  const name = nameOf(code, answer.country.name)
  const titled = (source: AdvisorySource) => {
    const shown = sourceName(source, nameOf)
    return source.id === 'ph-dfa' ? t('source_department', { country: shown }) : shown
  }
  const reader = {
    sourceName: titled,
    titleOf: (advisory: Advisory) => titleIn(language)(advisory, countryNames(advisory, nameOf)),
    glossOf: (advisory: Advisory) => glossOf(advisory, language),
  }
  const rows = sourceRows(answer.sources, all, reader)
  const { changes } = countryPage(answer, all, reader)
  const shortName = ({ country_code, source }: SourceRow) =>
    country_code === 'US' || country_code === 'GB' ? t(`verdict_name_${country_code}`) : source.name
  return {
    title: name,
    description: t('country_description', { country: name }),
    code,
    name,
    level: answer.highest,
    verdict: verdictOf(rows, { country: name, nameOf: shortName }).map(({ isCountry, ...clause }) => ({
      ...clause,
      text: t(isCountry ? 'verdict_country' : 'verdict_service', { source: '\n', wording: '\n' }),
    })),
    nothing: nothingText(rows, { t, name, hasReadSources: answer.has_read_sources }),
    isConfirmed: rows.some(({ kind, source }) => kind !== 'written' && isVouchedFor(source)),
    doubt: doubtLine(doubtOf(all, rows, titled), t, (instant) =>
      instant.includes('T') ? formatMoment(language, instant, site.time_zone) : formatDay(language, instant),
    ),
    hasReadSources: answer.has_read_sources,
    facts: factsOf(answer.country, language),
    outline: await outlineIn(code, language),
    emergency: {
      first: emergency.first && { phone: emergency.first.phone, code: emergency.first.code },
      missions: emergency.missions.map(({ record, phone, code: kind, name }) => ({ record, phone, kind, name })),
      page: emergency.pages.mission,
    },
    churches: await nextServiceIn(call, answer.country, language),
    rows: shownRows(rows, language, name),
    changes: { list: changes, total: answer.timeline_total, since: answer.timeline_since, isAll },
  }
}

export type CountryData = Awaited<ReturnType<typeof loadCountry>>

/** No advisory is never an all-clear. */
function nothingText(
  rows: readonly SourceRow[],
  { t, name, hasReadSources }: { t: Translate<'countries'>; name: string; hasReadSources: boolean },
): string {
  const country = isolated(name)
  const silent = rows.filter(({ kind }) => kind === 'silent').length
  if (!hasReadSources) return t('nothing_not_read', { country })
  const text = silent === 0 ? t('nothing_not_confirmed', { country }) : t('nothing_title', { country, count: silent })
  return `${text} ${t('nothing_not_safe')}`
}

/** A standard wording in the reader's language, for those who do not read the source's. */
function glossOf({ original_wording, language: own }: Advisory, language: Parameters<typeof nameIn>[0]): string | null {
  if (own.startsWith(language)) return null
  return localWording(original_wording, { language, translate: translator(language, 'phrases') }) ?? null
}
