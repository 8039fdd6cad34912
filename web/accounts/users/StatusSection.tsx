import { useId } from 'react'
import type { UserDetail } from '#shared/accounts/users.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { type ActionData, actionDataFor } from './action-data.ts'

interface Props {
  user: UserDetail
  actionData: ActionData | undefined
  /** Administrators suspend and reinstate; coordinators verify, ask, reject and flag. */
  isManager: boolean
  /** Idempotency key of the forms that send a message. */
  requestKey: string
}

/** Verify, ask, reject, suspend or reinstate; flag for review by an administrator. */
export function StatusSection({ user, actionData, isManager, requestKey }: Props) {
  const t = useT('users')
  const isSuspended = user.profile_status === 'suspended'
  const isPending = user.profile_status === 'pending'
  const verify = actionDataFor(actionData, 'verify')
  return (
    <>
      {isPending && (
        <Form error={verify.error}>
          <input type="hidden" name="intent" value="verify" />
          <Buttons>
            <Submit>{t('verify')}</Submit>
          </Buttons>
        </Form>
      )}
      {isPending &&
        (['ask', 'refuse'] as const).map((kind) => (
          <MessageForm key={kind} kind={kind} actionData={actionData} requestKey={requestKey} />
        ))}
      {isManager && isSuspended && <Reactivate actionData={actionData} />}
      {isManager && !isSuspended && <Suspend actionData={actionData} />}
      {!isSuspended && <FlagForm user={user} actionData={actionData} />}
    </>
  )
}

/** A question or rejection addressed to the user. */
function MessageForm({
  kind,
  actionData,
  requestKey,
}: { kind: 'ask' | 'refuse' } & Pick<Props, 'actionData' | 'requestKey'>) {
  const t = useT('users')
  const { values, error, isOpen } = actionDataFor(actionData, kind)
  const problem = useProblems(error)
  const id = useId()
  return (
    <Fold open={isOpen} summary={t(`bulk_${kind}`)} id={id}>
      <Form error={error}>
        <input type="hidden" name="intent" value={kind} />
        <input type="hidden" name="request_key" value={requestKey} />
        <TextField
          label={t(`bulk_${kind}_message`)}
          hint={t('reason_shown_hint')}
          name="message"
          required
          maxLength={500}
          dir="auto"
          defaultValue={values?.message}
          error={problem('message')}
        />
        <Buttons>
          <Submit look={kind === 'refuse' ? 'danger' : 'secondary'}>{t(`one_${kind}`)}</Submit>
        </Buttons>
      </Form>
    </Fold>
  )
}

function Reactivate({ actionData }: Pick<Props, 'actionData'>) {
  const t = useT('users')
  const { error } = actionDataFor(actionData, 'status')
  return (
    <Form error={error}>
      <input type="hidden" name="intent" value="status" />
      <Buttons>
        <Submit name="status" value="active">
          {t('reactivate')}
        </Submit>
      </Buttons>
    </Form>
  )
}

function Suspend({ actionData }: Pick<Props, 'actionData'>) {
  const t = useT('users')
  const { values, error, isOpen } = actionDataFor(actionData, 'status')
  const problem = useProblems(error)
  return (
    <Fold open={isOpen && values?.status === 'suspended'} summary={t('suspend')}>
      <Form error={error}>
        <input type="hidden" name="intent" value="status" />
        <input type="hidden" name="status" value="suspended" />
        <TextField
          label={t('reason_shown')}
          hint={t('reason_shown_hint')}
          name="reason"
          required
          maxLength={500}
          dir="auto"
          defaultValue={values?.reason}
          error={problem('reason')}
        />
        <Buttons>
          <Submit look="danger">{t('suspend')}</Submit>
        </Buttons>
      </Form>
    </Fold>
  )
}

function FlagForm({ user, actionData }: Pick<Props, 'user' | 'actionData'>) {
  const t = useT('users')
  const { values, error, isOpen } = actionDataFor(actionData, 'flag')
  const problem = useProblems(error)
  return (
    <Fold open={isOpen} summary={t(user.is_flagged ? 'unflag' : 'flag')}>
      <Form error={error}>
        <input type="hidden" name="intent" value="flag" />
        <input type="hidden" name="is_flagged" value={user.is_flagged ? 'no' : 'yes'} />
        <TextField
          label={t('reason_for_record')}
          name="reason"
          required={!user.is_flagged}
          maxLength={500}
          dir="auto"
          defaultValue={values?.reason}
          error={problem('reason')}
        />
        <Buttons>
          <Submit look="secondary">{t(user.is_flagged ? 'unflag' : 'flag')}</Submit>
        </Buttons>
      </Form>
    </Fold>
  )
}
