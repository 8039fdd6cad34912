import { redirect } from 'react-router'
import { searchCountries } from '#shared/countries/endpoints.ts'
import { MAX_RESULTS, searchEverything } from '#shared/countries/search.ts'
import { cut } from '#shared/cut.ts'
import { translator, useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { Page } from '#web/ui/Page.tsx'
import type { Route } from './+types/SearchPage'
import { exactMatches } from './exact-match.ts'
import { PlaceSearch } from './PlaceSearch.tsx'
import { rowOf } from './result-row.ts'
import styles from './SearchResults.module.css'
import { SearchResults } from './SearchResults.tsx'

const MAX_CHARACTERS = 100
const MAX_COUNTRIES = 60

export const handle = { ns: ['search'] } satisfies RouteHandle

/** The next services are computed to the minute. */
export const headers = () => ({ 'valid-for': '60' })

/** Countries, cities and churches of a name; the name of one country leads straight to its page. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const call = api(context)
  const text = new URL(request.url).searchParams.get('q') ?? ''
  const search = cut(text.replace(/\p{Cc}+/gu, ' ').trim(), MAX_CHARACTERS).trim()
  const t = translator(language, 'search')
  if (!search) return { search, rows: [], isGuess: false, churchesTotal: 0, description: t('label') }
  const [{ countries }, found] = await Promise.all([
    call(searchCountries, { query: { search, limit: MAX_COUNTRIES } }),
    call(searchEverything, { query: { search, limit: MAX_RESULTS } }),
  ])
  const [meant, ...others] = exactMatches(countries, search)
  if (meant && others.length === 0) throw redirect(`/countries/${meant.code}`)
  return {
    search,
    rows: found.results.map((result) => rowOf(result, t, language)),
    isGuess: found.is_guess,
    churchesTotal: found.churches_total,
    description: t('label'),
  }
}

export default function SearchPage({ loaderData }: Route.ComponentProps) {
  const { search } = loaderData
  const t = useT('search')
  return (
    <Page>
      <Breadcrumbs />
      <h1 className={styles.title}>{search ? t('found', { search }) : t('title')}</h1>
      <PlaceSearch key={search} search={search} />
      <p>{t('hint')}</p>
      {search && <SearchResults {...loaderData} />}
    </Page>
  )
}
