import type { NewAccount } from '#shared/accounts/users.ts'
import { useT } from '../lib/i18n.tsx'
import type { Failure } from '../lib/visitor.ts'
import { TextField } from '../ui/Field.tsx'
import { Fold } from '../ui/Fold.tsx'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import { Note } from '../ui/Note.tsx'
import { Time } from '../ui/Time.tsx'
import { StatusMark } from './StatusMark.tsx'
import styles from './Users.module.css'

interface Posted {
  id: string
  intent: string
  reason: string
  failure: Failure | undefined
  /** Asked once before it is done. */
  name?: string | undefined
}

interface Props {
  accounts: (NewAccount & { places: string })[]
  posted: Posted | undefined
  done: 'verify' | 'flag' | undefined
  /** The page that takes the forms. */
  action: string
}

/** Accounts that nobody has verified yet, the longest waiting first: who knows the person says so, or flags it (C-12). */
export function NewAccounts({ accounts, posted, done, action }: Props) {
  const t = useT('users')
  const tAdmin = useT('admin')
  return (
    <>
      {done && !posted && <Note kind="success" isLive title={t(done === 'verify' ? 'done_status' : 'done_flag')} />}
      {accounts.length === 0 ? (
        <p className={styles.none}>{tAdmin('accounts_none')}</p>
      ) : (
        // biome-ignore lint/a11y/noRedundantRoles: a list without markers is no list to some readers unless it says so
        <ul className={styles.waiting} role="list">
          {accounts.map((account) => (
            <li key={account.id}>
              <Who account={account} />
              <Deeds account={account} posted={posted?.id === account.id ? posted : undefined} action={action} />
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

function Deeds({ account, posted, action }: { account: NewAccount; posted: Posted | undefined; action: string }) {
  const t = useT('users')
  const problem = useProblems(posted?.failure)
  const isAsked = posted?.intent === 'verify' && !posted.failure
  const named = { name: account.display_name }
  return (
    <div className={styles.deeds}>
      <Form action={action} failure={posted?.intent === 'verify' ? posted.failure : undefined} preventScrollReset>
        <input type="hidden" name="intent" value="verify" />
        <input type="hidden" name="account" value={account.id} />
        {isAsked && <input type="hidden" name="confirmed" value="yes" />}
        {isAsked && <p role="status">{t('confirm_verify', named)}</p>}
        <Submit look={isAsked ? 'primary' : 'secondary'} autoFocus={isAsked} aria-label={t('verify_named', named)}>
          {t(isAsked ? 'confirm_verify_yes' : 'verify')}
        </Submit>
      </Form>
      <Fold open={posted?.intent === 'flag'} summary={t(account.is_flagged ? 'unflag' : 'flag')}>
        <Form action={action} failure={posted?.intent === 'flag' ? posted.failure : undefined} preventScrollReset>
          <input type="hidden" name="intent" value={account.is_flagged ? 'unflag' : 'flag'} />
          <input type="hidden" name="account" value={account.id} />
          {!account.is_flagged && (
            <TextField
              label={t('reason_kept')}
              name="reason"
              required
              maxLength={500}
              dir="auto"
              defaultValue={posted?.reason}
              error={problem('reason')}
            />
          )}
          <Submit look="secondary">{t(account.is_flagged ? 'unflag' : 'flag')}</Submit>
        </Form>
      </Fold>
    </div>
  )
}
