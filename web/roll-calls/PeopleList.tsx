import { ANSWERS } from '#shared/roll-calls/answers.ts'
import { isolated } from '../lib/format.ts'
import { useT } from '../lib/i18n.tsx'
import { SelectField, TextField } from '../ui/Field.tsx'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import { Time } from '../ui/Time.tsx'
import type { Posted } from './actions.server.ts'
import { Phone } from './Phone.tsx'
import type { Person } from './RollCallPage.tsx'
import styles from './RollCalls.module.css'

interface Props {
  people: readonly Person[]
  isOpen: boolean
  posted: Posted | undefined
}

/** Everybody else: who is silent first, with whether the question arrived. */
export function PeopleList({ people, isOpen, posted }: Props) {
  const t = useT('rollCalls')
  if (people.length === 0) return <p className={styles.none}>{t('people_none')}</p>
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a list without markers is no list to some readers unless it says so
    <ul className={styles.peopleList} role="list">
      {people.map((person) => (
        <li key={person.user_id} id={`p-${person.user_id}`}>
          <div className={styles.who}>
            <strong>
              <bdi>{person.name}</bdi>
            </strong>
            <span className={styles.muted}>
              <bdi>{[person.chapter_name, person.place].filter(Boolean).join(' · ')}</bdi>
            </span>
          </div>
          <Said person={person} />
          <Phone person={person} />
          {isOpen && <WriteAnswer person={person} posted={posted?.subject === person.user_id ? posted : undefined} />}
        </li>
      ))}
    </ul>
  )
}

function Said({ person }: { person: Person }) {
  const t = useT('rollCalls')
  const { answer, answered_at, answered_via, helped_at, help_note, helper_name, note, reached } = person
  if (!answer)
    return (
      <div>
        <span className={styles.silent}>{t('answer_none')}</span>
        <span className={reached === 'failed' ? styles.alone : styles.muted}> · {t(`reached_${reached}`)}</span>
      </div>
    )
  return (
    <div>
      <span className={styles[answer]}>{t(helped_at ? 'answer_helped' : `answer_${answer}`)}</span>
      <span className={styles.muted}>
        {answered_via && <> · {t(`via_${answered_via}`)}</>}
        {answered_at && (
          <>
            {' · '}
            <Time value={helped_at ?? answered_at} look="relative" />
          </>
        )}
        {helped_at && helper_name && <> · {isolated(helper_name)}</>}
      </span>
      {(helped_at ? help_note : note) && (
        <p className={styles.words} dir="auto">
          {helped_at ? help_note : note}
        </p>
      )}
    </div>
  )
}

/** For somebody who was reached by telephone. */
function WriteAnswer({ person: { user_id, name }, posted }: { person: Person; posted: Posted | undefined }) {
  const t = useT('rollCalls')
  const problem = useProblems(posted?.failure)
  return (
    <details open={posted?.intent === 'answer'} className={styles.fold}>
      <summary aria-label={`${t('write')}: ${name}`}>{t('write')}</summary>
      <Form preventScrollReset failure={posted?.failure}>
        <input type="hidden" name="intent" value="answer" />
        <input type="hidden" name="subject" value={user_id} />
        <SelectField
          label={t('write_answer')}
          name="answer"
          defaultValue={posted?.typed.answer ?? 'safe'}
          error={problem('answer')}
        >
          {ANSWERS.map((answer) => (
            <option key={answer} value={answer}>
              {t(`answer_${answer}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('write_note')}
          hint={t('write_note_hint')}
          name="note"
          required
          maxLength={500}
          defaultValue={posted?.typed.note}
          error={problem('note')}
          dir="auto"
        />
        <div>
          <Submit look="secondary">{t('write_save')}</Submit>
        </div>
      </Form>
    </details>
  )
}
