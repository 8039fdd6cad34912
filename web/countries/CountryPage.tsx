import { data, Link, redirect } from 'react-router'
import { countryNames } from '#shared/advisories/cards.ts'
import { listAdvisorySources } from '#shared/advisories/endpoints.ts'
import { firstOf } from '#shared/assert.ts'
import { getCountry } from '#shared/countries/endpoints.ts'
import { nameIn, titleIn } from '#web/advisories/reader.server.ts'
import { SeverityTag } from '#web/advisories/SeverityTag.tsx'
import { BriefList } from '#web/churches/BriefList.tsx'
import { churchesIn } from '#web/churches/churches-in-countries.server.ts'
import { CallStrip } from '#web/emergency/CallStrip.tsx'
import { firstCallIn } from '#web/emergency/place.server.ts'
import { sourceName } from '#web/lib/country-names.ts'
import { isolated } from '#web/lib/format.ts'
import { translator, useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Page, Section } from '#web/ui/Page.tsx'
import { Surface } from '#web/ui/Surface.tsx'
import type { Route } from './+types/CountryPage'
import { CountryAside } from './CountryAside.tsx'
import { CountryFacts } from './CountryFacts.tsx'
import styles from './CountryPage.module.css'
import { countryPage } from './country-page.ts'
import { factsOf } from './facts.ts'
import { OtherSources, SourceColumns } from './SourceColumns.tsx'
import { WhatChanged } from './WhatChanged.tsx'

export const handle = { ns: ['countries'] } satisfies RouteHandle

export async function loader({ params, context }: Route.LoaderArgs) {
  if (!/^[a-z]{2}$/i.test(params.code)) throw data(null, { status: 404 })
  const code = params.code.toUpperCase()
  if (code !== params.code) throw redirect(`/countries/${code}`, 301)
  const { language } = visitorOf(context)
  const call = api(context)
  const nameOf = nameIn(language)
  const [answer, firstCall, { sources }, churches] = await Promise.all([
    call(getCountry, { params: { code } }),
    firstCallIn(context, code, { name: nameOf(code) }),
    call(listAdvisorySources),
    churchesIn(call, [{ code, name: nameOf(code) }], { language }),
  ])
  const name = nameOf(code, answer.country.name)
  return {
    title: name,
    description: translator(language, 'countries')('country_description', { country: name }),
    code,
    name,
    facts: factsOf(answer.country, language),
    firstCall,
    churches: firstOf(churches.countries),
    ...countryPage(answer, sources, {
      sourceName: (source) => sourceName(source, nameOf),
      titleOf: (advisory) => titleIn(language)(advisory, countryNames(advisory, nameOf)),
    }),
  }
}

export default function CountryPage({ loaderData }: Route.ComponentProps) {
  const { code, name, facts, firstCall, columns, silent, unknown, changes } = loaderData
  const t = useT('countries')
  return (
    <Page>
      <Breadcrumbs />
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <CountryFacts facts={facts} />
      <CallStrip call={firstCall} country={code} />
      {columns.length > 0 ? <Highest {...loaderData} /> : <Nothing {...loaderData} />}
      {columns.length > 0 && (
        <Section id="sources" title={t('says_title')}>
          <SourceColumns columns={columns} code={code} />
        </Section>
      )}
      <OtherSources silent={silent} unknown={unknown} country={name} />
      <Churches churches={loaderData.churches} country={name} />
      <div className={changes.length > 0 ? styles.columns : styles.rows}>
        <Section id="changes" title={t('changed_title')}>
          <WhatChanged changes={changes} hasReadSources={loaderData.hasReadSources} />
          {loaderData.olderCount > 0 && (
            <p>
              <a href={`/countries/${code}/feed.atom`}>{t('timeline_more', { count: loaderData.olderCount })}</a>
            </p>
          )}
        </Section>
        <CountryAside
          code={code}
          name={name}
          sources={[...columns.map(({ source }) => source), ...silent, ...unknown]}
        />
      </div>
    </Page>
  )
}

type Data = Route.ComponentProps['loaderData']

function Highest({ highest, doDiffer }: Data) {
  const t = useT('countries')
  if (!highest) return null
  const [before, after] = t('highest_title', { title: '\n' }).split('\n')
  return (
    <Surface className={styles.highest} isUnknown={highest.isDoubtful}>
      <SeverityTag severity={highest.severity_level} isPulsing={false} />
      <div>
        <p className={styles.highestTitle}>
          {before}
          <Link to={`/travel-advisories/${highest.id}`}>
            <bdi lang={highest.title_language}>{highest.title}</bdi>
          </Link>
          {after}
        </p>
        <p>
          {t(doDiffer ? 'highest_differ' : 'highest_agree')} {highest.isDoubtful && t('highest_doubt')}
        </p>
      </div>
    </Surface>
  )
}

function Churches({
  churches: { code, hasFailed, locales, total },
  country,
}: Pick<Data, 'churches'> & { country: string }) {
  const t = useT('countries')
  const all = <Link to={`/church-locator?country=${code}`}>{t('churches_all', { country })}</Link>
  return (
    <Section
      id="churches"
      title={t('churches_title')}
      hint={total > 0 && t('churches_number', { country, number: total })}
      end={locales.length > 0 && all}
    >
      {locales.length > 0 ? (
        <BriefList locales={locales} />
      ) : (
        <p>
          {t(hasFailed ? 'churches_failed' : 'churches_none', { country })}.{' '}
          <Link to="/church-locator">{t('churches_find')}</Link>
        </p>
      )}
    </Section>
  )
}

/** No advisory is never an all-clear. */
function Nothing({ name, hasReadSources, silent }: Data) {
  const t = useT('countries')
  const country = isolated(name)
  const title = !hasReadSources
    ? t('nothing_not_read', { country })
    : silent.length === 0
      ? t('nothing_not_confirmed', { country })
      : t('nothing_title', { country, count: silent.length })
  return (
    <div className={styles.nothing}>
      <Note kind="unknown" heading="h2" title={title}>
        <p>{t(hasReadSources ? 'nothing_text' : 'nothing_not_read_text')}</p>
      </Note>
    </div>
  )
}
