import type { ReactNode } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { PageNotice } from './AdminPage.tsx'
import { ButtonLink } from './Button.tsx'
import { Buttons } from './Buttons.tsx'
import { TextField } from './Field.tsx'
import { Form, Submit, useProblems } from './Form.tsx'
import { Note } from './Note.tsx'

interface Props {
  title: string
  text: string
  /** Hidden fields of the form besides `intent`: the version shown, the record of a list. */
  fields?: Record<string, string | number>
  intent?: string
  /** The same page without the confirmation. */
  cancelTo: string
  error?: FormError | undefined
  /** The audit log records why. */
  asksReason?: boolean
  /** Label of the button; default 'Delete'. */
  label?: string
  /** Further choices beside the buttons. */
  more?: ReactNode
}

/** Names what is deleted for good, and asks for confirmation. */
export function DeleteConfirmation({ title, text, intent = 'delete', cancelTo, error, ...props }: Props) {
  const t = useT('admin')
  const problem = useProblems(error)
  return (
    <PageNotice>
      <Note heading="h2" kind="unknown" title={title}>
        <p>{text}</p>
        <Form error={error}>
          <input type="hidden" name="intent" value={intent} />
          {Object.entries(props.fields ?? {}).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {props.asksReason && (
            <TextField
              label={t('form_reason')}
              hint={t('form_reason_hint')}
              name="reason"
              maxLength={500}
              dir="auto"
              error={problem('reason')}
            />
          )}
          <Buttons>
            <Submit look="danger">{props.label ?? t('form_delete')}</Submit>
            <ButtonLink to={cancelTo}>{t('form_cancel')}</ButtonLink>
            {props.more}
          </Buttons>
        </Form>
      </Note>
    </PageNotice>
  )
}
