import { useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './Admin.module.css'

interface Props {
  what: 'locale' | 'chapter'
  /** URL of the page of the record to delete. */
  to: string
  madeFrom: string
  error: FormError | undefined
}

/** Names what is deleted with it, and asks for confirmation. */
export function ConfirmDelete({ what, to, madeFrom, error }: Props) {
  const t = useT('manageChurches')
  const problem = useProblems(error)
  return (
    <div className={styles.done}>
      <Note heading="h2" kind="unknown" title={t(`delete_${what}_title`)}>
        <p>{t(`delete_${what}_text`)}</p>
        <Form action={to} error={error}>
          <input type="hidden" name="intent" value="delete" />
          <input type="hidden" name="made_from" value={madeFrom} />
          <TextField
            label={t('reason')}
            hint={t('reason_hint')}
            name="reason"
            maxLength={500}
            dir="auto"
            error={problem('reason')}
          />
          <Buttons>
            <Submit look="danger">{t('delete_confirm')}</Submit>
            <ButtonLink to={to}>{t('cancel')}</ButtonLink>
          </Buttons>
        </Form>
      </Note>
    </div>
  )
}
