import { useNavigation } from 'react-router'
import { accessOfPage } from '#shared/page-access.ts'
import { useT } from '../lib/i18n.tsx'
import styles from './Verifying.module.css'

/** Said while the server finds out whether somebody may see the page they asked for (GUARDS-02). */
export function Verifying() {
  const t = useT('common')
  const { location } = useNavigation()
  const isGuarded = location !== undefined && accessOfPage(location.pathname) !== 'anyone'
  return (
    <p role="status" className={styles.verifying}>
      {isGuarded && t('verifying')}
    </p>
  )
}
