import { FRESH_MINUTES } from '#shared/accounts/profile.ts'
import { useT } from '../lib/i18n.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import { Note } from '../ui/Note.tsx'
import { CurrentPassword } from './CurrentPassword.tsx'
import { Part } from './Part.tsx'
import styles from './Profile.module.css'
import type { Tried } from './tried.ts'

interface Props {
  is_fresh: boolean
  has_password: boolean
  done: string | null
  error: string | null
  tried: Tried | undefined
}

/** Everything about the person as one file, for who has just shown who she is. */
export function FilePart({ is_fresh, has_password, done, error, tried }: Props) {
  const t = useT('profile')
  const problem = useProblems(tried?.failure)
  return (
    <Part
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
      ) : has_password ? (
        <Form action="/dashboard/profile/my-data" failure={tried?.failure}>
          <p>{t('file_confirm', { n: FRESH_MINUTES })}</p>
          <input type="hidden" name="intent" value="confirm" />
          <div className={styles.fields}>
            <CurrentPassword error={problem('current_password')} />
          </div>
          <div className={styles.buttons}>
            <Submit look="secondary">{t('file_confirm_button')}</Submit>
          </div>
        </Form>
      ) : (
        <p>{t('sign_in_again', { n: FRESH_MINUTES })}</p>
      )}
    </Part>
  )
}
