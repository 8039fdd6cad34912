import { useParams } from 'react-router'
import type { ManagedPhoto } from '#shared/churches/managed-photos.ts'
import { BUCKETS } from '#shared/files/buckets.ts'
import { resultOf } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { Field, TextField } from '#web/ui/Field.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { SmartImage } from '#web/ui/SmartImage.tsx'
import styles from './Admin.module.css'
import type { ActionData } from './action-data.ts'
import { localePath } from './paths.ts'

const { types, maxBytes } = BUCKETS['chapter-photos']

/** The photos of a locale, each with its alternative text. */
export function PhotosSection({ photos, actionData }: { photos: ManagedPhoto[]; actionData: ActionData | undefined }) {
  const t = useT('manageChurches')
  const { id = '' } = useParams()
  const adding = resultOf(actionData, 'photo', '')
  const problem = useProblems(adding?.error)
  return (
    <AdminPanel id="photos" title={t('photos')}>
      <div className={styles.inPanel}>
        <FlashMessage namespace="manageChurches" isFor={(done) => done.startsWith('photo')} />
        {photos.length === 0 && <p className={styles.muted}>{t('photos_none')}</p>}
        <ul className={styles.photos}>
          {photos.map((photo) => (
            <PhotoRow
              key={JSON.stringify(photo)}
              photo={photo}
              actionData={resultOf(actionData, 'photo', photo.file_id)}
            />
          ))}
        </ul>
        <Fold key={photos.length} open={adding !== undefined} summary={t('photo_add')}>
          <Form action={localePath(id)} encType="multipart/form-data" error={adding?.error}>
            <input type="hidden" name="intent" value="photo" />
            <div className={styles.inner}>
              <Field
                label={t('photo_file')}
                hint={t('photo_hint', { n: maxBytes / 1024 ** 2 })}
                error={problem('file') ?? problem('body')}
              >
                {(control) => <input type="file" name="file" accept={types.join(',')} required {...control} />}
              </Field>
              <TextField
                label={t('description')}
                hint={t('description_hint')}
                name="description"
                maxLength={300}
                dir="auto"
                defaultValue={adding?.values.description ?? ''}
                error={problem('description')}
              />
            </div>
            <Buttons>
              <Submit look="secondary">{t('photo_add')}</Submit>
            </Buttons>
          </Form>
        </Fold>
      </div>
    </AdminPanel>
  )
}

function PhotoRow({ photo, actionData }: { photo: ManagedPhoto; actionData: ActionData | undefined }) {
  const t = useT('manageChurches')
  const problem = useProblems(actionData?.error)
  const { id = '' } = useParams()
  return (
    <li>
      <SmartImage src={photo.url} alt={photo.description || t('photo_undescribed')} width={160} height={120} />
      <Form action={localePath(id)} error={actionData?.error}>
        <input type="hidden" name="item" value={photo.file_id} />
        <div className={styles.inner}>
          <TextField
            label={t('description')}
            name="description"
            maxLength={300}
            dir="auto"
            defaultValue={actionData?.values.description ?? photo.description}
            error={problem('description')}
          />
          <TextField
            label={t('position')}
            name="position"
            type="number"
            min={1}
            max={1000}
            defaultValue={actionData?.values.position ?? String(photo.position + 1)}
            error={problem('position')}
          />
        </div>
        <Buttons>
          <Submit look="secondary" isSmall name="intent" value="photo">
            {t('save')}
          </Submit>
          <Button type="submit" look="link" name="intent" value="remove_photo">
            {t('photo_remove')}
          </Button>
        </Buttons>
      </Form>
    </li>
  )
}
