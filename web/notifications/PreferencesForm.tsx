import { Link } from 'react-router'
import { CHANNELS, DIGESTS, KINDS } from '#shared/delivery/kinds.ts'
import { LANGUAGE_NAMES } from '#shared/language.ts'
import { isWanted, type Preferences } from '#shared/notifications/preferences.ts'
import { mayPass } from '#shared/roles.ts'
import profile from '#web/accounts/profile/Profile.module.css'
import { ProfileSection } from '#web/accounts/profile/ProfileSection.tsx'
import type { FormResult } from '#web/lib/form-result.ts'
import { isolated } from '#web/lib/format.ts'
import { useT } from '#web/lib/i18n.tsx'
import { useSite, useUser } from '#web/lib/root-data.ts'
import { CheckField } from '#web/ui/CheckField.tsx'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { choiceName } from './choice-name.ts'
import styles from './Preferences.module.css'

const ABOUT = '/dashboard/profile#about'

interface Props {
  preferences: Preferences
  tried: FormResult | undefined
  isDone: boolean
}

/** All switches in one form, with one button. */
export function PreferencesForm(props: Props) {
  const t = useT('notifications')
  return (
    <Form action="/notifications/preferences" error={props.tried?.error}>
      <input type="hidden" name="intent" value="preferences" />
      {props.isDone && (
        <div className={styles.done}>
          <Note kind="success" title={t('saved')} isLive />
        </div>
      )}
      <ChoicesSection {...props} />
      <QuietHoursSection {...props} />
      <DigestSection {...props} />
      <div className={profile.buttons}>
        <Submit busyLabel={t('saving')}>{t('save')}</Submit>
      </div>
    </Form>
  )
}

/** A checkbox as submitted if the form failed; otherwise as saved. */
const boxes = (tried: Props['tried']) => (name: string, saved: boolean) => (tried ? tried.values[name] === 'on' : saved)

function ChoicesSection({ preferences, tried }: Props) {
  const t = useT('notifications')
  const user = useUser()
  const isOn = boxes(tried)
  // Roles whose users may be named as a helper.
  const mayHelp = mayPass('rollCalls', user?.role ?? null)
  return (
    <ProfileSection id="choices" title={t('choices')} hint={t('choices_hint')}>
      {KINDS.map((kind) => (
        <fieldset key={kind} className={styles.kind}>
          <legend>{t(`kind_${kind}`)}</legend>
          {kind === 'roll_call' && (
            <p className={profile.second}>
              {t('kind_roll_call_hint')} {mayHelp && t('kind_roll_call_always')}
            </p>
          )}
          <div className={styles.channels}>
            {CHANNELS.map((channel) => (
              <CheckField
                key={channel}
                name={choiceName(kind, channel)}
                label={t(`channel_${channel}`)}
                defaultChecked={isOn(choiceName(kind, channel), isWanted(preferences.channels, kind, channel))}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <div>
        <CheckField
          name="sms_opt_out"
          label={t('sms_opt_out')}
          defaultChecked={isOn('sms_opt_out', preferences.sms_opt_out)}
        />
        <p className={profile.second}>{t('sms_opt_out_hint')}</p>
      </div>
    </ProfileSection>
  )
}

function QuietHoursSection({ preferences, tried }: Props) {
  const t = useT('notifications')
  const problem = useProblems(tried?.error)
  const portalZone = useSite()?.time_zone ?? 'UTC'
  const { time_zone, country_zone } = preferences
  const zone = time_zone ?? country_zone ?? portalZone
  const isOn = boxes(tried)
  return (
    <ProfileSection id="quiet" title={t('quiet')} hint={t('quiet_hint')}>
      <div className={styles.hours}>
        {(['quiet_from', 'quiet_until'] as const).map((name) => (
          <TextField
            key={name}
            type="time"
            label={t(name)}
            name={name}
            defaultValue={tried?.values[name] ?? preferences[name] ?? ''}
            error={problem(name)}
          />
        ))}
      </div>
      <p>
        {t(time_zone ? 'zone_own' : country_zone ? 'zone_country' : 'zone_portal', { zone: isolated(zone) })}{' '}
        <Link to={ABOUT}>{t('zone_change')}</Link>
      </p>
      <div>
        <CheckField
          name="urgent_bypass"
          label={t('urgent_bypass')}
          defaultChecked={isOn('urgent_bypass', preferences.urgent_bypass)}
        />
        <p className={profile.second}>{t('urgent_bypass_hint')}</p>
      </div>
    </ProfileSection>
  )
}

function DigestSection({ preferences, tried }: Props) {
  const t = useT('notifications')
  return (
    <ProfileSection id="digest" title={t('digest')}>
      <div className={profile.fields}>
        <SelectField
          label={t('digest_label')}
          hint={t('digest_hint')}
          name="digest"
          defaultValue={tried?.values.digest ?? preferences.digest}
        >
          {DIGESTS.map((digest) => (
            <option key={digest} value={digest}>
              {t(`digest_${digest}`)}
            </option>
          ))}
        </SelectField>
      </div>
      <p>
        {t('language_is', { language: isolated(LANGUAGE_NAMES[preferences.preferred_language]) })}{' '}
        <Link to={ABOUT}>{t('language_change')}</Link>
      </p>
    </ProfileSection>
  )
}
