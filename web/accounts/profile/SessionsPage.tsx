import { endSession, listSessions, signOut } from '#shared/accounts/endpoints.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api } from '#web/lib/visitor.ts'
import { Button } from '#web/ui/Button.tsx'
import { Tag } from '#web/ui/Chip.tsx'
import { Form } from '#web/ui/Form.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/SessionsPage'
import { methodKey } from './method-key.ts'
import styles from './Profile.module.css'
import { ProfileSection } from './ProfileSection.tsx'

const HERE = '/dashboard/profile/sessions'

export async function loader({ context, request }: Route.LoaderArgs) {
  const { sessions } = await api(context)(listSessions)
  return { sessions, done: new URL(request.url).searchParams.get('done') }
}

export const action = formAction({
  others: async (call, { flash }) => {
    await call(signOut, { body: { scope: 'others' } })
    return flash(HERE, 'others')
  },
  one: async (call, { text, flash }) => {
    await call(endSession, { params: { id: text('id') } })
    return flash(HERE, 'one')
  },
})

export default function SessionsPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('profile')
  const { done } = loaderData
  const sessions = loaderData.sessions.toSorted((a, b) => Number(b.is_current) - Number(a.is_current))
  const doneMessage = done === 'others' ? t('sessions_ended') : done === 'one' ? t('session_ended') : null
  const others = sessions.filter(({ is_current }) => !is_current)
  return (
    <ProfileSection
      id="sessions"
      title={t('section_sessions')}
      hint={t('sessions_hint')}
      done={!actionData && doneMessage}
    >
      <Form action={HERE} error={actionData?.error}>
        <input type="hidden" name="intent" value="one" />
        {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers */}
        <ul className={styles.list} role="list" aria-label={t('section_sessions')}>
          {sessions.map(({ id, device, way, created_at, last_used_at, is_current }) => (
            <li key={id} className={styles.item}>
              <span>
                <bdi dir="ltr">{device || t('device_unknown')}</bdi> {is_current && <Tag>{t('this_device')}</Tag>}
                <br />
                <span className={styles.second}>
                  {t(methodKey(way))}
                  <br />
                  {t('signed_in')} <Time value={created_at} />
                  {last_used_at !== created_at && (
                    <>
                      {' · '}
                      {t('last_used')} <Time value={last_used_at} />
                    </>
                  )}
                </span>
              </span>
              {!is_current && (
                <Button
                  type="submit"
                  isSmall
                  name="id"
                  value={id}
                  aria-label={t('end_named', { name: device || t('device_unknown') })}
                >
                  {t('end')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Form>
      {others.length > 0 ? (
        <Form action={HERE}>
          <input type="hidden" name="intent" value="others" />
          <div className={styles.buttons}>
            <Button type="submit">{t('end_others', { count: others.length })}</Button>
          </div>
        </Form>
      ) : (
        <p className={styles.second}>{t('sessions_only')}</p>
      )}
    </ProfileSection>
  )
}
