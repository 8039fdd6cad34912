import { ANSWERS } from '#shared/roll-calls/answers.ts'
import { isolated } from '../lib/format.ts'
import { useT } from '../lib/i18n.tsx'
import { SelectField } from '../ui/Field.tsx'
import { useProblems } from '../ui/Form.tsx'
import { Time } from '../ui/Time.tsx'
import { Words } from '../ui/Words.tsx'
import type { Posted } from './actions.server.ts'
import styles from './People.module.css'
import { idOf, NotedDeed, People, postedFor, Whence } from './People.tsx'
import { Phone } from './Phone.tsx'
import type { Person } from './RollCallPage.tsx'
import { Texts } from './Texts.tsx'

interface Props {
  people: readonly Person[]
  isOpen: boolean
  posted: Posted | undefined
}

/** Everybody else: who is silent first, with whether the question arrived. */
export function PeopleList({ people, isOpen, posted }: Props) {
  const t = useT('rollCalls')
  return (
    <People people={people} none={t('people_none')} className={styles.people}>
      {(person) => (
        <li key={person.user_id} id={idOf(person)}>
          <div className={styles.who}>
            <strong>
              <bdi>{person.name}</bdi>
            </strong>
            <span className={styles.muted}>
              <Whence person={person} />
            </span>
          </div>
          <Said person={person} />
          <Phone person={person} />
          <Texts person={person} />
          {isOpen && <WriteAnswer person={person} posted={postedFor(person, posted)} />}
        </li>
      )}
    </People>
  )
}

function Said({ person }: { person: Person }) {
  const t = useT('rollCalls')
  const { answer, answered_at, answered_via, helped_at, help_note, helper_name, note, reached } = person
  if (person.unclear_at)
    return (
      <div>
        <span className={styles.alone}>{t('answer_unclear')}</span>
        <span className={styles.muted}>
          {' · '}
          <Time value={person.unclear_at} look="relative" />
          {answer && <> · {t('answered_before', { answer: t(`answer_${answer}`) })}</>}
        </span>
      </div>
    )
  if (!answer)
    return (
      <div>
        <span className={styles.silent}>{t('answer_none')}</span>
        <span className={reached === 'failed' || reached === 'recorded' ? styles.alone : styles.muted}>
          {' '}
          · {t(`reached_${reached}`)}
        </span>
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
      {(helped_at ? help_note : note) && <Words>{helped_at ? help_note : note}</Words>}
    </div>
  )
}

/** For somebody who was reached by telephone. */
function WriteAnswer({ person, posted }: { person: Person; posted: Posted | undefined }) {
  const t = useT('rollCalls')
  const problem = useProblems(posted?.failure)
  return (
    <NotedDeed
      person={person}
      intent="answer"
      posted={posted}
      summary={t('write')}
      summaryLabel={`${t('write')}: ${person.name}`}
      label={t('write_note')}
      hint={t('write_note_hint')}
      send={t('write_save')}
    >
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
    </NotedDeed>
  )
}
