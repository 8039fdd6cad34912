import { Link } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import type { RouteHandle } from '#web/root.tsx'

export const handle = { ns: ['profile'] } satisfies RouteHandle

/** Shown after the account was erased. */
export default function ErasedPage() {
  const t = useT('profile')
  return (
    <>
      <h1>{t('erased')}</h1>
      <p>{t('erased_text')}</p>
      <p>{t('erased_open')}</p>
      <p>
        <Link to="/travel-advisories">{t('erased_advisories')}</Link>
      </p>
    </>
  )
}
