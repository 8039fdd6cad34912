import type { OutputOf } from '#shared/api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Overview.module.css'

type Alarm = OutputOf<'GET /admin-operations/overview'>['alarms'][number]

const LEADS_TO: Record<Alarm['cause'], string> = {
  not_fanned_out: '/admin/outbox',
  not_sent_email: '/admin/outbox?channel=email',
  not_sent_sms: '/admin/outbox?channel=sms',
  not_announced: '/admin/travel-advisories?status=in_force&sort=-updated_at',
}

/** Urgent advisories with delivery problems come before everything else. */
export function AlarmNotes({ alarms }: { alarms: readonly Alarm[] }) {
  const t = useT('admin')
  const language = useLanguage()
  if (alarms.length === 0) return null
  return (
    <div className={styles.alarms}>
      {alarms.map(({ cause, found, detail, raised_at }) => (
        <Note
          key={cause}
          kind="error"
          heading="h2"
          title={t(`alarm_${cause}`, { found: formatNumber(language, found) })}
          action={
            <ButtonLink isSmall to={LEADS_TO[cause]}>
              {t(`alarm_link_${cause}`)}
            </ButtonLink>
          }
        >
          <p>
            <bdi>{detail}</bdi> · <Time value={raised_at} look="relative" />
          </p>
        </Note>
      ))}
    </div>
  )
}
