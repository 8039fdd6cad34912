import { data, Link, redirect } from 'react-router'
import { DEFAULT_SEVERITIES, listSubscriptions } from '#shared/notifications/subscriptions.ts'
import { ProfileSection } from '#web/accounts/profile/ProfileSection.tsx'
import { allNames } from '#web/advisories/reader.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import type { Route } from './+types/SubscriptionPage'
import { SUBSCRIPTIONS } from './form.server.ts'
import { SubscriptionForm } from './SubscriptionForm.tsx'
import styles from './Subscriptions.module.css'
import { type Values, valuesOf } from './values.ts'

export { actOnSubscription as action } from './form.server.ts'

export const handle = { ns: ['subscriptions'] } satisfies RouteHandle

/** Without an id it creates a subscription: for the country in the URL, or those of the profile. */
export async function loader({ context, request, params }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const { compare } = new Intl.Collator(language)
  const { subscriptions, defaults, obstacles } = await api(context)(listSubscriptions)
  const countries = allNames(language).sort((a, b) => compare(a.name, b.name))
  const codes = new URL(request.url).searchParams.get('country')?.toUpperCase().split(',') ?? []
  const wanted = codes.filter((code) => countries.some((country) => country.code === code)).sort()
  const twin = subscriptions.find(({ countries }) => wanted.length > 0 && countries.join() === wanted.join())
  if (!params.id && twin) throw redirect(`${SUBSCRIPTIONS}/${twin.id}`)
  const existing = params.id ? subscriptions.find(({ id }) => id === params.id) : undefined
  if (params.id && !existing) throw data(null, { status: 404 })
  const fresh: Values = {
    isEverywhere: false,
    countries: wanted.length > 0 ? wanted : defaults.countries,
    severity_levels: [...DEFAULT_SEVERITIES],
    advisory_types: [],
    channels: ['in-app', 'email'],
    language: defaults.language,
    urgent_only: false,
    country: '',
  }
  return {
    values: existing ? valuesOf(existing) : fresh,
    isNew: !existing,
    own: defaults.countries,
    obstacles,
    countries,
  }
}

export default function SubscriptionPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('subscriptions')
  const { isNew, values, ...offered } = loaderData
  return (
    <ProfileSection
      id="subscription"
      title={t(isNew ? 'new_title' : 'edit_title')}
      hint={isNew ? t('intro') : undefined}
    >
      <p className={styles.back}>
        <Link to="/dashboard/subscriptions">{t('back')}</Link>
      </p>
      <SubscriptionForm values={actionData?.entered ?? values} answer={actionData} {...offered} />
    </ProfileSection>
  )
}
