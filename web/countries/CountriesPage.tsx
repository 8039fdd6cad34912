import { Link, redirect } from 'react-router'
import { type CountryWithLevel, searchCountries } from '#shared/countries/endpoints.ts'
import { allNames, nameIn } from '#web/advisories/reader.server.ts'
import { similarNames } from '#web/advisories/suggestions.ts'
import { translator, useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { Page } from '#web/ui/Page.tsx'
import type { Route } from './+types/CountriesPage'
import styles from './CountriesPage.module.css'
import { CountryList, type ListedCountry } from './CountryList.tsx'
import { CountrySearch } from './CountrySearch.tsx'
import { exactMatches } from './exact-match.ts'

const MAX_RESULTS = 60
const MAX_CHARACTERS = 100

export const handle = { ns: ['countries'] } satisfies RouteHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const t = translator(language, 'countries')
  const search = new URL(request.url).searchParams.get('search')?.trim().slice(0, MAX_CHARACTERS) ?? ''
  const query = search ? { search, limit: MAX_RESULTS } : { limit: 300 }
  const { countries, is_guess, has_read_sources: hasReadSources } = await api(context)(searchCountries, { query })
  const [meant, ...others] = search && !is_guess ? exactMatches(countries, search) : []
  if (meant && others.length === 0) throw redirect(`/countries/${meant.code}`)
  const nameOf = nameIn(language)
  const listed = countries.map((country) => listedAs(country, nameOf(country.code, country.name)))
  // Search results keep their order, the best first; the full list is sorted in the user's language.
  if (!search) listed.sort(byName(language))
  const near = is_guess ? listed : search && countries.length === 0 ? similarNames(search, allNames(language)) : []
  const guesses = near.slice(0, 3).map(({ code, name }) => ({ code, name }))
  return { search, countries: is_guess ? [] : listed, guesses, hasReadSources, description: t('countries_description') }
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
  const { search } = loaderData
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
      {search ? <Found {...loaderData} /> : <Regions {...loaderData} />}
    </Page>
  )
}

interface CountryListing {
  search: string
  countries: ListedCountry[]
  /** Names similar to the search: only suggested. */
  guesses: { code: string; name: string }[]
  hasReadSources: boolean
}

function Found({ search, countries, guesses, hasReadSources }: CountryListing) {
  const t = useT('countries')
  if (countries.length === 0) {
    return (
      <section className={styles.section}>
        <h2>{t('countries_none')}</h2>
        {guesses.length > 0 && <DidYouMean guesses={guesses} />}
        <p>{t('countries_none_text')}</p>
        <p>
          <Link to={`/church-locator?search=${encodeURIComponent(search)}`}>{t('countries_none_churches')}</Link>
        </p>
        <p>
          <Link to="/countries">{t('countries_show_all')}</Link>
        </p>
      </section>
    )
  }
  return (
    <section className={styles.section}>
      <h2>{t('countries_found', { count: countries.length, search })}</h2>
      <CountryList countries={countries} hasReadSources={hasReadSources} />
      <p>
        <Link to="/countries">{t('countries_show_all')}</Link>
      </p>
    </section>
  )
}

function DidYouMean({ guesses }: Pick<CountryListing, 'guesses'>) {
  const t = useT('countries')
  return (
    <p>
      {t('did_you_mean')}{' '}
      {guesses.map(({ code, name }, i) => (
        <span key={code}>
          {i > 0 && ` ${t('or')} `}
          <Link to={`/countries/${code}`}>
            <bdi>{name}</bdi>
          </Link>
        </span>
      ))}
      {t('question_mark')}
    </p>
  )
}

const REGIONS = ['Africa', 'Americas', 'Asia', 'Europe', 'Oceania', 'Antarctica'] as const
const keyOf = (region: (typeof REGIONS)[number]) =>
  `region_${region.toLowerCase() as Lowercase<typeof region>}` as const

function Regions({ countries, hasReadSources }: CountryListing) {
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
