import { data, Link, redirect } from 'react-router'
import { livePage } from '#web/advisories/live.ts'
import { PageTicker } from '#web/advisories/PageTicker.tsx'
import { useT } from '#web/lib/i18n.tsx'
import { CountryOutline } from '#web/maps/CountryOutline.tsx'
import type { RouteHandle } from '#web/root.tsx'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { classes } from '#web/ui/classes.ts'
import { Page, Section } from '#web/ui/Page.tsx'
import type { Route } from './+types/CountryPage'
import { CountryAside } from './CountryAside.tsx'
import { CountryFacts } from './CountryFacts.tsx'
import { CountryHead } from './CountryHead.tsx'
import styles from './CountryPage.module.css'
import { CountryStrip } from './CountryStrip.tsx'
import { type CountryData, loadCountry } from './country.server.ts'
import { SourceRows } from './SourceRows.tsx'
import { WhatChanged } from './WhatChanged.tsx'

export const handle = { ns: ['countries'], hasTickerBelow: true } satisfies RouteHandle

export function loader({ params: { code }, request, context }: Route.LoaderArgs): Promise<CountryData> {
  if (!/^[a-z]{2}$/i.test(code)) throw data(null, { status: 404 })
  if (code !== code.toUpperCase()) throw redirect(`/countries/${code.toUpperCase()}`, 301)
  return loadCountry(context, request, code)
}

const live = livePage<CountryData>()

export const clientLoader = (args: Route.ClientLoaderArgs) => live.load(args)

export default function CountryPage({ loaderData }: Route.ComponentProps) {
  const { code, name, rows, changes, facts, outline } = loaderData
  const t = useT('countries')
  live.useLive(loaderData, [`country:${code}`])
  return (
    <Page>
      <div className={styles.above}>
        <Breadcrumbs />
      </div>
      <div className={styles.country}>
        <div className={classes(styles.head, outline && styles.besideMap)}>
          <CountryHead data={loaderData} />
        </div>
        <div className={styles.strip}>
          <CountryStrip data={loaderData} />
        </div>
        <PageTicker on="phone" />
        <div className={styles.main}>
          <Section
            id="sources"
            title={t('says_title')}
            end={<Link to={`/travel-advisories?country=${code}`}>{t('more_list', { country: name })}</Link>}
          >
            <SourceRows key={code} code={code} rows={rows} />
          </Section>
          <Section id="changes" title={t('changed_title')}>
            <WhatChanged
              code={code}
              changes={changes.list}
              total={changes.total}
              since={changes.since}
              isAll={changes.isAll}
              hasReadSources={loaderData.hasReadSources}
            />
          </Section>
        </div>
        {outline && (
          <div className={styles.map}>
            <CountryOutline outline={outline} />
          </div>
        )}
        <CountryFacts facts={facts} />
        <CountryAside data={loaderData} />
      </div>
      <div className={styles.below}>
        <Breadcrumbs />
      </div>
    </Page>
  )
}
