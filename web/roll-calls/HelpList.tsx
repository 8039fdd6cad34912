import { isolated } from '../lib/format.ts'
import { useT } from '../lib/i18n.tsx'
import { Form, Submit } from '../ui/Form.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Time } from '../ui/Time.tsx'
import { Words } from '../ui/Words.tsx'
import type { Posted } from './actions.server.ts'
import styles from './People.module.css'
import { idOf, NotedDeed, People, postedFor, Whence } from './People.tsx'
import { Phone } from './Phone.tsx'
import type { Person } from './RollCallPage.tsx'
import { isInTexts, Texts } from './Texts.tsx'

interface Props {
  people: readonly Person[]
  me: string
  posted: Posted | undefined
}

/** Who needs help: those first whom nobody takes care of, the longest waiting on top. */
export function HelpList({ people, me, posted }: Props) {
  const t = useT('rollCalls')
  return (
    <People people={people} none={t('help_none')} className={styles.help}>
      {(person) => <InNeed key={person.user_id} person={person} me={me} posted={postedFor(person, posted)} />}
    </People>
  )
}

function InNeed({ person, me, posted }: { person: Person; me: string; posted: Posted | undefined }) {
  const t = useT('rollCalls')
  const { user_id, name, answered_at, note, taken_at } = person
  return (
    <li id={idOf(person)} className={taken_at ? styles.taken : styles.untaken}>
      <div className={styles.head}>
        <h3>
          <Icon name={taken_at ? 'hands' : 'emergency'} /> <bdi>{name}</bdi>
        </h3>
        <span className={styles.muted}>
          <Whence person={person} />
          {answered_at && (
            <>
              {' · '}
              <Time value={answered_at} look="relative" />
            </>
          )}
        </span>
      </div>
      <Phone person={person} />
      {note && !isInTexts(person) && <Words>{note}</Words>}
      <Texts person={person} />
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
          <NotedDeed
            person={person}
            intent="helped"
            posted={posted?.intent === 'helped' ? posted : undefined}
            summary={t('helped')}
            label={t('helped_note')}
            send={t('helped_close')}
          />
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
