import type { AssistantCase } from '#shared/assistant/cases.ts'
import { isolated } from '#web/lib/format.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { TextAreaField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Cases.module.css'

interface Props {
  found: AssistantCase
  error: FormError | undefined
  values: string | undefined
}

/** Actions on a case: take, release, close with a resolution, reopen. */
export function CaseActions({ found, error, values }: Props) {
  const t = useT('cases')
  const { status, taken_by_name, taken_at, closed_at, note } = found
  return (
    <div className={styles.actions}>
      {taken_at && (
        <p className={styles.muted}>
          {t('taken_by', { name: isolated(taken_by_name ?? t('unknown_user')) })} ·{' '}
          <Time value={taken_at} look="relative" />
        </p>
      )}
      {closed_at && note && (
        <p dir="auto" className={styles.note}>
          {t('closed_note', { note: isolated(note) })}
        </p>
      )}
      {status === 'open' && <Action intent="taken" label={t('take')} look="primary" error={error} />}
      {status === 'taken' && <Closing error={error} values={values ?? note ?? ''} />}
      {status === 'taken' && <Action intent="open" label={t('give_back')} look="secondary" />}
      {status === 'closed' && <Action intent="open" label={t('reopen')} look="secondary" error={error} />}
    </div>
  )
}

interface ActionProps {
  intent: 'open' | 'taken'
  label: string
  look: 'primary' | 'secondary'
  error?: FormError | undefined
}

function Action({ intent, label, look, error }: ActionProps) {
  return (
    <Form error={error}>
      <input type="hidden" name="intent" value={intent} />
      <div>
        <Submit look={look}>{label}</Submit>
      </div>
    </Form>
  )
}

function Closing({ error, values }: { error: FormError | undefined; values: string }) {
  const t = useT('cases')
  const problem = useProblems(error)
  return (
    <Form error={error}>
      <input type="hidden" name="intent" value="closed" />
      <TextAreaField
        label={t('close_note')}
        name="note"
        required
        maxLength={2000}
        defaultValue={values}
        error={problem('note')}
      />
      <div>
        <Submit>{t('close')}</Submit>
      </div>
    </Form>
  )
}
