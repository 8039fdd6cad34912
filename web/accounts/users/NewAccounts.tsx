import type { NewAccount } from '#shared/accounts/users.ts'
import type { FormResult } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import { StatusMark } from './StatusMark.tsx'
import styles from './Users.module.css'

interface Props {
  accounts: (NewAccount & { places: string })[]
  actionData: FormResult | undefined
  done: 'verify' | 'flag' | undefined
  /** The page that handles the forms. */
  action: string
}

/**
 * Unverified accounts, the longest waiting first: an administrator or coordinator who knows the user verifies or flags
 * it (C-12).
 */
export function NewAccounts({ accounts, actionData, done, action }: Props) {
  const t = useT('users')
  const tAdmin = useT('admin')
  return (
    <>
      {done && !actionData && <Note kind="success" isLive title={t(done === 'verify' ? 'done_status' : 'done_flag')} />}
      {accounts.length === 0 ? (
        <p className={styles.none}>{tAdmin('accounts_none')}</p>
      ) : (
        // biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers
        <ul className={styles.waiting} role="list">
          {accounts.map((account) => (
            <li key={account.id}>
              <Who account={account} />
              <Actions
                account={account}
                actionData={actionData?.values.account === account.id ? actionData : undefined}
                action={action}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Who({ account }: { account: Props['accounts'][number] }) {
  const t = useT('users')
  return (
    <div className={styles.who}>
      <strong>
        <bdi>{account.display_name}</bdi>
      </strong>{' '}
      {account.is_flagged && <StatusMark user={{ profile_status: 'pending', is_flagged: true }} />}
      <p>
        <bdi dir="ltr">{account.email}</bdi>
        {!account.email_verified && ` (${t('unconfirmed')})`}
      </p>
      <p>
        {account.places && <bdi>{account.places}</bdi>}
        {account.places && t('comma')}
        {t(`registration_${account.registration_method}`)}
        {t('comma')}
        <Time value={account.created_at} look="relative" />
      </p>
      {account.status_reason && (
        <p>
          <bdi>{account.status_reason}</bdi>
        </p>
      )}
    </div>
  )
}

function Actions({
  account,
  actionData,
  action,
}: {
  account: NewAccount
  actionData: FormResult | undefined
  action: string
}) {
  const t = useT('users')
  const problem = useProblems(actionData?.error)
  const isConfirming = actionData?.intent === 'verify' && !actionData.error
  const isFlagging = actionData?.intent === 'flag' || actionData?.intent === 'unflag'
  const named = { name: account.display_name }
  return (
    <div className={styles.actions}>
      <Form action={action} error={actionData?.intent === 'verify' ? actionData.error : undefined} preventScrollReset>
        <input type="hidden" name="intent" value="verify" />
        <input type="hidden" name="account" value={account.id} />
        {isConfirming && <input type="hidden" name="confirmed" value="yes" />}
        {isConfirming && <p role="status">{t('confirm_verify', named)}</p>}
        <Submit
          look={isConfirming ? 'primary' : 'secondary'}
          autoFocus={isConfirming}
          aria-label={t('verify_named', named)}
        >
          {t(isConfirming ? 'confirm_verify_yes' : 'verify')}
        </Submit>
      </Form>
      <Fold open={isFlagging} summary={t(account.is_flagged ? 'unflag' : 'flag')}>
        <Form action={action} error={isFlagging ? actionData.error : undefined} preventScrollReset>
          <input type="hidden" name="intent" value={account.is_flagged ? 'unflag' : 'flag'} />
          <input type="hidden" name="account" value={account.id} />
          {!account.is_flagged && (
            <TextField
              label={t('reason_for_record')}
              name="reason"
              required
              maxLength={500}
              dir="auto"
              defaultValue={actionData?.values.reason}
              error={problem('reason')}
            />
          )}
          <Submit look="secondary">{t(account.is_flagged ? 'unflag' : 'flag')}</Submit>
        </Form>
      </Fold>
    </div>
  )
}
