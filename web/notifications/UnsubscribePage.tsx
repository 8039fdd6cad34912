import { data, Link } from 'react-router'
import {
  getUnsubscribeState,
  resubscribe,
  type UnsubscribeState,
  unsubscribe,
} from '#shared/notifications/unsubscribe.ts'
import profile from '#web/accounts/profile/Profile.module.css'
import { nameIn } from '#web/advisories/reader.server.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { isolated } from '#web/lib/format.ts'
import { translator, useT } from '#web/lib/i18n.tsx'
import { attempt, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/UnsubscribePage'
import styles from './Unsubscribe.module.css'

export const handle = { ns: ['unsubscribe', 'forms'], plain: true } satisfies RouteHandle

type Scope = 'kind' | 'subscription'

export async function loader({ context, params }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const title = translator(language, 'unsubscribe')('title')
  const { done, error } = await attempt(context, (call) =>
    call(getUnsubscribeState, { params: { token: params.token } }),
  )
  if (!done) return data({ title, ending: null, countries: [], error }, { status: error.status })
  const nameOf = nameIn(language)
  const countries = (done.subscription?.countries ?? []).map((code) => nameOf(code))
  return data({ title, ending: done, countries, error: null }, { status: 200 })
}

export const action = formAction(async (call, { params: { token = '' }, text }) => {
  const scope: Scope = text('scope') === 'subscription' ? 'subscription' : 'kind'
  const isUndone = text('intent') === 'undo'
  await call(isUndone ? resubscribe : unsubscribe, { params: { token }, query: { scope } })
  return { scope, isUndone }
})

/** Landing page of a link in an email. Mail scanners open links too, so the button unsubscribes. */
export default function UnsubscribePage({ loaderData, actionData }: Route.ComponentProps) {
  const { title, ending, countries, error } = loaderData
  return (
    <div className={styles.page}>
      <h1>{title}</h1>
      {error && <Unusable code={error.code} />}
      {ending && actionData?.scope && <Done scope={actionData.scope} isUndone={actionData.isUndone ?? false} />}
      {ending && (!actionData || actionData.error || actionData.isUndone) && (
        <Choice ending={ending} countries={countries} error={actionData?.error} />
      )}
    </div>
  )
}

interface ChoiceProps {
  ending: UnsubscribeState
  countries: string[]
  error: { error: string; fields: Record<string, string> } | undefined
}

function Choice({ ending: { kind, subscription, is_kind_ended }, countries, error }: ChoiceProps) {
  const t = useT('unsubscribe')
  const hasSubscription = subscription !== null && !subscription.is_ended && !is_kind_ended
  if (is_kind_ended) return <Done scope="kind" isUndone={false} />
  return (
    <>
      {hasSubscription ? (
        <>
          <p>{t('text_subscription')}</p>
          <p className={styles.what}>
            {countries.length === 0 ? t('every_country') : countries.map(isolated).join(t('comma'))}
          </p>
        </>
      ) : (
        <>
          <p>{t('text_kind')}</p>
          <p className={styles.what}>{t(`kind_${kind}`)}</p>
        </>
      )}
      {kind === 'roll_call' && (
        <Note title={t('roll_call_warning')} icon="warning">
          <p>{t('other_channels')}</p>
        </Note>
      )}
      <Form error={error}>
        <div className={profile.buttons}>
          {hasSubscription && (
            <Submit name="scope" value="subscription">
              {t('stop_subscription')}
            </Submit>
          )}
          <Submit name="scope" value="kind" look={hasSubscription ? 'secondary' : 'primary'}>
            {t(hasSubscription ? 'stop_kind' : 'stop')}
          </Submit>
        </div>
      </Form>
      {kind !== 'roll_call' && <p className={styles.second}>{t('other_channels')}</p>}
      <More />
    </>
  )
}

function Done({ scope, isUndone }: { scope: Scope; isUndone: boolean }) {
  const t = useT('unsubscribe')
  if (isUndone) return <Note kind="success" title={t('undone')} isLive />
  return (
    <>
      <Note kind="success" title={t(`ended_${scope}`)} isLive>
        <p>{t('ended_text')}</p>
      </Note>
      <Form>
        <input type="hidden" name="scope" value={scope} />
        <Submit name="intent" value="undo" look="secondary">
          {t('undo')}
        </Submit>
      </Form>
      <More />
    </>
  )
}

function More() {
  const t = useT('unsubscribe')
  return (
    <p>
      <Link to="/notifications/preferences">{t('more')}</Link>
    </p>
  )
}

function Unusable({ code }: { code: string }) {
  const t = useT('unsubscribe')
  const why = code === 'no_account' ? 'gone' : code === 'unknown_link' ? 'unknown' : 'failed'
  return (
    <Note
      kind="unknown"
      title={t(why)}
      action={
        why === 'unknown' && (
          <div className={profile.buttons}>
            <ButtonLink to="/notifications/preferences">{t('preferences')}</ButtonLink>
            <ButtonLink to="/support">{t('support')}</ButtonLink>
          </div>
        )
      }
    >
      <p>{t(`${why}_text`)}</p>
    </Note>
  )
}
