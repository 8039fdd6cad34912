import { Link } from 'react-router'
import type { OwnRollCall } from '#shared/roll-calls/endpoints.ts'
import { isolated } from '#web/lib/format.ts'
import { useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import { Time } from '#web/ui/Time.tsx'
import styles from './Answer.module.css'
import { AnswerForm } from './AnswerForm.tsx'

/** At the top of the dashboard: roll calls waiting for the user's answer, and their answers while still open. */
export function RollCallCards({ rollCalls }: { rollCalls: readonly OwnRollCall[] }) {
  return rollCalls.map((rollCall) => <Card key={rollCall.id} rollCall={rollCall} />)
}

function Card({ rollCall }: { rollCall: OwnRollCall }) {
  const t = useT('rollCallAnswer')
  const { id, title, message, answer, helper, helped_at, started_at } = rollCall
  const path = `/dashboard/roll-calls/${id}`
  const heading = `roll-call-${id}`
  return (
    <section className={classes(styles.card, answer && styles.answered)} aria-labelledby={heading}>
      <div className={styles.cardHead}>
        <div>
          <p className={styles.muted}>
            {t('asked')} <Time value={started_at} look="relative" />
          </p>
          <h2 id={heading}>
            <bdi>{title}</bdi>
          </h2>
        </div>
        {answer && <Link to={path}>{t('change')}</Link>}
      </div>
      {!answer && message && (
        <p className={styles.message} dir="auto">
          {message}
        </p>
      )}
      {answer ? (
        <p>
          {t('answer_label', { answer: t(answer) })}
          {answer === 'need_help' && helper && !helped_at && (
            <> · {t(helper.taken_at ? 'taken_title' : 'help_requested_title', { name: isolated(helper.name) })}</>
          )}
        </p>
      ) : (
        <AnswerForm rollCall={rollCall} action={path} />
      )}
    </section>
  )
}
