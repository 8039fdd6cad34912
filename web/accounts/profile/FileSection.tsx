import { FRESH_MINUTES, type Freshness } from '#shared/accounts/profile.ts'
import type { FormResult } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Note } from '#web/ui/Note.tsx'
import { ConfirmFirst } from './ConfirmFirst.tsx'
import styles from './Profile.module.css'
import { ProfileSection } from './ProfileSection.tsx'

interface Props {
  is_fresh: boolean
  confirm_by: Freshness['confirm_by']
  done: string | null
  error: string | null
  tried: FormResult | undefined
}

/** All personal data as one file, after re-authentication. */
export function FileSection({ is_fresh, confirm_by, done, error, tried }: Props) {
  const t = useT('profile')
  return (
    <ProfileSection
      id="file"
      title={t('file')}
      hint={t('file_hint')}
      done={done === 'confirmed' && is_fresh && t('file_confirmed')}
    >
      {error === 'often' && <Note kind="error" title={t('file_often')} isLive />}
      {is_fresh ? (
        <div className={styles.buttons}>
          <ButtonLink to="/dashboard/profile/my-data/file" reloadDocument download>
            {t('file_download')}
          </ButtonLink>
        </div>
      ) : (
        <ConfirmFirst
          action="/dashboard/profile/my-data"
          text={t('file_confirm', { n: FRESH_MINUTES })}
          confirm_by={confirm_by}
          error={tried?.error}
        />
      )}
    </ProfileSection>
  )
}
