import { Link } from 'react-router'
import type { AssistantCase } from '#shared/assistant/cases.ts'
import { isolated } from '#web/lib/format.ts'
import { useT } from '#web/lib/i18n.tsx'
import { telOf } from '#web/lib/tel.ts'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './Cases.module.css'

/** The number to call, and when it is safe to do so. */
export function HowToReach({ found, maySeeProfile }: { found: AssistantCase; maySeeProfile: boolean }) {
  const t = useT('cases')
  const { safe_phone, safe_time, name, user_id } = found
  const who = name ?? t('unknown_user')
  return (
    <div className={styles.reach}>
      <p className={styles.who}>
        <bdi>{name ?? (user_id ? t('unknown_user') : t('visitor'))}</bdi>
        {user_id && maySeeProfile && (
          <>
            {' · '}
            <Link to={`/admin/users/${user_id}`}>{t('profile')}</Link>
          </>
        )}
      </p>
      {safe_phone ? (
        <>
          <a
            className={styles.phone}
            href={telOf(safe_phone)}
            aria-label={`${t('call', { name: isolated(who) })}: ${safe_phone}`}
          >
            <Icon name="phone" /> <bdi dir="ltr">{safe_phone}</bdi>
          </a>
          <p>{safe_time ? t('safe_time', { time: isolated(safe_time) }) : t('no_safe_time')}</p>
          <p className={styles.muted}>{t('speak_carefully')}</p>
        </>
      ) : (
        <p className={styles.muted}>{t('no_phone')}</p>
      )}
    </div>
  )
}
