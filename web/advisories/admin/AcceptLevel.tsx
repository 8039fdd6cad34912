import { Form, useNavigation } from 'react-router'
import type { AdminAdvisory } from '#shared/advisories/admin.ts'
import { isolated } from '#web/lib/format.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import { SeverityTag } from '../SeverityTag.tsx'
import styles from './Actions.module.css'

/** The lower level shown by the source, with a button that puts it in force. */
export function AcceptLevel({ advisory, seen }: { advisory: AdminAdvisory; seen: number }) {
  const t = useT('manage')
  const { formData } = useNavigation()
  const { pending_severity_level: level, pending_wording, pending_since, pending_reason } = advisory
  if (!level || !pending_since) return null
  return (
    <Note heading="h2" kind="unknown" title={t('accept_title', { wording: isolated(pending_wording ?? '') })}>
      <p>
        <SeverityTag severity={level} isPulsing={false} /> {t('accept_since')} <Time value={pending_since} />
      </p>
      <p>{t(pending_reason === 'mass' ? 'accept_mass' : 'accept_text')}</p>
      <Form method="post" className={styles.confirm}>
        <input type="hidden" name="made_from" value={advisory.updated_at} />
        <input type="hidden" name="seen" value={seen} />
        <TextField label={t('reason')} name="reason" maxLength={500} hint={t('reason_optional')} />
        <div>
          <Button type="submit" name="intent" value="accept_level" isBusy={formData?.get('intent') === 'accept_level'}>
            {t('accept_confirm')}
          </Button>
        </div>
      </Form>
    </Note>
  )
}
