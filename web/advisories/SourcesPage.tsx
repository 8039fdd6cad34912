import type { ReactNode } from 'react'
import { listAdvisorySources } from '#shared/advisories/endpoints.ts'
import { countConfirmed } from '#shared/advisories/freshness.ts'
import { sourceName } from '#web/lib/country-names.ts'
import { formatNumber } from '#web/lib/format.ts'
import { translator, useLanguage, useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Page, Section } from '#web/ui/Page.tsx'
import { Surface } from '#web/ui/Surface.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/SourcesPage'
import { addressOf, NO_FILTERS } from './filters.ts'
import { isVouchedFor } from './freshness-text.ts'
import { nameIn } from './reader.server.ts'
import { SourceState } from './SourceState.tsx'
import styles from './SourcesPage.module.css'

export const handle = { ns: ['advisory'] } satisfies RouteHandle

export async function loader({ context }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const { sources } = await api(context)(listAdvisorySources)
  return {
    description: translator(language, 'advisory')('sources_description'),
    sources: sources.map((source) => ({ ...source, name: sourceName(source, nameIn(language)) })),
  }
}

type Source = Awaited<ReturnType<typeof loader>>['sources'][number]

export default function SourcesPage({ loaderData: { sources } }: Route.ComponentProps) {
  const t = useT('advisory')
  // These provide nothing and have no stored items: their names are enough.
  const idle = sources.filter(({ state, item_count }) => state === 'off' && item_count === 0)
  return (
    <Page>
      <Breadcrumbs />
      <h1>{t('sources_title')}</h1>
      <p className={styles.subtitle}>{t('sources_subtitle')}</p>
      <p>
        <b>{t('sources_confirmed', countConfirmed(sources))}</b>
      </p>
      <div className={styles.sources}>
        {sources
          .filter((source) => !idle.includes(source))
          .map((source) => (
            <SourceSheet key={source.id} source={source} />
          ))}
      </div>
      {idle.length > 0 && (
        <p className={styles.organization}>
          {t('source_off')}: {idle.map(({ name }) => name).join(t('comma'))}
        </p>
      )}
      <Section title={t('freshness_title')} id="freshness">
        <div className={styles.explained}>
          <p>{t('freshness_1')}</p>
          <p>{t('freshness_2')}</p>
          <p>{t('freshness_3')}</p>
          <p>{t('freshness_4')}</p>
        </div>
      </Section>
    </Page>
  )
}

function SourceSheet({ source }: { source: Source }) {
  const t = useT('advisory')
  const language = useLanguage()
  const isRead = source.state !== 'manual' && source.state !== 'off'
  return (
    <Surface isUnknown={!isVouchedFor(source)} role="group" aria-labelledby={source.id}>
      <div className={styles.head}>
        <h2 id={source.id}>
          <bdi>{source.name}</bdi>
        </h2>
        <SourceState source={source} />
      </div>
      <p className={styles.organization} lang={source.language} dir="auto">
        {source.organization}
      </p>
      <dl className={styles.facts}>
        {isRead && (
          <>
            {source.url && (
              <Fact label={t('source_address')}>
                <bdi dir="ltr" className={styles.host}>
                  {new URL(source.url).host}
                </bdi>
              </Fact>
            )}
            <Fact label={t('source_last_attempt')}>
              <Moment value={source.last_attempt_at} />
            </Fact>
            <Fact label={t('source_last_success')}>
              <Moment value={source.last_success_at} />
            </Fact>
          </>
        )}
        <Fact label={t('source_last_change')}>
          <Moment value={source.last_change_at} />
        </Fact>
        <Fact label={t('source_items')}>{formatNumber(language, source.item_count)}</Fact>
        {isRead && (
          <Fact label={t('source_interval')}>
            <Interval seconds={source.interval_seconds} />
          </Fact>
        )}
        {source.error && source.state !== 'off' && (
          <Fact label={t('source_error')}>
            <bdi lang="en">{source.error}</bdi>
          </Fact>
        )}
      </dl>
      <p className={styles.licence} lang="en" dir="auto">
        {source.licence_url ? <a href={source.licence_url}>{source.licence}</a> : source.licence}
      </p>
      <div className={styles.actions}>
        <ButtonLink isSmall to={source.homepage} icon="external" target="_blank" rel="noopener">
          {t('source_open')}
        </ButtonLink>
        {source.item_count > 0 && (
          <ButtonLink isSmall look="link" to={addressOf(NO_FILTERS, { source: source.id })}>
            {t('source_advisories')}
          </ButtonLink>
        )}
      </div>
    </Surface>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Moment({ value }: { value: string | null }) {
  const t = useT('advisory')
  return value ? <Time value={value} /> : t('never')
}

function Interval({ seconds }: { seconds: number }) {
  const t = useT('advisory')
  const minutes = Math.round(seconds / 60)
  return minutes % 60 === 0 ? t('hours', { count: minutes / 60 }) : t('minutes', { count: minutes })
}
