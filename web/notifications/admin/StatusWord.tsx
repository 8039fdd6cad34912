import type { AnnouncementStatus } from '#shared/notifications/notices.ts'
import { useT } from '../../lib/i18n.tsx'
import { classes } from '../../ui/classes.ts'
import styles from './Notices.module.css'

/** How far it has come. */
export function StatusLabel({ status }: { status: AnnouncementStatus }) {
  const t = useT('notices')
  return <span className={classes(styles.status, styles[status])}>{t(`status_${status}`)}</span>
}
