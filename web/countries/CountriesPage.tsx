import { redirect } from 'react-router'
import { type CountryWithLevel, searchCountries } from '#shared/countries/endpoints.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { translator, useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { Page } from '#web/ui/Page.tsx'
import type { Route } from './+types/CountriesPage'
import styles from './CountriesPage.module.css'
import { CountryList, type ListedCountry } from './CountryList.tsx'
import { PlaceSearch, SEARCH_PATH } from './PlaceSearch.tsx'

export const handle = { ns: ['countries', 'search'] } satisfies RouteHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const search = new URL(request.url).searchParams.get('search')?.trim()
  // Links to a search of countries alone are older than the search for everything.
  if (search) throw redirect(`${SEARCH_PATH}?${new URLSearchParams({ q: search })}`, 301)
  const { countries, has_read_sources: hasReadSources } = await api(context)(searchCountries, { query: { limit: 300 } })
  const nameOf = nameIn(language)
  const listed = countries.map((country) => listedAs(country, nameOf(country.code, country.name)))
  const { compare } = new Intl.Collator(language)
  const description = translator(language, 'countries')('countries_description')
  return { countries: listed.sort((a, b) => compare(a.name, b.name)), hasReadSources, description }
}

const listedAs = ({ code, region, severity_level, advisory_count }: CountryWithLevel, name: string): ListedCountry => ({
  code,
  name,
  region,
  severity_level,
  advisory_count,
})

export default function CountriesPage({ loaderData }: Route.ComponentProps) {
  const t = useT('countries')
  const s = useT('search')
  return (
    <Page>
      <Breadcrumbs />
      <h1>{t('countries_title')}</h1>
      <p className={styles.intro}>{t('countries_intro')}</p>
      <PlaceSearch />
      <p className={styles.safety}>
        {s('hint')} {t('countries_safety')}
      </p>
      <Regions {...loaderData} />
    </Page>
  )
}

const REGIONS = ['Africa', 'Americas', 'Asia', 'Europe', 'Oceania', 'Antarctica'] as const
const keyOf = (region: (typeof REGIONS)[number]) =>
  `region_${region.toLowerCase() as Lowercase<typeof region>}` as const

function Regions({
  countries,
  hasReadSources,
}: Pick<Route.ComponentProps['loaderData'], 'countries' | 'hasReadSources'>) {
  const t = useT('countries')
  return (
    <>
      <nav aria-label={t('countries_regions')} className={styles.regions}>
        {REGIONS.map((region) => (
          <a key={region} href={`#${region}`}>
            {t(keyOf(region))}
          </a>
        ))}
      </nav>
      {REGIONS.map((region) => (
        <section key={region} className={styles.section} aria-labelledby={region}>
          <h2 id={region}>{t(keyOf(region))}</h2>
          <CountryList
            countries={countries.filter((country) => country.region === region)}
            hasReadSources={hasReadSources}
          />
        </section>
      ))}
    </>
  )
}
