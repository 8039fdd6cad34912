import {
  listSubscriptions,
  type Subscription,
  unsubscribe,
  updateSubscription,
} from '#shared/notifications/subscriptions.ts'
import { ProfileSection } from '#web/accounts/profile/ProfileSection.tsx'
import { nameIn } from '#web/advisories/reader.server.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { UnknownTag } from '#web/ui/Chip.tsx'
import { classes } from '#web/ui/classes.ts'
import { Form } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/SubscriptionsPage'
import styles from './Subscriptions.module.css'

export const handle = { ns: ['subscriptions'] } satisfies RouteHandle

const HERE = '/dashboard/subscriptions'
const DONE = ['saved', 'removed', 'paused', 'resumed'] as const

export async function loader({ context, request }: Route.LoaderArgs) {
  const nameOf = nameIn(visitorOf(context).language)
  const { subscriptions, most } = await api(context)(listSubscriptions)
  const doneParam = new URL(request.url).searchParams.get('done')
  return {
    most,
    done: DONE.find((done) => done === doneParam) ?? null,
    subscriptions: subscriptions.map((subscription) => ({
      ...subscription,
      names: subscription.countries.map((code) => nameOf(code)).sort(),
    })),
  }
}

type ListedSubscription = Subscription & { names: string[] }

// A button names the action and the subscription: `pause=7`.
export const action = formAction(
  {
    remove: async (call, { text, flash }) => {
      await call(unsubscribe, { params: { id: text('remove') } })
      return flash(HERE, 'removed')
    },
    pause: async (call, { text, flash }) => {
      await call(updateSubscription, { params: { id: text('pause') }, body: { active: false } })
      return flash(HERE, 'paused')
    },
    resume: async (call, { text, flash }) => {
      await call(updateSubscription, { params: { id: text('resume') }, body: { active: true } })
      return flash(HERE, 'resumed')
    },
  },
  { byField: true },
)

export default function SubscriptionsPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('subscriptions')
  const language = useLanguage()
  const { subscriptions, most, done } = loaderData
  return (
    <ProfileSection
      id="subscriptions"
      title={t('title')}
      hint={t('intro')}
      done={!actionData && done && t(`done_${done}`)}
    >
      {subscriptions.length === 0 ? (
        <Note title={t('none_title')} heading="h3" icon="bell">
          <p>{t('none_text')}</p>
        </Note>
      ) : (
        <Form action={HERE} error={actionData?.error}>
          {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers */}
          <ul className={styles.list} role="list">
            {subscriptions.map((subscription) => (
              <Item key={subscription.id} subscription={subscription} />
            ))}
          </ul>
        </Form>
      )}
      {subscriptions.length < most ? (
        <div>
          <ButtonLink to={`${HERE}/new`} look="primary" icon="bell">
            {t('add')}
          </ButtonLink>
        </div>
      ) : (
        <p>{t('full', { n: formatNumber(language, most) })}</p>
      )}
    </ProfileSection>
  )
}

const NAMES_SHOWN = 4

function Item({ subscription }: { subscription: ListedSubscription }) {
  const t = useT('subscriptions')
  const language = useLanguage()
  const { id, names, active, severity_levels, advisory_types, channels, last_notified_at } = subscription
  const list = new Intl.ListFormat(language, { type: 'unit' })
  const rest = names.length - NAMES_SHOWN
  const shown = rest > 1 ? [...names.slice(0, NAMES_SHOWN), t('more_countries', { count: rest, n: rest })] : names
  const name = names.length === 0 ? t('every_country') : list.format(shown)
  const about = [
    ...severity_levels.map((severity) => t(`level_${severity}`)),
    ...(subscription.urgent_only ? [t('urgent_only_short')] : []),
    ...advisory_types.map((type) => t(`type_${type}`)),
  ]
  const channelNames = list.format(channels.map((channel) => t(`channel_name_${channel}`)))
  return (
    <li className={classes(styles.item, !active && styles.paused)}>
      <h3>
        <bdi>{name}</bdi> {!active && <UnknownTag icon="pause">{t('paused')}</UnknownTag>}
      </h3>
      <ul className={styles.facts}>
        <li>{list.format(about)}</li>
        <li>{t('channels_and_language', { ways: channelNames, language: t(`language_${subscription.language}`) })}</li>
        <li className={styles.muted}>
          {last_notified_at ? (
            <>
              {t('last_sent')}: <Time value={last_notified_at} />
            </>
          ) : (
            t('never_sent')
          )}
        </li>
      </ul>
      <div className={styles.buttons}>
        <ButtonLink isSmall to={`${HERE}/${id}`} aria-label={t('edit_named', { name })}>
          {t('edit')}
        </ButtonLink>
        <Button
          type="submit"
          isSmall
          name={active ? 'pause' : 'resume'}
          value={id}
          aria-label={t(active ? 'pause_named' : 'resume_named', { name })}
        >
          {t(active ? 'pause' : 'resume')}
        </Button>
        <Button type="submit" isSmall look="link" name="remove" value={id} aria-label={t('remove_named', { name })}>
          {t('remove')}
        </Button>
      </div>
    </li>
  )
}
