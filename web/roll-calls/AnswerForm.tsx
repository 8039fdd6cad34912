import { ANSWERS } from '#shared/roll-calls/answers.ts'
import type { OwnRollCall } from '#shared/roll-calls/endpoints.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { classes } from '#web/ui/classes.ts'
import { Field, TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import styles from './Answer.module.css'

const ICONS: Record<(typeof ANSWERS)[number], IconName> = { safe: 'check', need_help: 'emergency', not_there: 'pin' }

interface Props {
  rollCall: OwnRollCall
  error?: FormError | undefined
  action?: string
  /** Answer preselected by a link in the message: comes first, and must be confirmed. */
  chosen?: string | null
}

/** Three large buttons: one tap answers, with or without scripts. */
export function AnswerForm({ rollCall, error, action, chosen }: Props) {
  const t = useT('rollCallAnswer')
  return (
    <Form error={error} {...(action ? { action } : {})} preventScrollReset>
      <div className={styles.answers}>
        {inOrder(chosen).map((answer) => {
          const isMine = rollCall.answer === answer && !(answer === 'need_help' && rollCall.helped_at)
          return (
            <button
              key={answer}
              type="submit"
              name="answer"
              value={answer}
              className={classes(styles.answer, styles[answer], isMine && styles.mine)}
              aria-pressed={isMine}
            >
              <Icon name={ICONS[answer]} className={styles.icon} />
              <span>
                <span className={styles.words}>
                  {t(answer === 'need_help' && rollCall.helped_at ? 'again' : answer)}
                </span>
                <span className={styles.hint}>{isMine ? t('your_answer') : t(`${answer}_hint`)}</span>
              </span>
            </button>
          )
        })}
      </div>
    </Form>
  )
}

const inOrder = (chosen: string | null | undefined) =>
  ANSWERS.toSorted((a, b) => Number(b === chosen) - Number(a === chosen))

/** Location and contact of the user, for their helper. */
export function MoreForm({ rollCall, error }: { rollCall: OwnRollCall; error?: FormError | undefined }) {
  const t = useT('rollCallAnswer')
  const problem = useProblems(error)
  return (
    <section className={styles.more} aria-labelledby="more">
      <h2 id="more">{t('more_title')}</h2>
      <Form error={error} preventScrollReset>
        <input type="hidden" name="answer" value="need_help" />
        <Field label={t('note')} error={problem('note')}>
          {(control) => (
            <textarea {...control} name="note" rows={3} maxLength={500} defaultValue={rollCall.note} dir="auto" />
          )}
        </Field>
        <TextField
          label={t('phone')}
          error={problem('phone')}
          name="phone"
          type="tel"
          dir="ltr"
          autoComplete="tel"
          maxLength={40}
          defaultValue={rollCall.phone}
        />
        <div>
          <Submit look="secondary">{t('send_more')}</Submit>
        </div>
      </Form>
    </section>
  )
}
