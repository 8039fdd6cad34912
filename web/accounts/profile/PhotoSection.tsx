import type { OwnProfile } from '#shared/accounts/own.ts'
import { BUCKETS } from '#shared/files/buckets.ts'
import type { FormResult } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { SmartImage } from '#web/ui/SmartImage.tsx'
import styles from './Profile.module.css'
import { ProfileSection } from './ProfileSection.tsx'

const { types, maxBytes } = BUCKETS.avatars

/** The user's photo: view, replace, or remove. */
export function PhotoSection({
  profile,
  tried,
  done,
}: {
  profile: OwnProfile
  tried: FormResult | undefined
  done: string | null
}) {
  const t = useT('profile')
  const problem = useProblems(tried?.error)
  const doneMessage = done === 'photo' ? t('photo_saved') : done === 'no-photo' ? t('photo_removed') : null
  const id = profile.photo_file_id
  return (
    <ProfileSection
      id="photo"
      title={t('photo')}
      hint={t('photo_hint', { n: maxBytes / 1024 ** 2 })}
      done={!tried && doneMessage}
    >
      {id ? (
        <Form action="/dashboard/profile">
          <input type="hidden" name="intent" value="remove-photo" />
          <SmartImage
            key={id}
            src={`/api/files/${id}`}
            alt={t('photo_yours')}
            width={120}
            height={120}
            className={styles.photo}
          />
          <div className={styles.buttons}>
            <Button type="submit" isSmall>
              {t('photo_remove')}
            </Button>
          </div>
        </Form>
      ) : (
        <p>{t('photo_none')}</p>
      )}
      <Form action="/dashboard/profile" encType="multipart/form-data" error={tried?.error}>
        <input type="hidden" name="intent" value="photo" />
        <div className={styles.fields}>
          <Field label={t('photo_choose')} error={problem('file') ?? problem('body')}>
            {(control) => <input type="file" name="file" accept={types.join(',')} required {...control} />}
          </Field>
        </div>
        <div className={styles.buttons}>
          <Submit look="secondary">{t('photo_upload')}</Submit>
        </div>
      </Form>
    </ProfileSection>
  )
}
