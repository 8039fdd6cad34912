import type { AnnouncementStatus } from '#shared/notifications/announcements.ts'
import { useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Announcements.module.css'

export function StatusLabel({ status }: { status: AnnouncementStatus }) {
  const t = useT('announcements')
  return <span className={classes(styles.status, styles[status])}>{t(`status_${status}`)}</span>
}
