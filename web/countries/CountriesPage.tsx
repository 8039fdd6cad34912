import { Link, redirect } from 'react-router'
import { type CountryWithLevel, searchCountries } from '#shared/countries/endpoints.ts'
import { nameIn } from '../advisories/reader.server.ts'
import { translator, useT } from '../lib/i18n.tsx'
import { api, visitorOf } from '../lib/visitor.ts'
import type { RouteHandle } from '../root.tsx'
import { Breadcrumbs } from '../ui/Breadcrumbs.tsx'
import { Page } from '../ui/Page.tsx'
import type { Route } from './+types/CountriesPage'
import styles from './CountriesPage.module.css'
import { CountryList, type ListedCountry } from './CountryList.tsx'
import { CountrySearch } from './CountrySearch.tsx'
import { exactMatches } from './exact.ts'

const MOST_FOUND = 60
const MOST_CHARACTERS = 100

export const handle = { ns: ['countries'] } satisfies RouteHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const t = translator(language, 'countries')
  const search = new URL(request.url).searchParams.get('search')?.trim().slice(0, MOST_CHARACTERS) ?? ''
  const query = search ? { search, limit: MOST_FOUND } : { limit: 300 }
  const { countries, is_guess } = await api(context)(searchCountries, { query })
  const meant = search ? exactMatches(countries, search) : []
  if (meant.length === 1) throw redirect(`/countries/${meant[0]!.code}`)
  const nameOf = nameIn(language)
  const listed = countries.map((country) => listedAs(country, nameOf(country.code, country.name)))
  // A search keeps its order, the best first; the whole list is read by the alphabet of the language.
  if (!search) listed.sort(byName(language))
  return { search, countries: listed, isGuess: is_guess, description: t('countries_description') }
}

function byName(language: string) {
  const { compare } = new Intl.Collator(language)
  return (a: ListedCountry, b: ListedCountry) => compare(a.name, b.name)
}

const listedAs = ({ code, region, severity_level, advisory_count }: CountryWithLevel, name: string): ListedCountry => ({
  code,
  name,
  region,
  severity_level,
  advisory_count,
})

export default function CountriesPage({ loaderData }: Route.ComponentProps) {
  const { search, countries, isGuess } = loaderData
  const t = useT('countries')
  return (
    <Page>
      <Breadcrumbs />
      <h1>{t('countries_title')}</h1>
      <p className={styles.intro}>{t('countries_intro')}</p>
      <CountrySearch key={search} search={search} />
      <p className={styles.safety}>
        {t('search_hint')} {t('countries_safety')}
      </p>
      {search ? <Found search={search} countries={countries} isGuess={isGuess} /> : <Regions countries={countries} />}
    </Page>
  )
}

function Found({ search, countries, isGuess }: { search: string; countries: ListedCountry[]; isGuess: boolean }) {
  const t = useT('countries')
  if (countries.length === 0) {
    return (
      <section className={styles.section}>
        <h2>{t('countries_none', { search })}</h2>
        <p>{t('countries_none_text')}</p>
        <p>
          <Link to="/countries">{t('countries_show_all')}</Link>
        </p>
      </section>
    )
  }
  return (
    <section className={styles.section}>
      {/* A misspelling is asked about: another country is not what was looked for. */}
      <h2>{isGuess ? t('countries_guess', { search }) : t('countries_found', { count: countries.length, search })}</h2>
      <CountryList countries={countries} />
      <p>
        <Link to="/countries">{t('countries_show_all')}</Link>
      </p>
    </section>
  )
}

const REGIONS = ['Africa', 'Americas', 'Asia', 'Europe', 'Oceania', 'Antarctica'] as const
const keyOf = (region: (typeof REGIONS)[number]) =>
  `region_${region.toLowerCase() as Lowercase<typeof region>}` as const

function Regions({ countries }: { countries: ListedCountry[] }) {
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
          <CountryList countries={countries.filter((country) => country.region === region)} />
        </section>
      ))}
    </>
  )
}
