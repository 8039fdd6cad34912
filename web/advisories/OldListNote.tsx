import { useZone } from '#web/lib/clock.ts'
import { formatMoment } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './TravelAdvisoriesPage.module.css'

/** A refresh failed: the list stays, with its time. */
export function OldListNote({ refreshedAt, retry }: { refreshedAt: string; retry: () => void }) {
  const t = useT('advisories')
  const time = formatMoment(useLanguage(), refreshedAt, useZone())
  return (
    <div className={styles.notes}>
      <Note
        kind="error"
        title={t('error_title')}
        isLive
        action={
          <Button isSmall icon="refresh" onClick={retry}>
            {t('try_again')}
          </Button>
        }
      >
        <p>{t('error_refresh')}</p>
        <p>{t('error_old_list', { time })}</p>
      </Note>
    </div>
  )
}
