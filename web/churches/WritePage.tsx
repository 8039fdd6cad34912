import { data, useSearchParams } from 'react-router'
import { MESSAGE_KINDS, writeToLocale } from '#shared/churches/visitors.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { Field, TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Page } from '#web/ui/Page.tsx'
import type { Route } from './+types/WritePage'
import { Choice, Gone, Thanks, Trap } from './FormFields.tsx'
import styles from './Forms.module.css'
import { churchOfForm } from './locale-forms.server.ts'

export const handle = { ns: ['churchForms', 'forms'] } satisfies RouteHandle

export async function loader({ context, params }: Route.LoaderArgs) {
  const { locale, title } = await churchOfForm(api(context), context, params.id, 'write_title')
  if (!locale) return data({ title, id: null, today: '' }, { status: 404 })
  return data({ title, id: locale.id, today: visitorOf(context).now.toISOString().slice(0, 10) }, { status: 200 })
}

export const action = formAction(async (call, { id, values, flash }) => {
  await call(writeToLocale, {
    params: { id },
    body: {
      kind: values.kind as 'question',
      sender_name: values.sender_name ?? '',
      sender_contact: values.sender_contact ?? '',
      arrives_on: values.kind === 'arrival' && values.arrives_on ? values.arrives_on : null,
      language: values.language ?? '',
      message: values.message ?? '',
      homepage: values.homepage ?? '',
    },
  })
  return flash(`/church-locator/${id}/write`, 'sent')
})

/** Sends a message to the contacts of a church without revealing who they are. */
export default function WritePage({ loaderData: { title, id, today }, actionData }: Route.ComponentProps) {
  const t = useT('churchForms')
  const [params] = useSearchParams()
  const isSent = params.has('done') && !actionData
  return (
    <Page width="text">
      <Breadcrumbs />
      <div className={styles.page}>
        <h1>{title}</h1>
        {id === null && <Gone />}
        {id !== null && isSent && <Thanks id={id} title={t('write_done')} text={t('write_done_text')} />}
        {id !== null && !isSent && <WriteForm today={today} actionData={actionData} initialKind={params.get('kind')} />}
      </div>
    </Page>
  )
}

interface Props {
  today: string
  actionData: Route.ComponentProps['actionData']
  /** Preselected by the link that led here. */
  initialKind: string | null
}

function WriteForm({ today, actionData, initialKind }: Props) {
  const t = useT('churchForms')
  const problem = useProblems(actionData?.error)
  const values = actionData?.values
  const text = (name: string) => ({ name, defaultValue: values?.[name], error: problem(name) })
  return (
    <>
      <p>{t('write_text')}</p>
      <div className={styles.form}>
        <Form error={actionData?.error}>
          <Choice
            legend={t('write_kind')}
            name="kind"
            options={MESSAGE_KINDS.map((kind) => [kind, t(`write_${kind}`)] as const)}
            chosen={values?.kind ?? (initialKind === 'arrival' ? 'arrival' : 'question')}
            error={problem('kind')}
          />
          <TextField
            label={t('write_name')}
            {...text('sender_name')}
            required
            maxLength={100}
            dir="auto"
            autoComplete="name"
          />
          <TextField
            label={t('write_contact')}
            hint={t('write_contact_hint')}
            {...text('sender_contact')}
            required
            maxLength={254}
            dir="ltr"
            autoComplete="email"
            autoCapitalize="none"
          />
          <TextField
            className={styles.arrival}
            label={t('write_arrives_on')}
            {...text('arrives_on')}
            type="date"
            min={today}
          />
          <TextField label={t('write_language')} {...text('language')} maxLength={35} dir="auto" />
          <Field label={t('write_message')} error={problem('message')}>
            {(control) => (
              <textarea
                {...control}
                name="message"
                rows={5}
                maxLength={2000}
                dir="auto"
                defaultValue={values?.message}
              />
            )}
          </Field>
          <Trap />
          <div>
            <Submit busyLabel={t('sending')}>{t('write_send')}</Submit>
          </div>
        </Form>
      </div>
    </>
  )
}
