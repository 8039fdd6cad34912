import type { AssistantCase } from '#shared/assistant/cases.ts'
import { isolated } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.tsx'
import type { Failure } from '../../lib/visitor.ts'
import { TextAreaField } from '../../ui/Field.tsx'
import { Form, Submit, useProblems } from '../../ui/Form.tsx'
import { Time } from '../../ui/Time.tsx'
import styles from './Cases.module.css'

interface Props {
  found: AssistantCase
  failure: Failure | undefined
  typed: string | undefined
}

/** Taking a case, giving it back, closing it with what came of it, opening it again. */
export function CaseDeeds({ found, failure, typed }: Props) {
  const t = useT('cases')
  const { status, taken_by_name, taken_at, closed_at, note } = found
  return (
    <div className={styles.deeds}>
      {taken_at && (
        <p className={styles.muted}>
          {t('taken_by', { name: isolated(taken_by_name ?? t('somebody')) })} ·{' '}
          <Time value={taken_at} look="relative" />
        </p>
      )}
      {closed_at && note && (
        <p dir="auto" className={styles.note}>
          {t('closed_note', { note: isolated(note) })}
        </p>
      )}
      {status === 'open' && <Deed intent="taken" label={t('take')} look="primary" failure={failure} />}
      {status === 'taken' && <Closing failure={failure} typed={typed ?? note ?? ''} />}
      {status === 'taken' && <Deed intent="open" label={t('give_back')} look="secondary" />}
      {status === 'closed' && <Deed intent="open" label={t('reopen')} look="secondary" failure={failure} />}
    </div>
  )
}

interface DeedProps {
  intent: 'open' | 'taken'
  label: string
  look: 'primary' | 'secondary'
  failure?: Failure | undefined
}

function Deed({ intent, label, look, failure }: DeedProps) {
  return (
    <Form failure={failure}>
      <input type="hidden" name="intent" value={intent} />
      <div>
        <Submit look={look}>{label}</Submit>
      </div>
    </Form>
  )
}

function Closing({ failure, typed }: { failure: Failure | undefined; typed: string }) {
  const t = useT('cases')
  const problem = useProblems(failure)
  return (
    <Form failure={failure}>
      <input type="hidden" name="intent" value="closed" />
      <TextAreaField
        label={t('close_note')}
        name="note"
        required
        maxLength={2000}
        defaultValue={typed}
        error={problem('note')}
      />
      <div>
        <Submit>{t('close')}</Submit>
      </div>
    </Form>
  )
}
