import type { UserDetail } from '#shared/accounts/users.ts'
import { useT } from '../lib/i18n.tsx'
import { Buttons } from '../ui/Buttons.tsx'
import { TextField } from '../ui/Field.tsx'
import { Fold } from '../ui/Fold.tsx'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import { type Posted, postedFor } from './posted.ts'

/** Verify, suspend or let in again; flag for somebody to look at. */
export function StatusPart({ user, posted }: { user: UserDetail; posted: Posted | undefined }) {
  const t = useT('users')
  const status = postedFor(posted, 'status')
  const flag = postedFor(posted, 'flag')
  const problem = useProblems(status.failure)
  const flagProblem = useProblems(flag.failure)
  const isSuspended = user.profile_status === 'suspended'
  const isPending = user.profile_status === 'pending'
  return (
    <>
      {(isPending || isSuspended) && (
        <Form failure={status.typed?.status === 'active' ? status.failure : undefined}>
          <input type="hidden" name="intent" value="status" />
          <Buttons>
            <Submit name="status" value="active">
              {t(isPending ? 'verify' : 'reactivate')}
            </Submit>
          </Buttons>
        </Form>
      )}
      {!isSuspended && (
        <Fold open={status.isOpen && status.typed?.status === 'suspended'} summary={t('suspend')}>
          <Form failure={status.failure}>
            <input type="hidden" name="intent" value="status" />
            <input type="hidden" name="status" value="suspended" />
            <TextField
              label={t('reason_told')}
              hint={t('reason_told_hint')}
              name="reason"
              required
              maxLength={500}
              dir="auto"
              defaultValue={status.typed?.reason}
              error={problem('reason')}
            />
            <Buttons>
              <Submit look="danger">{t('suspend')}</Submit>
            </Buttons>
          </Form>
        </Fold>
      )}
      <Fold open={flag.isOpen} summary={t(user.is_flagged ? 'unflag' : 'flag')}>
        <Form failure={flag.failure}>
          <input type="hidden" name="intent" value="flag" />
          <input type="hidden" name="is_flagged" value={user.is_flagged ? 'no' : 'yes'} />
          <TextField
            label={t('reason_kept')}
            name="reason"
            required={!user.is_flagged}
            maxLength={500}
            dir="auto"
            defaultValue={flag.typed?.reason}
            error={flagProblem('reason')}
          />
          <Buttons>
            <Submit look="secondary">{t(user.is_flagged ? 'unflag' : 'flag')}</Submit>
          </Buttons>
        </Form>
      </Fold>
    </>
  )
}
