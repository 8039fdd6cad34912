import type { ReactNode } from 'react'
import { TextField } from '#web/ui/Field.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import type { ActionData } from './actions.server.ts'
import styles from './RecipientList.module.css'
import type { Recipient } from './recipient.ts'

interface RecipientListProps {
  recipients: readonly Recipient[]
  /** Text for an empty list. */
  none: string
  className: string | undefined
  /** One recipient: an item with the anchor `idOf`. */
  children: (recipient: Recipient) => ReactNode
}

/** Some of the recipients, one per line. */
export function RecipientList({ recipients, none, className, children }: RecipientListProps) {
  if (recipients.length === 0) return <p className={styles.none}>{none}</p>
  return (
    // biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers
    <ul className={className} role="list">
      {recipients.map(children)}
    </ul>
  )
}

export const idOf = ({ user_id }: Recipient) => `p-${user_id}`

/** Action data for this recipient, if any. */
export const actionDataFor = ({ user_id }: Recipient, actionData: ActionData | undefined) =>
  actionData?.values.subject === user_id ? actionData : undefined

/** Chapter and country of a recipient. */
export const RecipientOrigin = ({ recipient: { chapter_name, place } }: { recipient: Recipient }) => (
  <bdi>{[chapter_name, place].filter(Boolean).join(' · ')}</bdi>
)

interface ActionWithNoteProps {
  recipient: Recipient
  intent: 'helped' | 'answer'
  actionData: ActionData | undefined
  summary: string
  /** Names the recipient, for screen reader users who hear one summary after another. */
  summaryLabel?: string
  label: string
  hint?: string
  send: string
  children?: ReactNode
}

/** An action on one recipient with a note for the record, collapsed until needed. */
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
