import type { FormValues } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { Field, SelectField, TextAreaField, TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useFields, useProblems } from '#web/ui/Form.tsx'
import { LanguageOptions } from '../LanguageOptions.tsx'
import styles from './Admin.module.css'

interface Props {
  values: FormValues | undefined
  error: FormError | undefined
}

/** The URL is always required, since the answer links to it; the text only where the page is not to be fetched. */
export function KnowledgeForm({ values, error }: Props) {
  const t = useT('assistantAdmin')
  const problem = useProblems(error)
  const field = useFields(values ?? {}, error)
  return (
    <Form key={error ? 'typed' : 'new'} encType="multipart/form-data" error={error}>
      <TextField
        label={t('page_url')}
        hint={t('page_url_hint')}
        inputMode="url"
        dir="ltr"
        maxLength={1000}
        required
        {...field('page_url')}
      />
      <div className={styles.pair}>
        <TextField
          label={t('page_title')}
          hint={t('page_title_hint')}
          dir="auto"
          maxLength={300}
          {...field('page_title')}
        />
        <SelectField label={t('page_language')} {...field('language')}>
          <option value="">{t('page_language_own')}</option>
          <LanguageOptions />
        </SelectField>
      </div>
      <TextAreaField
        label={t('page_content')}
        hint={t('page_content_hint')}
        className={styles.tall}
        {...field('content')}
      />
      <Field label={t('page_file')} hint={t('page_file_hint')} error={problem('file')}>
        {(control) => (
          <input type="file" name="file" accept=".md,.markdown,.txt,text/plain,text/markdown" {...control} />
        )}
      </Field>
      <div>
        <Submit busyLabel={t('reading')}>{t('add_page')}</Submit>
      </div>
    </Form>
  )
}
