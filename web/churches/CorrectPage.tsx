import { data, useSearchParams } from 'react-router'
import { CORRECTABLE, CORRECTABLE_LENGTH, CORRECTION_KINDS, proposeCorrection } from '#shared/churches/visitors.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { Field, TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Page } from '#web/ui/Page.tsx'
import type { Route } from './+types/CorrectPage'
import { Choice, Gone, Thanks, Trap } from './FormFields.tsx'
import styles from './Forms.module.css'
import { churchOfForm } from './locale-forms.server.ts'

export const handle = { ns: ['churchForms', 'forms'] } satisfies RouteHandle

export async function loader({ context, params }: Route.LoaderArgs) {
  const { locale, title } = await churchOfForm(api(context), context, params.id, 'correct_title')
  if (!locale) return data({ title, church: null }, { status: 404 })
  // Withheld data cannot be corrected by field either: those who know it use the text field.
  const names = locale.discreet_mode === 'exact' ? CORRECTABLE : []
  const fields = names.map((name) => ({ name, value: locale[name] ?? '' }))
  return data({ title, church: { id: locale.id, name: locale.name, fields } }, { status: 200 })
}

export const action = formAction(async (call, { id, values, context, flash }) => {
  const proposed = Object.fromEntries(CORRECTABLE.flatMap((name) => (name in values ? [[name, values[name]]] : [])))
  await call(proposeCorrection, {
    params: { id },
    body: {
      kind: values.kind as 'wrong',
      proposed,
      message: values.message ?? '',
      contact: values.contact ?? '',
      language: visitorOf(context).language,
      homepage: values.homepage ?? '',
    },
  })
  return flash(`/church-locator/${id}/correct`, 'sent')
})

/** A visitor reports an error about a church; a carer of the church decides. */
export default function CorrectPage({ loaderData: { title, church }, actionData }: Route.ComponentProps) {
  const t = useT('churchForms')
  const [params] = useSearchParams()
  const isSent = params.has('done') && !actionData
  return (
    <Page width="text">
      <Breadcrumbs />
      <div className={styles.page}>
        <h1>{title}</h1>
        {!church && <Gone />}
        {church && isSent && <Thanks id={church.id} title={t('correct_done')} text={t('correct_done_text')} />}
        {church && !isSent && <CorrectForm church={church} actionData={actionData} />}
      </div>
    </Page>
  )
}

type Church = NonNullable<Route.ComponentProps['loaderData']['church']>

function CorrectForm({ church, actionData }: { church: Church; actionData: Route.ComponentProps['actionData'] }) {
  const t = useT('churchForms')
  const problem = useProblems(actionData?.error)
  const values = actionData?.values
  return (
    <>
      <p>{t('correct_text')}</p>
      <Form error={actionData?.error}>
        <Choice
          legend={t('correct_kind')}
          name="kind"
          options={CORRECTION_KINDS.map((kind) => [kind, t(`correct_${kind}`)] as const)}
          chosen={values?.kind ?? 'wrong'}
          error={problem('kind')}
        />
        {church.fields.length > 0 && (
          <fieldset className={styles.fields}>
            <legend>{t('correct_fields')}</legend>
            <p className={styles.muted}>{t('correct_fields_hint')}</p>
            {church.fields.map(({ name, value }) => (
              <TextField
                key={name}
                label={t(`field_${name}`)}
                name={name}
                dir={name === 'phone' || name === 'email' || name === 'website' ? 'ltr' : 'auto'}
                defaultValue={values?.[name] ?? value}
                maxLength={CORRECTABLE_LENGTH[name]}
                autoComplete="off"
                error={problem(`proposed.${name}`)}
              />
            ))}
          </fieldset>
        )}
        <Field label={t('correct_message')} error={problem('message')}>
          {(control) => (
            <textarea {...control} name="message" rows={4} maxLength={2000} dir="auto" defaultValue={values?.message} />
          )}
        </Field>
        <TextField
          label={t('correct_contact')}
          hint={t('correct_contact_hint')}
          name="contact"
          maxLength={320}
          dir="auto"
          defaultValue={values?.contact}
          error={problem('contact')}
        />
        <Trap />
        <div>
          <Submit busyLabel={t('sending')}>{t('correct_send')}</Submit>
        </div>
      </Form>
    </>
  )
}
