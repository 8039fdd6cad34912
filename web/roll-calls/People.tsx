import type { ReactNode } from 'react'
import { TextField } from '../ui/Field.tsx'
import { Fold } from '../ui/Fold.tsx'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import type { Posted } from './actions.server.ts'
import styles from './People.module.css'
import type { Person } from './RollCallPage.tsx'

interface PeopleProps {
  people: readonly Person[]
  /** What is said where there is nobody. */
  none: string
  className: string | undefined
  /** One person: an item that a link can lead to, by `idOf`. */
  children: (person: Person) => ReactNode
}

/** Some of the people who are asked, each on a line of her own. */
export function People({ people, none, className, children }: PeopleProps) {
  if (people.length === 0) return <p className={styles.none}>{none}</p>
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a list without markers is no list to some readers unless it says so
    <ul className={className} role="list">
      {people.map(children)}
    </ul>
  )
}

export const idOf = ({ user_id }: Person) => `p-${user_id}`

/** What was tried for this person, if anything. */
export const postedFor = ({ user_id }: Person, posted: Posted | undefined) =>
  posted?.subject === user_id ? posted : undefined

/** Chapter and country of a person. */
export const Whence = ({ person: { chapter_name, place } }: { person: Person }) => (
  <bdi>{[chapter_name, place].filter(Boolean).join(' · ')}</bdi>
)

interface NotedProps {
  person: Person
  intent: 'helped' | 'answer'
  posted: Posted | undefined
  summary: string
  /** Whose it is, for those who hear one summary after the other. */
  summaryLabel?: string
  label: string
  hint?: string
  send: string
  children?: ReactNode
}

/** Something done for one person with a note for the record, folded away until it is wanted. */
export function NotedDeed({ person, intent, posted, summary, summaryLabel, label, hint, send, children }: NotedProps) {
  const problem = useProblems(posted?.failure)
  return (
    <Fold look="link" open={posted?.intent === intent} summary={summary} summaryLabel={summaryLabel}>
      <Form preventScrollReset failure={posted?.failure}>
        <input type="hidden" name="intent" value={intent} />
        <input type="hidden" name="subject" value={person.user_id} />
        {children}
        <TextField
          label={label}
          hint={hint}
          name="note"
          required
          maxLength={500}
          defaultValue={posted?.typed.note}
          error={problem('note')}
          dir="auto"
        />
        <div>
          <Submit look="secondary">{send}</Submit>
        </div>
      </Form>
    </Fold>
  )
}
