import type { FormResult } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import styles from './Care.module.css'

interface Props {
  locale: { id: string; closed_since: string | null; closed_until: string | null; closed_reason: string | null }
  today: string
  actionData: FormResult | undefined
}

/** Closes the church temporarily, or reopens it: one action each. */
export function ClosureForm({ locale, today, actionData }: Props) {
  const t = useT('care')
  const error = actionData?.intent === 'close' ? actionData.error : undefined
  const problem = useProblems(error)
  const { id, closed_since, closed_until, closed_reason } = locale
  const defaults = {
    closed_since: closed_since ?? today,
    closed_until: closed_until ?? '',
    closed_reason: closed_reason ?? '',
  }
  const field = (name: keyof typeof defaults) => ({
    name,
    defaultValue: (error && actionData?.values[name]) ?? defaults[name],
    error: problem(name),
  })
  return (
    <div className={styles.closure}>
      {closed_since && (
        <Form error={actionData?.intent === 'reopen' ? actionData.error : undefined} preventScrollReset>
          <input type="hidden" name="intent" value="reopen" />
          <input type="hidden" name="subject" value={id} />
          <div>
            <Submit look="secondary">{t('reopen')}</Submit>
          </div>
        </Form>
      )}
      <Form error={error} preventScrollReset>
        <input type="hidden" name="intent" value="close" />
        <input type="hidden" name="subject" value={id} />
        <p className={styles.muted}>{t('closure_hint')}</p>
        <div className={styles.row}>
          <TextField label={t('close_since')} type="date" required {...field('closed_since')} />
          <TextField label={t('close_until')} type="date" {...field('closed_until')} />
          <TextField
            label={t('close_reason')}
            dir="auto"
            maxLength={300}
            className={styles.wide}
            {...field('closed_reason')}
          />
        </div>
        <div>
          <Submit look="secondary">{t(closed_since ? 'save' : 'close')}</Submit>
        </div>
      </Form>
    </div>
  )
}
