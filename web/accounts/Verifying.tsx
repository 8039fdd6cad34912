import { useNavigation } from 'react-router'
import { accessOfPage } from '#shared/page-access.ts'
import { useT } from '#web/lib/i18n.tsx'
import styles from './Verifying.module.css'

/** Said while the server finds out whether somebody may see the page they asked for (GUARDS-02). */
export function Verifying() {
  const t = useT('common')
  const { location } = useNavigation()
  const isGuarded = location !== undefined && accessOfPage(location.pathname) !== 'anyone'
  return (
    // No paragraph: it would keep its margins until the sheet is there, which a page without scripts never has.
    <div role="status" className={styles.verifying}>
      {isGuarded && t('verifying')}
    </div>
  )
}
