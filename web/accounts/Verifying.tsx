import { useNavigation } from 'react-router'
import { accessOfPage } from '#shared/page-access.ts'
import { useT } from '#web/lib/i18n.tsx'
import styles from './Verifying.module.css'

/** Shown while the server checks whether the user may see the page (GUARDS-02). */
export function Verifying() {
  const t = useT('common')
  const { location } = useNavigation()
  const isGuarded = location !== undefined && accessOfPage(location.pathname) !== 'anyone'
  return (
    // Not a paragraph: it would keep its margins until the style sheet loads, which never happens without scripts.
    <div role="status" className={styles.verifying}>
      {isGuarded && t('verifying')}
    </div>
  )
}
