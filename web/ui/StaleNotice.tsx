import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { PageNotice } from './AdminPage.tsx'
import { Note } from './Note.tsx'

/**
 * Another user saved first, and the form keeps the values that were not saved. `to` opens the page without them;
 * `children` say what was changed.
 */
export function StaleNotice({ to, children }: { to: string; children?: ReactNode }) {
  const t = useT('admin')
  const open = (
    <Link to={to} reloadDocument>
      {t('form_stale_open')}
    </Link>
  )
  return (
    <PageNotice>
      <Note kind="error" heading="h2" isLive title={t('form_stale_title')} action={open}>
        <p>{t('form_stale_text')}</p>
        {children}
      </Note>
    </PageNotice>
  )
}
