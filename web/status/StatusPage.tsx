import { Link } from 'react-router'
import { byAuthority } from '#shared/advisories/freshness.ts'
import { getStatus } from '#shared/notifications/status.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { SourceState } from '#web/advisories/SourceState.tsx'
import { sourceName } from '#web/lib/country-names.ts'
import { formatNumber } from '#web/lib/format.ts'
import { translator, useLanguage, useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Page, Section } from '#web/ui/Page.tsx'
import { Surface } from '#web/ui/Surface.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/StatusPage'
import { inTime } from './duration.ts'
import { StatsTable } from './StatsTable.tsx'
import styles from './StatusPage.module.css'

export const handle = { ns: ['status'] } satisfies RouteHandle

/** Measured every few minutes: the page is re-rendered at most once a minute. */
export const headers = () => ({ 'valid-for': '60' })

export async function loader({ context }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const status = await api(context)(getStatus)
  // An authority may have two feeds: the trusted one represents it.
  const sources = byAuthority(status.sources).map((source) => ({
    ...source,
    name: sourceName(source, nameIn(language)),
  }))
  return { ...status, sources, description: translator(language, 'status')('description') }
}

type Data = Route.ComponentProps['loaderData']

/** The portal's service levels and measured results, including slow and unknown ones. */
export default function StatusPage({ loaderData }: Route.ComponentProps) {
  const t = useT('status')
  const { days, figures, measured_at, proof } = loaderData
  return (
    <Page>
      <Breadcrumbs />
      <h1>{t('title')}</h1>
      <p className={styles.intro}>{t('intro')}</p>
      <Alarms {...loaderData} />
      {measured_at === null ? (
        <div className={styles.part}>
          <Note kind="unknown" title={t('not_measured')} heading="h2" />
        </div>
      ) : (
        <>
          {(['urgent', 'all'] as const).map((scope) => (
            <Section
              key={scope}
              id={scope}
              title={t(`stats_${scope}`)}
              hint={scope === 'all' ? t('stats_all_hint') : undefined}
            >
              <StatsTable stats={figures.filter((row) => row.scope === scope)} days={days} name={t(`stats_${scope}`)} />
            </Section>
          ))}
          <p className={styles.measured}>
            <Measured at={measured_at} />
          </p>
        </>
      )}
      <div className={styles.columns}>
        <Section
          id="sources"
          title={t('sources_title')}
          end={<Link to="/travel-advisories/sources">{t('sources_link')}</Link>}
        >
          <Sources sources={loaderData.sources} />
        </Section>
        <div>
          <Section id="proof" title={t('proof_title')}>
            <Proof proof={proof} />
          </Section>
          <Section id="how" title={t('how_title')}>
            <p>{t('how_1')}</p>
            <p>{t('how_2', { days })}</p>
          </Section>
        </div>
      </div>
    </Page>
  )
}

function Measured({ at }: { at: string }) {
  const t = useT('status')
  const [before, after] = t('measured', { time: '\n' }).split('\n')
  return (
    <>
      {before}
      <Time value={at} />
      {after}
    </>
  )
}

/** WhatsApp is offered only if configured. */
const PROMISED: ReadonlySet<string> = new Set(['email', 'sms', 'push'])

function Alarms({ alarms, proof, unsent_channels }: Pick<Data, 'alarms' | 'proof' | 'unsent_channels'>) {
  const t = useT('status')
  const unsent = unsent_channels.filter((channel) => PROMISED.has(channel))
  if (alarms.length === 0 && unsent.length === 0)
    return <Note title={t('fine_title')}>{proof !== null && <p>{t('fine_watched')}</p>}</Note>
  const [before, after] = t('alarm_since', { time: '\n' }).split('\n')
  return (
    <div className={styles.alarms}>
      {unsent.map((channel) => (
        <Note key={channel} kind="error" title={t(`unsent_${channel}`)} heading="h2">
          <p>{t('unsent_text')}</p>
        </Note>
      ))}
      {alarms.map(({ cause, raised_at }) => (
        <Note key={cause} kind="error" title={t(`alarm_${cause}`)} heading="h2">
          <p>
            {before}
            <Time value={raised_at} />
            {after} {t('alarm_advice')}
          </p>
        </Note>
      ))}
    </div>
  )
}

function Sources({ sources }: Pick<Data, 'sources'>) {
  const t = useT('status')
  return (
    <Surface className={styles.sheet}>
      <dl className={styles.sources}>
        {sources.map((source) => (
          <div key={source.id}>
            <dt>
              <bdi>{source.name}</bdi>
            </dt>
            <dd>
              <SourceState source={source} />
              <span className={styles.muted}>
                {t('source_changed')}: {source.last_change_at ? <Time value={source.last_change_at} /> : t('never')}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </Surface>
  )
}

function Proof({ proof }: Pick<Data, 'proof'>) {
  const t = useT('status')
  const language = useLanguage()
  if (!proof) return <p>{t('proof_none')}</p>
  const number = (n: number) => formatNumber(language, n)
  const after = (at: string | null) => {
    if (!at) return t('not_yet')
    const seconds = Math.max(0, (Date.parse(at) - Date.parse(proof.announced_at)) / 1000)
    return t('proof_after', { time: inTime(t, seconds, number) })
  }
  return (
    <dl className={styles.proof}>
      <div>
        <dt>{t('proof_announced')}</dt>
        <dd>
          <Time value={proof.announced_at} />
        </dd>
      </div>
      <div>
        <dt>{t('proof_sent')}</dt>
        <dd>{after(proof.told_at)}</dd>
      </div>
      {proof.channels.map(({ channel, handed_over_at }) => (
        <div key={channel}>
          <dt>{t(channel === 'sms' ? 'proof_channel_sms' : 'proof_channel_email')}</dt>
          <dd>{after(handed_over_at)}</dd>
        </div>
      ))}
    </dl>
  )
}
