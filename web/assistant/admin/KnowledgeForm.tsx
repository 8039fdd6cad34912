import { useT } from '../../lib/i18n.tsx'
import type { Failure } from '../../lib/visitor.ts'
import { classes } from '../../ui/classes.ts'
import { Field, SelectField, TextField } from '../../ui/Field.tsx'
import { Form, Submit, useProblems } from '../../ui/Form.tsx'
import styles from './Admin.module.css'
import type { KnowledgeTyped } from './knowledge.server.ts'

interface Props {
  languages: { code: string; name: string }[]
  typed: KnowledgeTyped | undefined
  failure: Failure | undefined
}

/** The address always, since it is what the answer leads to; the text only where the page is not to be read. */
export function KnowledgeForm({ languages, typed, failure }: Props) {
  const t = useT('assistantAdmin')
  const problem = useProblems(failure)
  const field = (name: keyof KnowledgeTyped) => ({ name, defaultValue: typed?.[name] ?? '', error: problem(name) })
  return (
    <Form key={failure ? 'typed' : 'new'} encType="multipart/form-data" failure={failure}>
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
          {languages.map(({ code, name }) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <Field label={t('page_content')} hint={t('page_content_hint')} error={problem('content')}>
        {({ className, ...control }) => (
          <textarea
            {...control}
            className={classes(className, styles.area)}
            name="content"
            rows={8}
            dir="auto"
            defaultValue={typed?.content ?? ''}
          />
        )}
      </Field>
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
