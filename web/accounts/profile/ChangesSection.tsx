import { UNDO_DAYS } from '#shared/accounts/sign-in-changes.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Form } from '#web/ui/Form.tsx'
import { Time } from '#web/ui/Time.tsx'
import { WaitsForPassword } from './ConfirmFirst.tsx'
import styles from './Profile.module.css'
import { ProfileSection } from './ProfileSection.tsx'
import type { SignInState } from './sign-in-state.ts'

/** Recent changes of the user's sign-in, each with an undo button. */
export function ChangesSection({ changes, is_fresh, intent, error }: SignInState) {
  const t = useT('profile')
  const name = useT('signInChanges')
  if (changes.length === 0) return null
  return (
    <ProfileSection id="changes" title={t('changes')} hint={t('changes_hint', { n: UNDO_DAYS })}>
      <Form action="/dashboard/profile/sign-in" error={intent === 'undo' ? error : undefined}>
        <input type="hidden" name="intent" value="undo" />
        {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers */}
        <ul className={styles.list} role="list">
          {changes.map(({ id, kind, changed_at }) => (
            <li key={id} className={styles.item}>
              <span>
                {name(kind)}
                <br />
                <span className={styles.second}>
                  <Time value={changed_at} />
                </span>
              </span>
              {is_fresh && (
                <Button type="submit" isSmall name="id" value={id} aria-label={t('undo_named', { name: name(kind) })}>
                  {t('undo')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Form>
      {!is_fresh && <WaitsForPassword />}
    </ProfileSection>
  )
}
