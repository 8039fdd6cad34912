import { Link } from 'react-router'
import { listAdvisories, listAdvisorySources } from '#shared/advisories/endpoints.ts'
import { livePage } from '#web/advisories/live.ts'
import { PlaceSearch } from '#web/countries/PlaceSearch.tsx'
import { CallStrip } from '#web/emergency/CallStrip.tsx'
import { type FirstCall, likelyCall } from '#web/emergency/place.server.ts'
import { useZoneCall } from '#web/emergency/useZoneCall.ts'
import { type Key, translator, useT } from '#web/lib/i18n.tsx'
import { api, type CallEndpoint, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Page } from '#web/ui/Page.tsx'
import type { Route } from './+types/LandingPage'
import styles from './LandingPage.module.css'
import { LatestAdvisories } from './LatestAdvisories.tsx'
import { landing } from './landing.ts'
import { SourcesToday } from './SourcesToday.tsx'

export const handle = { ns: ['countries', 'search'] } satisfies RouteHandle

export async function loader({ context }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const call = api(context)
  const [advisories, { sources }, danger] = await Promise.all([
    allAdvisories(call),
    call(listAdvisorySources),
    likelyCall(context),
  ])
  return {
    description: translator(language, 'countries')('landing_description'),
    ...landing(advisories, sources, language),
    call: danger,
  }
}

const AT_ONCE = 100

/** Ordered by urgency, but the latest are needed: some hundreds, read from memory, and the page is cached. */
async function allAdvisories(call: CallEndpoint) {
  const first = await call(listAdvisories, { query: { limit: AT_ONCE } })
  const offsets = Array.from(
    { length: Math.max(0, Math.ceil(first.total / AT_ONCE) - 1) },
    (_, page) => (page + 1) * AT_ONCE,
  )
  const rest = await Promise.all(offsets.map((offset) => call(listAdvisories, { query: { limit: AT_ONCE, offset } })))
  return [first, ...rest].flatMap(({ advisories }) => advisories)
}

const live = livePage<Awaited<ReturnType<typeof loader>>>()

export const clientLoader = (args: Route.ClientLoaderArgs) => live.load(args)

/** One question first; everything else follows below it. */
export default function LandingPage({ loaderData }: Route.ComponentProps) {
  const { often, sources, rows } = loaderData
  live.useLive(loaderData)
  return (
    <>
      <div className={styles.band}>
        <div className={styles.bandContent}>
          <Question often={often} />
          <SourcesToday sources={sources} isBeside />
        </div>
      </div>
      <Danger call={loaderData.call} />
      <Services />
      <Page>
        <LatestAdvisories rows={rows} isAnythingRead={sources.isAnythingRead} />
        <SourcesToday sources={sources} />
      </Page>
    </>
  )
}

function Question({ often }: { often: { code: string; name: string }[] }) {
  const t = useT('countries')
  return (
    <div className={styles.question}>
      <h1 id="question">{t('question')}</h1>
      <PlaceSearch labelledBy="question" isOnBand />
      <p className={styles.often}>
        {t('often')}
        {often.map(({ code, name }) => (
          <Link key={code} to={`/countries/${code}`}>
            {name}
          </Link>
        ))}
      </p>
    </div>
  )
}

function Danger({ call }: { call: FirstCall | null }) {
  const t = useT('countries')
  return (
    <section className={styles.danger} aria-labelledby="danger">
      <div className={styles.dangerContent}>
        <h2 id="danger">{t('danger_title')}</h2>
        <CallStrip call={useZoneCall(call)} isOnDark />
      </div>
    </section>
  )
}

/** Four, no more: what most visitors come for. */
const SERVICES: readonly { to: string; title: Key<'countries'>; text: Key<'countries'> }[] = [
  { to: '/travel-advisories', title: 'service_advisories', text: 'service_advisories_text' },
  { to: '/church-locator', title: 'service_churches', text: 'service_churches_text' },
  { to: '/ai-chat', title: 'service_assistant', text: 'service_assistant_text' },
  { to: '/support', title: 'service_support', text: 'service_support_text' },
]

function Services() {
  const t = useT('countries')
  return (
    <section className={styles.services} aria-label={t('services_label')}>
      <ul>
        {SERVICES.map(({ to, title, text }) => (
          <li key={to}>
            <h2>
              <Link to={to}>{t(title)}</Link>
            </h2>
            <p>{t(text)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
