import { useSearchParams } from 'react-router'
import type { UserDetail } from '#shared/accounts/users.ts'
import type { AuditEntry } from '#shared/audit/endpoints.ts'
import { EntryList } from '../audit/EntryList.tsx'
import type { ChapterChoice } from '../churches/ChapterOptions.tsx'
import { useT } from '../lib/i18n.tsx'
import { DetailDrawer } from '../ui/DetailDrawer.tsx'
import { Note } from '../ui/Note.tsx'
import { addressWith } from '../ui/tableAddress.ts'
import { Confirm } from './Confirm.tsx'
import { DetailsPart } from './DetailsPart.tsx'
import type { Posted } from './posted.ts'
import { RolePart } from './RolePart.tsx'
import { SignInPart } from './SignInPart.tsx'
import { StatusPart } from './StatusPart.tsx'
import { StoppedPart } from './StoppedPart.tsx'
import { UserFacts } from './UserFacts.tsx'
import styles from './Users.module.css'

const DONE = ['role', 'status', 'suspended', 'details', 'flag', 'recover', 'stopped', 'sessions', 'create'] as const

interface Props {
  opened: { user: UserDetail; history: AuditEntry[] } | undefined
  posted: Posted | undefined
  /** Ids of the rows of the list, in order. */
  neighbours: string[]
  countryNames: Record<string, string>
  countries: { code: string; name: string }[]
  chapters: ChapterChoice[]
}

/** One account over the list: who it is, what can be done, and what was done. */
export function UserDrawer({ opened, posted, neighbours, countryNames, countries, chapters }: Props) {
  const t = useT('users')
  const [params] = useSearchParams()
  const page = params.get('page')
  const to = (user: string | undefined | null) => addressWith(params, { user, action: null, done: null, page })
  const closeTo = to(null)
  if (!opened)
    return (
      <DetailDrawer title={t('no_user')} closeTo={closeTo}>
        <Note title={t('no_user')}>{t('no_user_text')}</Note>
      </DetailDrawer>
    )
  const { user, history } = opened
  const at = neighbours.indexOf(user.id)
  const done = DONE.find((known) => known === params.get('done'))
  return (
    <DetailDrawer
      title={<bdi>{user.display_name}</bdi>}
      subtitle={<bdi dir="ltr">{user.email}</bdi>}
      closeTo={closeTo}
      previousTo={at > 0 ? to(neighbours[at - 1]) : undefined}
      nextTo={at >= 0 && at < neighbours.length - 1 ? to(neighbours[at + 1]) : undefined}
    >
      {posted?.confirms ? (
        <Confirm {...{ user, posted, countries, chapters }} confirms={posted.confirms} />
      ) : (
        !posted && (
          <div className={styles.notes}>
            {done ? <Note kind="success" isLive title={t(`done_${done}`)} /> : <Problem user={user} />}
          </div>
        )
      )}
      <UserFacts user={user} countryNames={countryNames} />
      {user.profile_status !== 'deleted' && (
        <div className={styles.parts}>
          {!user.is_self && <StatusPart user={user} posted={posted} />}
          {!user.is_self && <RolePart user={user} posted={posted} countryNames={countryNames} chapters={chapters} />}
          <DetailsPart {...{ user, posted, countryNames, countries, chapters }} />
          <SignInPart user={user} posted={posted} />
          <StoppedPart user={user} posted={posted} />
        </div>
      )}
      {user.is_self && <p className={styles.hint}>{t('own_account')}</p>}
      <h3 className={styles.subtitle}>{t('history')}</h3>
      <EntryList entries={history} />
    </DetailDrawer>
  )
}

/** What needs somebody is written at the top. */
function Problem({ user }: { user: UserDetail }) {
  const t = useT('users')
  if (user.profile_status === 'suspended')
    return (
      <Note kind="error" title={t('is_suspended')}>
        {user.status_reason && <bdi>{user.status_reason}</bdi>}
      </Note>
    )
  if (user.is_flagged)
    return (
      <Note kind="error" title={t('is_flagged')}>
        {user.status_reason && <bdi>{user.status_reason}</bdi>}
      </Note>
    )
  if (user.profile_status === 'pending')
    return <Note title={t('is_pending')}>{!user.email_verified && t('is_unconfirmed')}</Note>
  return null
}
