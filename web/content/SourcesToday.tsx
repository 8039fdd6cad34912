import { Link } from 'react-router'
import { namesInLine } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Landing } from './landing.ts'
import styles from './SourcesToday.module.css'

/** The sources behind today's answers in one sentence: beside the question, or on a phone at the end of the page. */
export function SourcesToday({ sources, isBeside = false }: Pick<Landing, 'sources'> & { isBeside?: boolean }) {
  const t = useT('countries')
  const language = useLanguage()
  const { confirmed, total, last_success_at, doubtful } = sources
  return (
    <div className={classes(styles.sources, isBeside ? styles.beside : styles.below)}>
      <p>
        <Icon name="clock" /> <b>{t('sources_confirmed', { confirmed, total })}</b>{' '}
        {last_success_at && <Time value={last_success_at} look="relative" />}
      </p>
      {doubtful.length > 0 && (
        <p className={styles.doubt}>{t('sources_doubt', { names: namesInLine(language, doubtful) })}</p>
      )}
      <Link to="/travel-advisories/sources">{t('sources_all')}</Link>
    </div>
  )
}
