import type { UserDetail } from '#shared/accounts/users.ts'
import { useT } from '../lib/i18n.tsx'
import { Fact, Facts } from '../ui/DetailDrawer.tsx'
import { Time } from '../ui/Time.tsx'
import { StatusMark } from './StatusMark.tsx'
import styles from './Users.module.css'

export function UserFacts({ user, countryNames }: { user: UserDetail; countryNames: Record<string, string> }) {
  const t = useT('users')
  const tAdmin = useT('admin')
  const named = (codes: readonly string[]) => codes.map((code) => countryNames[code] ?? code).join(t('comma'))
  return (
    <Facts>
      <Fact label={t('status')}>
        <StatusMark user={user} />
      </Fact>
      <Fact label={t('role')}>
        {tAdmin(`role_${user.role}`)}
        {user.scope_countries && <div className={styles.plain}>{named(user.scope_countries)}</div>}
        {user.scope_chapters && (
          <div className={styles.plain}>
            <bdi>{user.chapters_covered.map(({ chapter_name }) => chapter_name).join(t('comma')) || t('none')}</bdi>
          </div>
        )}
        {user.role_ends_at && (
          <div className={styles.plain}>
            {t('until')} <Time value={user.role_ends_at} look="day" />
          </div>
        )}
      </Fact>
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
      <Fact label={t('phone')}>{user.phone_number ? <bdi dir="ltr">{user.phone_number}</bdi> : t('none')}</Fact>
      <Fact label={t('country')}>{user.country_code ? named([user.country_code]) : t('none')}</Fact>
      <Fact label={t('goes_to')}>{user.countries.length > 0 ? named(user.countries) : t('none')}</Fact>
      <Fact label={t('chapter')}>{user.chapter ? <bdi>{user.chapter.chapter_name}</bdi> : t('none')}</Fact>
      <Fact label={t('provider')}>
        {t(`provider_${user.auth_provider}`)}
        <div className={styles.plain}>{t(user.has_second_factor ? 'second_factor_on' : 'second_factor_off')}</div>
      </Fact>
      <Fact label={t('registration')}>
        {t(`registration_${user.registration_method}`)}
        <div className={styles.plain}>
          <Time value={user.created_at} />
        </div>
      </Fact>
      <Fact label={t('last_login')}>{user.last_login_at ? <Time value={user.last_login_at} /> : t('never')}</Fact>
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
