import { useT } from '../lib/i18n.tsx'
import { TextField } from '../ui/Field.tsx'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import type { Posted } from './actions.server.ts'
import styles from './Care.module.css'

interface Props {
  locale: { id: string; closed_since: string | null; closed_until: string | null; closed_reason: string | null }
  today: string
  posted: Posted | undefined
}

/** Closes the church for a while, or opens it again: one action each. */
export function ClosureForm({ locale, today, posted }: Props) {
  const t = useT('care')
  const failure = posted?.intent === 'close' ? posted.failure : undefined
  const problem = useProblems(failure)
  const { id, closed_since, closed_until, closed_reason } = locale
  const held = {
    closed_since: closed_since ?? today,
    closed_until: closed_until ?? '',
    closed_reason: closed_reason ?? '',
  }
  const field = (name: keyof typeof held) => ({
    name,
    defaultValue: (failure && posted?.typed[name]) ?? held[name],
    error: problem(name),
  })
  return (
    <div className={styles.closure}>
      {closed_since && (
        <Form failure={posted?.intent === 'reopen' ? posted.failure : undefined} preventScrollReset>
          <input type="hidden" name="intent" value="reopen" />
          <input type="hidden" name="subject" value={id} />
          <div>
            <Submit look="secondary">{t('reopen')}</Submit>
          </div>
        </Form>
      )}
      <Form failure={failure} preventScrollReset>
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
