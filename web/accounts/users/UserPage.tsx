import { randomUUID } from 'node:crypto'
import { data, useSearchParams } from 'react-router'
import { signInAdvice } from '#shared/accounts/sign-in-advice.ts'
import { findUser } from '#shared/accounts/users.ts'
import { listChapterChoices } from '#shared/churches/chapters.ts'
import { isAdmin, isCoordinator } from '#shared/roles.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { EntryList } from '#web/audit/EntryList.tsx'
import { readableEntries } from '#web/audit/entries.server.ts'
import { countriesIn } from '#web/churches/admin/choices.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { isId } from '#web/lib/ids.ts'
import { api, attempt, userOf, visitorOf } from '#web/lib/visitor.ts'
import { ANNOUNCEMENTS } from '#web/notifications/admin/paths.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel, BackLink } from '#web/ui/AdminPage.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/UserPage'
import { AccountSigns } from './AccountSigns.tsx'
import { Confirm } from './Confirm.tsx'
import { DetailsSection } from './DetailsSection.tsx'
import { RoleRights } from './RoleRights.tsx'
import { RoleSection } from './RoleSection.tsx'
import { SignInSection } from './SignInSection.tsx'
import { StatusMark } from './StatusMark.tsx'
import { StatusSection } from './StatusSection.tsx'
import { SuppressionsSection } from './SuppressionsSection.tsx'
import { UserFacts } from './UserFacts.tsx'
import styles from './UserPage.module.css'
import { RecentActivity, WorkSection } from './WorkSection.tsx'

export { actOnUser as action } from './actions.server.ts'

export const handle = { ns: ['users', 'forms'] } satisfies RouteHandle

export async function loader({ context, params }: Route.LoaderArgs) {
  if (!isId(params.id)) throw data(null, { status: 404 })
  const found = await api(context)(findUser, { params: { id: params.id } })
  const { user } = found
  const { language, now } = visitorOf(context)
  const isManager = isAdmin(userOf(context).role)
  const nameOf = nameIn(language)
  const codes = [...user.countries, user.country_code]
  const chapters = isManager ? await attempt(context, (call) => call(listChapterChoices)) : undefined
  return {
    ...found,
    history: readableEntries(language, found.history),
    lately: readableEntries(language, found.lately),
    title: user.display_name,
    isManager,
    // Coordinators see neither sessions nor sign-in methods.
    advice: isManager ? signInAdvice(user, now) : null,
    requestKey: randomUUID(),
    places: [
      ...(user.scope_countries ?? []).map((code) => nameOf(code)),
      ...user.chapters_covered.map(({ chapter_name }) => chapter_name),
    ],
    countryNames: Object.fromEntries(codes.flatMap((code) => (code ? [[code, nameOf(code)]] : []))),
    countries: isManager ? countriesIn(language) : [],
    chapters: chapters?.done?.chapters ?? [],
  }
}

const DONE = [
  'role',
  'verify',
  'ask',
  'refuse',
  'status',
  'suspended',
  'details',
  'flag',
  'recover',
  'link',
  'suppression',
  'sessions',
  'create',
] as const

/** One account: identity, signs, permissions, and actions. */
export default function UserPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('users')
  const { user, history, lately, work, isManager, countryNames, countries, chapters, places, advice } = loaderData
  const isOpen = user.profile_status !== 'deleted'
  const canSignIn = user.can_get_mail && user.profile_status !== 'suspended'
  const canManage = isManager && isOpen
  const status = isOpen && !user.is_self && (
    <div className={styles.parts}>
      <StatusSection {...{ user, actionData, isManager }} requestKey={loaderData.requestKey} />
    </div>
  )
  const about = (
    <AdminPanel id="facts" title={t('about')}>
      <div className={styles.panelBody}>
        <UserFacts user={user} countryNames={countryNames} isManager={isManager} />
      </div>
    </AdminPanel>
  )
  return (
    <AdminPage
      title={
        <span className={styles.title}>
          <bdi>{user.display_name}</bdi> <StatusMark user={user} />
        </span>
      }
      end={
        <HeadActions
          user={user}
          canWrite={loaderData.can_write}
          canSendLink={canManage && canSignIn && !user.is_self}
        />
      }
    >
      <BackLink to="/admin/users">{t('users_title')}</BackLink>
      <AccountLine user={user} isManager={isManager} />
      {actionData?.confirms ? (
        <div className={styles.confirm}>
          <Confirm {...{ user, actionData, countries, chapters }} confirms={actionData.confirms} />
        </div>
      ) : (
        <AccountNote hasActionData={Boolean(actionData)} user={user} />
      )}
      <div className={styles.columns}>
        <div className={styles.stack}>
          {user.profile_status === 'pending' && <SignsPanel user={user} />}
          {user.profile_status !== 'active' && status}
          {user.is_self && <p className={styles.hint}>{t('own_account')}</p>}
          {isCoordinator(user.role) && (
            <AdminPanel id="role" title={t('role_and_scope')}>
              <RoleRights user={user} places={places} />
            </AdminPanel>
          )}
          {canManage && (
            <div className={styles.parts}>
              {!user.is_self && (
                <RoleSection user={user} actionData={actionData} countries={countries} chapters={chapters} />
              )}
              <DetailsSection {...{ user, actionData, countries, chapters }} />
              <SuppressionsSection user={user} actionData={actionData} />
            </div>
          )}
          {user.profile_status === 'active' && status}
          {isManager && about}
        </div>
        {!isManager && <div className={styles.stack}>{about}</div>}
        {isManager && (
          <div className={styles.stack}>
            {isOpen && <SignInSection user={user} advice={advice} actionData={actionData} />}
            {work && <WorkSection work={work} />}
            <RecentActivity id={user.id} entries={lately} />
            <Fold summary={t('history')}>
              <EntryList entries={history} />
            </Fold>
          </div>
        )}
      </div>
    </AdminPage>
  )
}

type Shown = Route.ComponentProps['loaderData']['user']

function HeadActions({ user, canWrite, canSendLink }: { user: Shown; canWrite: boolean; canSendLink: boolean }) {
  const t = useT('users')
  return (
    <>
      {canWrite && (
        <ButtonLink
          icon="mail"
          to={`${ANNOUNCEMENTS}/new?to=${user.id}`}
          aria-label={t('write_to', { name: user.display_name })}
        >
          {t('write')}
        </ButtonLink>
      )}
      {canSendLink && <LinkForm />}
    </>
  )
}

function AccountLine({ user, isManager }: { user: Shown; isManager: boolean }) {
  const t = useT('users')
  const tAdmin = useT('admin')
  return (
    <p className={styles.hint}>
      {tAdmin(`role_${user.role}`)} · <bdi dir="ltr">{user.email}</bdi>
      {!user.email_verified && ` (${t('unconfirmed')})`}
      {!isManager && user.last_login_at && (
        <>
          {' · '}
          {t('last_login')} <Time value={user.last_login_at} look="relative" />
        </>
      )}
    </p>
  )
}

function SignsPanel({ user }: { user: Shown }) {
  const t = useT('users')
  return (
    <AdminPanel id="signs" title={t('signs')}>
      <div className={styles.panelBody}>
        <AccountSigns signs={user.signs} limit={10} />
      </div>
    </AdminPanel>
  )
}

/** For a user who cannot sign in: a link by email, without changing the password. */
function LinkForm() {
  const t = useT('users')
  return (
    <Form>
      <input type="hidden" name="intent" value="link" />
      <Submit look="secondary">{t('send_sign_in_link')}</Submit>
    </Form>
  )
}

/** Result of the last action; otherwise what needs attention. */
function AccountNote({
  user,
  hasActionData,
}: {
  user: Route.ComponentProps['loaderData']['user']
  hasActionData: boolean
}) {
  const t = useT('users')
  const [params] = useSearchParams()
  const done = hasActionData ? undefined : DONE.find((known) => known === params.get('done'))
  const reason = user.status_reason && <bdi>{user.status_reason}</bdi>
  const note = done ? (
    <Note kind="success" isLive title={t(`done_${done}`)} />
  ) : user.profile_status === 'suspended' ? (
    <Note kind="error" title={t('is_suspended')}>
      {reason}
    </Note>
  ) : user.is_flagged ? (
    <Note kind="error" title={t('is_flagged')}>
      {reason}
    </Note>
  ) : user.profile_status === 'pending' ? (
    <Note title={t('is_pending')}>{!user.email_verified && t('is_unconfirmed')}</Note>
  ) : null
  return note && <div className={styles.notes}>{note}</div>
}
