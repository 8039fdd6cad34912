import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { Note } from '#web/ui/Note.tsx'
import { broadcastSignOut } from './tabs.ts'

interface Props {
  why: string | null
  /** Another service redirected back without success. */
  cameBack: boolean
}

/** Explains why the sign-in page is shown: session expired, signed out, or redirected back by another service. */
export function ArrivalNote({ why, cameBack }: Props): ReactNode {
  const t = useT('accounts')
  useEffect(() => {
    if (why === 'signed-out') broadcastSignOut()
  }, [why])
  useEffect(() => {
    if (cameBack) void import('./recovery.ts').then(({ recover }) => recover())
  }, [cameBack])
  switch (why) {
    case null:
      return null
    case 'expired':
      return <Note title={t('session_expired')}>{t('session_expired_text')}</Note>
    case 'signed-out':
      return <Note kind="success" title={t('signed_out')} isLive />
    case 'undone':
    case 'undone-without-mail':
      return (
        <Note kind="success" title={t('undone')} isLive>
          <p>{t(why === 'undone' ? 'undone_mail' : 'undone_sign_in')}</p>
        </Note>
      )
    case 'suspended':
      return (
        <Note kind="error" title={t('suspended')} isLive>
          <p>
            {t('suspended_text')} <Link to="/support">{t('support')}</Link>
          </p>
        </Note>
      )
    case 'unknown':
      return (
        <Note kind="unknown" title={t('service_away')} isLive>
          <p>{t('service_away_text')}</p>
        </Note>
      )
    case 'google_refused':
      return (
        <Note title={t('google_refused')} isLive>
          <p>{t('google_refused_text')}</p>
        </Note>
      )
    case 'google_email':
      return (
        <Note kind="error" title={t('google_email')} isLive>
          <p>{t('google_email_text')}</p>
        </Note>
      )
    default:
      if (!cameBack) return null
      return (
        <Note kind="error" title={t('google_failed')} isLive>
          <p>{t('google_failed_text')}</p>
        </Note>
      )
  }
}
