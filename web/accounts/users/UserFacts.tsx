import type { UserDetail } from '#shared/accounts/users.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Fact, Facts } from '#web/ui/DetailDrawer.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Users.module.css'

interface Props {
  user: UserDetail
  countryNames: Record<string, string>
  /** Coordinators do not see the phone number. */
  isManager: boolean
}

/** Facts about the account and the user. */
export function UserFacts({ user, countryNames, isManager }: Props) {
  const t = useT('users')
  const named = (codes: readonly string[]) => codes.map((code) => countryNames[code] ?? code).join(t('comma'))
  return (
    <Facts>
      {user.person && (
        <Fact label={t('person')}>
          <bdi>{`${user.person.first_name} ${user.person.last_name}`.trim()}</bdi>
        </Fact>
      )}
      {user.mcgi_hub_id && (
        <Fact label={t('hub_id')}>
          <bdi>{user.mcgi_hub_id}</bdi>
        </Fact>
      )}
      {isManager && (
        <Fact label={t('phone')}>{user.phone_number ? <bdi dir="ltr">{user.phone_number}</bdi> : t('none')}</Fact>
      )}
      <Fact label={t('country')}>{user.country_code ? named([user.country_code]) : t('none')}</Fact>
      <Fact label={t('goes_to')}>{user.countries.length > 0 ? named(user.countries) : t('none')}</Fact>
      <Fact label={t('chapter')}>{user.chapter ? <bdi>{user.chapter.chapter_name}</bdi> : t('none')}</Fact>
      <Fact label={t('registration')}>
        {t(`registration_${user.registration_method}`)}
        <div className={styles.plain}>
          <Time value={user.created_at} />
        </div>
      </Fact>
      {user.verified_at && (
        <Fact label={t('verified')}>
          <Time value={user.verified_at} />
          {user.verified_by && (
            <div className={styles.plain}>
              <bdi>{user.verified_by}</bdi>
            </div>
          )}
        </Fact>
      )}
      {user.admin_notes && (
        <Fact label={t('notes')}>
          <div className={styles.plain} dir="auto">
            {user.admin_notes}
          </div>
        </Fact>
      )}
      {user.permissions.length > 0 && (
        <Fact label={t('permissions')}>
          <bdi dir="ltr">{user.permissions.join(', ')}</bdi>
        </Fact>
      )}
    </Facts>
  )
}
