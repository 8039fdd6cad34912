import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { type FormResult, type FormValues, isStale, resultOf } from '#web/lib/form-result.ts'
import { type Namespace, useT } from '#web/lib/i18n.tsx'
import styles from './AdminPage.module.css'
import { AdminPage, BackLink, PageNotice } from './AdminPage.tsx'
import { ButtonLink } from './Button.tsx'
import { Buttons } from './Buttons.tsx'
import { DeleteConfirmation } from './DeleteConfirmation.tsx'
import { FlashMessage } from './FlashMessage.tsx'
import { Form, Submit, useFields } from './Form.tsx'
import { Note } from './Note.tsx'
import { StaleNotice } from './StaleNotice.tsx'

interface Props {
  title: ReactNode
  back: { to: string; label: string }
  /** Texts of the page: `done_…` are its messages. */
  namespace: Namespace
  intro?: ReactNode
  /** Of the record, or the defaults of a new one. */
  values: FormValues
  /** The page's action data. */
  result: FormResult | undefined
  /** `updated_at` of the record being edited. */
  version?: string | undefined
  /** Offers to delete the record, and says what is deleted with it. */
  deletion?: { label: string; title: string; text: string } | null | undefined
  isReadOnly?: boolean
  /** The fields; `field('title')` is the name, value and error of one. */
  children: (field: ReturnType<typeof useFields>, values: FormValues) => ReactNode
}

/** The page that creates, edits and deletes one record, by the actions `save` and `delete`. */
export function FormPage({ title, back, namespace, intro, result, version, deletion, isReadOnly, ...props }: Props) {
  const t = useT('admin')
  const [params] = useSearchParams()
  const rejected = resultOf(result, 'save')
  const removal = resultOf(result, 'delete')
  const hasConflict = isStale(result)
  const values = rejected?.values ?? props.values
  const field = useFields(values, rejected?.error)
  const isDeleting = deletion && (params.get('action') === 'delete' || removal !== undefined)
  return (
    <AdminPage title={title}>
      <BackLink to={back.to}>{back.label}</BackLink>
      {!result && <FlashMessage namespace={namespace} />}
      {hasConflict && <StaleNotice to="?" />}
      {isDeleting && (
        <DeleteConfirmation
          {...deletion}
          label={t('form_delete')}
          fields={{ made_from: version ?? '' }}
          cancelTo="?"
          error={hasConflict ? undefined : removal?.error}
        />
      )}
      {isReadOnly && (
        <PageNotice>
          <Note title={t('form_read_only')} />
        </PageNotice>
      )}
      {intro}
      <Form
        key={rejected ? 'rejected' : version}
        error={hasConflict ? undefined : rejected?.error}
        isUnsaved={rejected !== undefined}
      >
        <input type="hidden" name="intent" value="save" />
        {version && <input type="hidden" name="made_from" value={version} />}
        <fieldset className={styles.fields} disabled={isReadOnly}>
          {props.children(field, values)}
        </fieldset>
        {!isReadOnly && (
          <Buttons isFoot>
            <Submit>{t(hasConflict && rejected ? 'form_save_over' : 'form_save')}</Submit>
            <ButtonLink to={back.to}>{t('form_cancel')}</ButtonLink>
          </Buttons>
        )}
      </Form>
      {deletion && !isReadOnly && !isDeleting && (
        <p>
          <ButtonLink look="link" to="?action=delete">
            {deletion.label}
          </ButtonLink>
        </p>
      )}
    </AdminPage>
  )
}
