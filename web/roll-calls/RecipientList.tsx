import type { ReactNode } from 'react'
import { TextField } from '#web/ui/Field.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import type { ActionData } from './actions.server.ts'
import styles from './RecipientList.module.css'
import type { Recipient } from './RollCallPage.tsx'

interface RecipientListProps {
  recipients: readonly Recipient[]
  /** What is said where there is nobody. */
  none: string
  className: string | undefined
  /** One person: an item that a link can lead to, by `idOf`. */
  children: (recipient: Recipient) => ReactNode
}

/** Some of the people who are asked, each on a line of her own. */
export function RecipientList({ recipients, none, className, children }: RecipientListProps) {
  if (recipients.length === 0) return <p className={styles.none}>{none}</p>
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a list without markers is no list to some readers unless it says so
    <ul className={className} role="list">
      {recipients.map(children)}
    </ul>
  )
}

export const idOf = ({ user_id }: Recipient) => `p-${user_id}`

/** What was tried for this person, if anything. */
export const actionDataFor = ({ user_id }: Recipient, actionData: ActionData | undefined) =>
  actionData?.subject === user_id ? actionData : undefined

/** Chapter and country of a person. */
export const RecipientOrigin = ({ recipient: { chapter_name, place } }: { recipient: Recipient }) => (
  <bdi>{[chapter_name, place].filter(Boolean).join(' · ')}</bdi>
)

interface ActionWithNoteProps {
  recipient: Recipient
  intent: 'helped' | 'answer'
  actionData: ActionData | undefined
  summary: string
  /** Whose it is, for those who hear one summary after the other. */
  summaryLabel?: string
  label: string
  hint?: string
  send: string
  children?: ReactNode
}

/** Something done for one person with a note for the record, folded away until it is wanted. */
export function ActionWithNote({
  recipient,
  intent,
  actionData,
  summary,
  summaryLabel,
  label,
  hint,
  send,
  children,
}: ActionWithNoteProps) {
  const problem = useProblems(actionData?.error)
  return (
    <Fold look="link" open={actionData?.intent === intent} summary={summary} summaryLabel={summaryLabel}>
      <Form preventScrollReset error={actionData?.error}>
        <input type="hidden" name="intent" value={intent} />
        <input type="hidden" name="subject" value={recipient.user_id} />
        {children}
        <TextField
          label={label}
          hint={hint}
          name="note"
          required
          maxLength={500}
          defaultValue={actionData?.values.note}
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
