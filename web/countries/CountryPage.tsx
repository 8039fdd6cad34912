import { Link, redirect } from 'react-router'
import { listAdvisorySources } from '#shared/advisories/endpoints.ts'
import { getCountry } from '#shared/countries/endpoints.ts'
import { nameIn, titleIn } from '../advisories/reader.server.ts'
import { SeverityTag } from '../advisories/SeverityTag.tsx'
import { translator, useT } from '../lib/i18n.tsx'
import { api, visitorOf } from '../lib/visitor.ts'
import type { RouteHandle } from '../root.tsx'
import { Breadcrumbs } from '../ui/Breadcrumbs.tsx'
import { Note } from '../ui/Note.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { Surface } from '../ui/Surface.tsx'
import type { Route } from './+types/CountryPage'
import { CountryAside } from './CountryAside.tsx'
import { CountryFacts } from './CountryFacts.tsx'
import styles from './CountryPage.module.css'
import { countryPage } from './countryPage.ts'
import { factsOf } from './facts.ts'
import { sourceName } from './names.ts'
import { SilentSources, SourceColumns } from './SourceColumns.tsx'
import { WhatChanged } from './WhatChanged.tsx'

export const handle = { ns: ['countries'] } satisfies RouteHandle

export async function loader({ params, context }: Route.LoaderArgs) {
  const code = params.code.toUpperCase()
  if (code !== params.code) throw redirect(`/countries/${code}`, 301)
  const { language } = visitorOf(context)
  const call = api(context)
  const [answer, { sources }] = await Promise.all([call(getCountry, { params: { code } }), call(listAdvisorySources)])
  const nameOf = nameIn(language)
  const name = nameOf(code, answer.country.name)
  return {
    title: name,
    description: translator(language, 'countries')('country_description', { country: name }),
    code,
    name,
    facts: factsOf(answer.country, language),
    ...countryPage(answer, sources, { sourceName: (source) => sourceName(source, nameOf), titleOf: titleIn(language) }),
  }
}

export default function CountryPage({ loaderData }: Route.ComponentProps) {
  const { code, name, facts, columns, silent, changes } = loaderData
  const t = useT('countries')
  return (
    <Page>
      <Breadcrumbs last={<bdi>{name}</bdi>} />
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <CountryFacts facts={facts} />
      {columns.length > 0 ? <Highest {...loaderData} /> : <Nothing {...loaderData} />}
      {columns.length > 0 && (
        <Section id="sources" title={t('says_title')}>
          <SourceColumns columns={columns} code={code} />
        </Section>
      )}
      <SilentSources sources={silent} country={name} />
      <div className={styles.columns}>
        <Section id="changes" title={t('changed_title')}>
          <WhatChanged changes={changes} />
        </Section>
        <CountryAside code={code} name={name} sources={[...columns.map(({ source }) => source), ...silent]} />
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

/** No advisory is never an all-clear, least of all beside a source that did not answer. */
function Nothing({ name, silent }: Data) {
  const t = useT('countries')
  const unknown = silent.filter(({ state }) => state === 'not_confirmed').map((source) => source.name)
  return (
    <div className={styles.nothing}>
      <Note kind="unknown" heading="h2" title={t('nothing_title', { country: name })}>
        <p>{t('nothing_text')}</p>
        {unknown.length > 0 && <p>{t('nothing_unknown', { sources: unknown.join(t('comma')) })}</p>}
      </Note>
    </div>
  )
}
