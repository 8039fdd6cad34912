import { useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { Field, TextAreaField } from '#web/ui/Field.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { SourceFields } from './SourceFields.tsx'
import styles from './SourceForm.module.css'
import { SourcePreview } from './SourcePreview.tsx'
import type { SourceAnswer } from './source-form.server.ts'
import type { SourceValues } from './source-values.ts'

interface Props {
  values: SourceValues
  answer: SourceAnswer | undefined
  countries: readonly { code: string; name: string }[]
  back: string
  /** Version of an existing source that the form is based on. */
  definition?: string
}

/** The form of a source: preview first, then save the preview. Works without scripts. */
export function SourceForm({ values, answer, countries, back, definition }: Props) {
  const t = useT('manage')
  const proof = answer?.preview?.proof
  return (
    <Form
      error={answer?.error}
      isUnsaved={answer?.preview !== undefined}
      encType="multipart/form-data"
      action="#preview"
    >
      {answer?.preview && <SourcePreview preview={answer.preview} />}
      {definition && <input type="hidden" name="definition" value={definition} />}
      {proof && <input type="hidden" name="proof" value={proof} />}
      {proof && <Actions back={back} canSave />}
      <SourceFields
        // Remount to show the rows that the preview added to the table of levels.
        key={answer?.entered?.levels}
        values={answer?.entered ?? values}
        error={answer?.error}
        countries={countries}
        isNew={definition === undefined}
      />
      <AdminPanel id="document" title={t('source_document')}>
        <p className={styles.hint}>{t('source_document_hint')}</p>
        <div className={styles.checks}>
          <Field label={t('source_file')}>{(control) => <input type="file" name="file" {...control} />}</Field>
          <TextAreaField label={t('source_pasted')} name="document" rows={4} dir="ltr" />
        </div>
      </AdminPanel>
      <Actions back={back} canSave={false} />
    </Form>
  )
}

function Actions({ back, canSave }: { back: string; canSave: boolean }) {
  const t = useT('manage')
  return (
    <Buttons>
      {canSave ? (
        <Submit name="intent" value="save">
          {t('source_save')}
        </Submit>
      ) : (
        <Submit name="intent" value="preview" look="secondary" busyLabel={t('fetching')}>
          {t('source_preview')}
        </Submit>
      )}
      <ButtonLink to={back} look="link">
        {t('cancel')}
      </ButtonLink>
    </Buttons>
  )
}
