import type { OwnProfile } from '#shared/accounts/own.ts'
import type { FormResult } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import styles from './Profile.module.css'
import { ChangedMeanwhile, ProfileSection } from './ProfileSection.tsx'

const FIELDS = ['name', 'relation', 'phone'] as const

/** Emergency contact of the user. */
export function EmergencyForm(props: { profile: OwnProfile; tried: FormResult | undefined; isDone: boolean }) {
  const { profile, tried, isDone } = props
  const t = useT('profile')
  const problem = useProblems(tried?.error)
  const value = (field: (typeof FIELDS)[number]) => tried?.values[field] ?? profile.emergency_contact[field]
  const isConflict = tried?.error?.code === 'changed_meanwhile'
  return (
    <ProfileSection
      id="emergency"
      title={t('emergency')}
      hint={t('emergency_hint')}
      done={isDone && !tried && t('saved')}
    >
      <Form action="/dashboard/profile" error={isConflict ? undefined : tried?.error} isUnsaved={tried !== undefined}>
        {isConflict && (
          <ChangedMeanwhile
            compared={FIELDS.map((field) => ({
              label: t(`contact_${field}`),
              entered: value(field),
              saved: profile.emergency_contact[field],
            }))}
          />
        )}
        <input type="hidden" name="intent" value="emergency" />
        <input type="hidden" name="updated_at" value={profile.updated_at} />
        <div className={styles.pair}>
          <TextField
            label={t('contact_name')}
            name="name"
            autoComplete="off"
            dir="auto"
            maxLength={100}
            defaultValue={value('name')}
            error={problem('emergency_contact.name')}
          />
          <TextField
            label={t('contact_relation')}
            hint={t('contact_relation_hint')}
            name="relation"
            autoComplete="off"
            dir="auto"
            maxLength={100}
            defaultValue={value('relation')}
            error={problem('emergency_contact.relation')}
          />
        </div>
        <div className={styles.fields}>
          <TextField
            label={t('contact_phone')}
            hint={t('phone_hint')}
            type="tel"
            name="phone"
            autoComplete="off"
            dir="ltr"
            maxLength={30}
            defaultValue={value('phone')}
            error={problem('emergency_contact.phone')}
          />
        </div>
        <div className={styles.buttons}>
          <Submit busyLabel={t('saving')}>{t('save')}</Submit>
        </div>
      </Form>
    </ProfileSection>
  )
}
