import { Link, useRevalidator } from 'react-router'
import { getDashboard } from '#shared/overview/endpoints.ts'
import { listOwnRollCalls } from '#shared/roll-calls/endpoints.ts'
import { useT } from '#web/lib/i18n.tsx'
import { useRoom } from '#web/lib/useRoom.ts'
import { api, attempt, visitorOf } from '#web/lib/visitor.ts'
import { RollCallCards } from '#web/roll-calls/RollCallCards.tsx'
import type { RouteHandle } from '#web/root.tsx'
import { Page, Section } from '#web/ui/Page.tsx'
import { Surface } from '#web/ui/Surface.tsx'
import type { Route } from './+types/DashboardPage'
import { CountryAdvice } from './CountryAdvice.tsx'
import styles from './DashboardPage.module.css'
import { adviceFor } from './dashboard.server.ts'
import { FamilyMessage } from './FamilyMessage.tsx'
import { NextStep } from './NextStep.tsx'
import { nextStep } from './next-step.ts'

export const handle = { ns: ['dashboard', 'countries', 'rollCallAnswer', 'forms'] } satisfies RouteHandle

export async function loader({ context }: Route.LoaderArgs) {
  const { language, now } = visitorOf(context)
  const call = api(context)
  const { countries, acknowledged, ...own } = await call(getDashboard)
  const result = await attempt(context, (ask) => ask(listOwnRollCalls))
  return {
    // The page is useful without roll calls; the message has a link of its own.
    rollCalls: result.done?.roll_calls ?? [],
    name: own.display_name,
    email: own.email,
    step: nextStep(own),
    advice: await adviceFor(call, { language, now, countries, acknowledged }),
  }
}

/** The user's next step, advice on their countries, and further links. */
export default function DashboardPage({ loaderData: { rollCalls, name, email, step, advice } }: Route.ComponentProps) {
  const t = useT('dashboard')
  const { revalidate } = useRevalidator()
  useRoom(
    advice.map(({ code }) => code),
    (socket, country, hear) => socket.onCountry(country, hear),
    () => void revalidate(),
  )
  return (
    <Page>
      <h1 className={styles.title}>{t('title')}</h1>
      <p className={styles.hello}>
        {t('hello')} <bdi>{name}</bdi>
      </p>
      <RollCallCards rollCalls={rollCalls} />
      {step && <NextStep step={step} email={email} />}
      <div className={styles.columns}>
        <Section id="advice" title={t('advice_title')} end={<Link to="/dashboard/profile">{t('advice_change')}</Link>}>
          <CountryAdvice advice={advice} />
        </Section>
        <div className={styles.aside}>
          <QuickActions />
          <FamilyMessage name={name} advice={advice} />
        </div>
      </div>
    </Page>
  )
}

function QuickActions() {
  const t = useT('dashboard')
  return (
    <Surface>
      <h2>{t('actions_title')}</h2>
      <ul className={styles.actions}>
        <li>
          <Link to="/travel-advisories?mine=1">{t('action_mine')}</Link>
        </li>
        <li>
          <Link to="/dashboard/subscriptions">{t('action_subscriptions')}</Link>
        </li>
        <li>
          <Link to="/countries">{t('action_country')}</Link>
        </li>
        <li>
          <Link to="/travel-faq">{t('action_faq')}</Link>
        </li>
        <li>
          <Link to="/dashboard/profile">{t('action_profile')}</Link>
        </li>
        <li>
          <Link to="/support">{t('action_support')}</Link>
        </li>
      </ul>
    </Surface>
  )
}
