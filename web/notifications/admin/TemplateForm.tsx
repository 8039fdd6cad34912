import { directionOf } from '#shared/language.ts'
import type { TemplateDetail } from '#shared/notifications/templates.ts'
import { useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { classes } from '#web/ui/classes.ts'
import { Field, TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import styles from './Announcements.module.css'
import { templatePath } from './paths.ts'
import type { ActionData } from './template.server.ts'
import type { FormValues } from './values.ts'

/** Form of the texts: subject, paragraphs, button, and the short form where there is one. */
export function TemplateForm({
  template,
  actionData,
}: {
  template: TemplateDetail
  actionData: ActionData | undefined
}) {
  const t = useT('announcements')
  const problem = useProblems(actionData?.error)
  const { name, language, words, own, version, variables } = template
  const now: FormValues = actionData?.lists ?? {
    subject: [words.subject],
    lines: [words.lines.join('\n\n')],
    button: [words.button ?? ''],
    sms: [words.sms ?? ''],
  }
  const written = { lang: language, dir: directionOf(language) }
  const isOwn = template.history[0]?.words == null
  // An error in one paragraph is an error of the whole field.
  const inLines = Object.keys(actionData?.error?.fields ?? {}).find((field) => /^(words\.)?lines/.test(field))
  const named = useNamedProblem()
  const of = (field: string) => named(problem(field) ?? problem(`words.${field}`))
  const renderTextField = (field: 'lines' | 'sms', rows: number, error: string | undefined) => (
    <Field label={t(`template_${field}`)} hint={t(`template_${field}_hint`)} error={error}>
      {({ className, ...control }) => (
        <textarea
          {...control}
          {...written}
          className={classes(className, styles.area)}
          name={field}
          rows={rows}
          defaultValue={now[field]?.[0]}
        />
      )}
    </Field>
  )
  return (
    <AdminPanel id="content" title={t('template_words')}>
      <div className={styles.in}>
        <Form
          key={actionData ? JSON.stringify(actionData.lists) : `${language} ${version}`}
          action={templatePath(name, language)}
          error={actionData?.error}
          isUnsaved={actionData !== undefined}
        >
          <input type="hidden" name="version" value={version} />
          <TextField
            label={t('template_subject')}
            name="subject"
            defaultValue={now.subject?.[0]}
            error={of('subject')}
            maxLength={200}
            {...written}
          />
          {renderTextField('lines', 8, inLines && named(problem(inLines)))}
          {own.button !== undefined && (
            <TextField
              label={t('template_button')}
              name="button"
              defaultValue={now.button?.[0]}
              error={of('button')}
              maxLength={80}
              {...written}
            />
          )}
          {own.sms !== undefined && renderTextField('sms', 3, of('sms'))}
          <VariableList variables={variables} />
          <FormButtons isOwn={isOwn} />
        </Form>
      </div>
    </AdminPanel>
  )
}

/** Names the variables that are missing from a text, or not known there. */
function useNamedProblem() {
  const t = useT('announcements')
  return (text: string | undefined) =>
    text
      ?.replace(/^Missing: (.+)$/, (_, names: string) => t('template_missing', { names }))
      .replace(/^Not known here: (.+)$/, (_, names: string) => t('template_unknown', { names }))
}

function VariableList({ variables }: Pick<TemplateDetail, 'variables'>) {
  const t = useT('announcements')
  return (
    <div>
      <p className={styles.hint}>{t('template_variables')}</p>
      <ul className={styles.variables}>
        {variables.map(({ name, isRequired }) => (
          <li key={name}>
            <code dir="ltr">{`{{${name}}}`}</code>
            {isRequired && ` ${t('template_required')}`}
          </li>
        ))}
      </ul>
    </div>
  )
}

function FormButtons({ isOwn }: { isOwn: boolean }) {
  const t = useT('announcements')
  return (
    <Buttons>
      <Submit name="intent" value="save">
        {t('save')}
      </Submit>
      <Button type="submit" name="intent" value="preview">
        {t('look')}
      </Button>
      {!isOwn && (
        <Button type="submit" look="link" name="intent" value="own">
          {t('take_back')}
        </Button>
      )}
    </Buttons>
  )
}
