import { rightsOf } from '#shared/accounts/capabilities.ts'
import type { UserDetail } from '#shared/accounts/users.ts'
import { isScoped } from '#shared/roles.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './UserPage.module.css'

/** A role, its scope, and what it may see and edit there: from the table that guards endpoints and pages. */
export function RoleRights({ user, places }: { user: UserDetail; places: string[] }) {
  const t = useT('users')
  const tAdmin = useT('admin')
  const where = user.role === 'admin' || user.scope_everywhere ? t('everywhere') : places.join(t('comma'))
  const rights = rightsOf(user.role)
  // A long list of places is shown only once.
  const first = rights.find(({ see, isScoped }) => see && isScoped)?.key
  const same = places.length > 1 && !user.scope_everywhere ? t('same_places') : where || t('nowhere')
  return (
    <>
      <div className={styles.scope}>
        <b>{tAdmin(`role_${user.role}`)}</b>
        {user.scope_everywhere && <Chip>{t('everywhere')}</Chip>}
        {places.map((place) => (
          <Chip key={place}>
            <bdi>{place}</bdi>
          </Chip>
        ))}
        {isScoped(user.role) && !user.scope_everywhere && places.length === 0 && <b>{t('nowhere')}</b>}
      </div>
      {user.scope_reason && (
        <p className={styles.hint}>
          {t('scope_reason')}: <bdi>{user.scope_reason}</bdi>
        </p>
      )}
      {user.role_ends_at && (
        <p className={styles.hint}>
          {t('until')} <Time value={user.role_ends_at} look="day" />
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be keyboard accessible */}
      <section className={styles.scroller} aria-label={t('rights')} tabIndex={0}>
        <table className={styles.rights}>
          <thead>
            <tr>
              <th scope="col">{t('can')}</th>
              <th scope="col">{t('can_see')}</th>
              <th scope="col">{t('can_change')}</th>
              <th scope="col">{t('can_where')}</th>
            </tr>
          </thead>
          <tbody>
            {rights.map(({ key, see, change, isScoped }) => (
              <tr key={key}>
                <th scope="row">{t(`area_${key}`)}</th>
                <td>
                  <May isAllowed={see} />
                </td>
                <td>
                  <May isAllowed={change} />
                </td>
                <td>{see && (!isScoped ? t('everywhere') : key === first ? where || t('nowhere') : same)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

function May({ isAllowed }: { isAllowed: boolean }) {
  const t = useT('users')
  return (
    <>
      {isAllowed ? <Icon name="check" /> : <span aria-hidden="true">–</span>}
      <span className="visually-hidden">{t(isAllowed ? 'may' : 'may_not_word')}</span>
    </>
  )
}
