import type { ScopeCounts } from '#shared/accounts/users.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { TextField } from '#web/ui/Field.tsx'
import { useProblems } from '#web/ui/Form.tsx'
import type { Confirms } from './action-data.ts'
import styles from './UserPage.module.css'
import { useCounted } from './useCounted.ts'

const KINDS = ['members', 'cases', 'chapters', 'churches'] as const

/** What a change of role adds and removes. */
export function RoleChange({ preview }: { preview: NonNullable<Confirms['preview']> }) {
  const t = useT('users')
  const added = useCounts(preview.adds)
  const removed = useCounts(preview.removes)
  return (
    <>
      {added && <p className={styles.adds}>{t('role_adds', { what: added })}</p>}
      {removed && <p className={styles.adds}>{t('role_removes', { what: removed })}</p>}
      {!added && !removed && <p>{t('role_same')}</p>}
    </>
  )
}

/** "118 people, 9 open cases and 1 chapter"; empty if all are zero. */
function useCounts(counts: ScopeCounts): string {
  const t = useT('users')
  const counted = useCounted()
  return KINDS.flatMap((kind) => (counts[kind] > 0 ? [t(`work_${kind}`, counted(counts[kind]))] : [])).join(t('comma'))
}

/** The visitor's password, if re-authentication is required. */
export function PasswordField({ error }: { error: FormError | undefined }) {
  const t = useT('users')
  const problem = useProblems(error)
  return (
    <TextField
      label={t('own_password')}
      hint={t('own_password_hint')}
      type="password"
      name="current_password"
      autoComplete="current-password"
      maxLength={128}
      required
      error={problem('current_password')}
    />
  )
}
