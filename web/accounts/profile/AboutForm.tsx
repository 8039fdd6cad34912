import type { OwnProfile } from '#shared/accounts/own.ts'
import { LANGUAGE_NAMES } from '#shared/language.ts'
import type { FormResult } from '#web/lib/form-result.ts'
import { type Translate, useT } from '#web/lib/i18n.tsx'
import { CountryOptions } from '#web/ui/CountryOptions.tsx'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { LanguageOptions } from '#web/ui/LanguageOptions.tsx'
import styles from './Profile.module.css'
import { ChangedMeanwhile, ProfileSection } from './ProfileSection.tsx'

interface Props {
  profile: OwnProfile
  countries: { code: string; name: string }[]
  zones: { region: string; zones: string[] }[]
  tried: FormResult | undefined
  isDone: boolean
}

/** Names, language, time and place. */
export function AboutForm({ profile, countries, zones, tried, isDone }: Props) {
  const t = useT('profile')
  const problem = useProblems(tried?.error)
  const value = (field: keyof OwnProfile & string) => tried?.values[field] ?? String(profile[field] ?? '')
  const isConflict = tried?.error?.code === 'changed_meanwhile'
  const nameOf = (code: string) => countries.find((country) => country.code === code)?.name ?? code
  return (
    <ProfileSection id="about" title={t('about_title')} done={isDone && !tried && t('saved')}>
      <Form action="/dashboard/profile" error={isConflict ? undefined : tried?.error} isUnsaved={tried !== undefined}>
        {isConflict && <ChangedMeanwhile compared={comparedIn({ profile, value, nameOf, t })} />}
        <input type="hidden" name="intent" value="about" />
        <input type="hidden" name="updated_at" value={profile.updated_at} />
        <NameFields value={value} problem={problem} />
        <DisplayFields value={value} problem={problem} />
        <PlaceFields value={value} problem={problem} countries={countries} zones={zones} />
        {profile.chapter_name && (
          <p>
            {t('chapter')}: <bdi>{profile.chapter_name}</bdi>
          </p>
        )}
        <div className={styles.buttons}>
          <Submit busyLabel={t('saving')}>{t('save')}</Submit>
        </div>
      </Form>
    </ProfileSection>
  )
}

interface PartProps {
  value: (field: keyof OwnProfile & string) => string
  problem: ReturnType<typeof useProblems>
}

function NameFields({ value, problem }: PartProps) {
  const t = useT('profile')
  return (
    <div className={styles.pair}>
      <TextField
        label={t('first_name')}
        name="first_name"
        autoComplete="given-name"
        dir="auto"
        required
        maxLength={100}
        defaultValue={value('first_name')}
        error={problem('first_name')}
      />
      <TextField
        label={t('last_name')}
        name="last_name"
        autoComplete="family-name"
        dir="auto"
        maxLength={100}
        defaultValue={value('last_name')}
        error={problem('last_name')}
      />
    </div>
  )
}

function DisplayFields({ value, problem }: PartProps) {
  const t = useT('profile')
  return (
    <div className={styles.pair}>
      <TextField
        label={t('display_name')}
        hint={t('display_name_hint')}
        name="display_name"
        autoComplete="nickname"
        dir="auto"
        required
        maxLength={100}
        defaultValue={value('display_name')}
        error={problem('display_name')}
      />
      <SelectField
        label={t('preferred_language')}
        hint={t('preferred_language_hint')}
        name="preferred_language"
        defaultValue={value('preferred_language')}
        error={problem('preferred_language')}
      >
        <LanguageOptions />
      </SelectField>
    </div>
  )
}

function PlaceFields({ value, problem, countries, zones }: PartProps & Pick<Props, 'countries' | 'zones'>) {
  const t = useT('profile')
  return (
    <div className={styles.pair}>
      <SelectField
        label={t('country_code')}
        hint={t('country_code_hint')}
        name="country_code"
        autoComplete="country"
        defaultValue={value('country_code')}
        error={problem('country_code')}
      >
        <option value="">{t('not_stated')}</option>
        <CountryOptions countries={countries} />
      </SelectField>
      <SelectField
        label={t('time_zone')}
        hint={t('time_zone_hint')}
        name="time_zone"
        defaultValue={value('time_zone')}
        error={problem('time_zone')}
      >
        <option value="">{t('time_zone_portal')}</option>
        {zones.map(({ region, zones }) =>
          region === '' ? (
            <Zones key={region} zones={zones} />
          ) : (
            <optgroup key={region} label={region}>
              <Zones zones={zones} />
            </optgroup>
          ),
        )}
      </SelectField>
    </div>
  )
}

interface ComparedProps extends Pick<PartProps, 'value'> {
  profile: OwnProfile
  nameOf: (code: string) => string
  t: Translate<'profile'>
}

/** What was entered beside what was saved meanwhile. */
const comparedIn = ({ profile, value, nameOf, t }: ComparedProps) => [
  ...(['first_name', 'last_name', 'display_name', 'time_zone'] as const).map((field) => ({
    label: t(field),
    entered: value(field),
    saved: String(profile[field] ?? ''),
  })),
  {
    label: t('preferred_language'),
    entered: LANGUAGE_NAMES[value('preferred_language') as 'en'] ?? '',
    saved: LANGUAGE_NAMES[profile.preferred_language],
  },
  {
    label: t('country_code'),
    entered: nameOf(value('country_code')),
    saved: nameOf(profile.country_code ?? ''),
  },
]

/** "America/Argentina/Buenos_Aires" is shown under America as "Buenos Aires (Argentina)". */
function Zones({ zones }: { zones: string[] }) {
  return zones.map((zone) => {
    const [place = zone, region] = zone.split('/').slice(1).reverse()
    return (
      <option key={zone} value={zone}>
        {`${place}${region ? ` (${region})` : ''}`.replaceAll('_', ' ')}
      </option>
    )
  })
}
