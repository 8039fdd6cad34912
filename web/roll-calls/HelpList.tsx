import { isolated } from '../lib/format.ts'
import { useT } from '../lib/i18n.tsx'
import { TextField } from '../ui/Field.tsx'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Time } from '../ui/Time.tsx'
import type { Posted } from './actions.server.ts'
import { Phone } from './Phone.tsx'
import type { Person } from './RollCallPage.tsx'
import styles from './RollCalls.module.css'

interface Props {
  people: readonly Person[]
  me: string
  posted: Posted | undefined
}

/** Who needs help: those first whom nobody takes care of, the longest waiting on top. */
export function HelpList({ people, me, posted }: Props) {
  const t = useT('rollCalls')
  if (people.length === 0) return <p className={styles.none}>{t('help_none')}</p>
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a list without markers is no list to some readers unless it says so
    <ul className={styles.help} role="list">
      {people.map((person) => (
        <InNeed
          key={person.user_id}
          person={person}
          me={me}
          posted={posted?.subject === person.user_id ? posted : undefined}
        />
      ))}
    </ul>
  )
}

function InNeed({ person, me, posted }: { person: Person; me: string; posted: Posted | undefined }) {
  const t = useT('rollCalls')
  const { user_id, name, place, chapter_name, answered_at, note, taken_at } = person
  return (
    <li id={`p-${user_id}`} className={taken_at ? styles.taken : styles.untaken}>
      <div className={styles.head}>
        <h3>
          <Icon name={taken_at ? 'hands' : 'emergency'} /> <bdi>{name}</bdi>
        </h3>
        <span className={styles.muted}>
          <bdi>{[chapter_name, place].filter(Boolean).join(' · ')}</bdi>
          {answered_at && (
            <>
              {' · '}
              <Time value={answered_at} look="relative" />
            </>
          )}
        </span>
      </div>
      <Phone person={person} />
      {note && (
        <p className={styles.words} dir="auto">
          {note}
        </p>
      )}
      <Helper person={person} me={me} />
      {user_id !== me && (
        <div className={styles.helpDeeds}>
          {!taken_at && (
            <Form preventScrollReset failure={posted?.intent === 'take' ? posted.failure : undefined}>
              <input type="hidden" name="intent" value="take" />
              <input type="hidden" name="subject" value={user_id} />
              <div>
                <Submit>{t('take')}</Submit>
              </div>
            </Form>
          )}
          <Helped person={person} posted={posted?.intent === 'helped' ? posted : undefined} />
        </div>
      )}
    </li>
  )
}

function Helper({ person: { helper_id, helper_name, taken_at, escalations }, me }: { person: Person; me: string }) {
  const t = useT('rollCalls')
  if (taken_at)
    return (
      <p className={styles.ok}>
        {helper_id === me ? t('you_take_care') : t('takes_care', { name: isolated(helper_name ?? '') })} ·{' '}
        <Time value={taken_at} look="relative" />
      </p>
    )
  return (
    <p className={styles.alone}>
      {helper_name ? t('asked_helper', { name: isolated(helper_name) }) : t('no_helper')}
      {escalations > 0 && <> · {t('escalated', { count: escalations })}</>}
    </p>
  )
}

function Helped({ person: { user_id }, posted }: { person: Person; posted: Posted | undefined }) {
  const t = useT('rollCalls')
  const problem = useProblems(posted?.failure)
  return (
    <details open={posted !== undefined} className={styles.fold}>
      <summary>{t('helped')}</summary>
      <Form preventScrollReset failure={posted?.failure}>
        <input type="hidden" name="intent" value="helped" />
        <input type="hidden" name="subject" value={user_id} />
        <TextField
          label={t('helped_note')}
          name="note"
          required
          maxLength={500}
          defaultValue={posted?.typed.note}
          error={problem('note')}
          dir="auto"
        />
        <div>
          <Submit look="secondary">{t('helped_close')}</Submit>
        </div>
      </Form>
    </details>
  )
}
