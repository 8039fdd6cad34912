import { DISCREET_MODES, type DiscreetMode } from '#shared/churches/discretion.ts'
import { LOCALE_STATUSES } from '#shared/churches/entry.ts'
import type { FormValues } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { CountryField } from '#web/ui/CountryField.tsx'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import { useProblems } from '#web/ui/Form.tsx'
import { ChapterOptions } from '../ChapterOptions.tsx'
import styles from './Admin.module.css'
import type { LocaleChoices } from './choices.server.ts'
import { PointFields } from './PointFields.tsx'

interface Props {
  values: FormValues
  error: FormError | undefined
  choices: LocaleChoices
  countryMode: DiscreetMode | null
}

/** Every field of a locale, in panels. */
export function LocaleFields({ values, error, choices, countryMode }: Props) {
  const inputs = useInputs(values, error)
  return (
    <>
      <NamePanel inputs={inputs} choices={choices} />
      <AddressPanel inputs={inputs} values={values} choices={choices} />
      <ContactPanel inputs={inputs} />
      <VisibilityPanel inputs={inputs} countryMode={countryMode} />
      <ClosingPanel inputs={inputs} />
    </>
  )
}

type Inputs = ReturnType<typeof useInputs>

/** The attributes of a field by its name. */
function useInputs(values: FormValues, error: FormError | undefined) {
  const problem = useProblems(error)
  const field = (name: string, maxLength?: number) => ({
    name,
    defaultValue: values[name] ?? '',
    error: problem(name) ?? problem(`${name}.0`),
    ...(maxLength ? { maxLength } : {}),
  })
  const check = (name: string) => ({ name, defaultChecked: values[name] === 'on', error: problem(name) })
  return { field, check, problem }
}

function NamePanel({ inputs: { field }, choices }: { inputs: Inputs; choices: LocaleChoices }) {
  const t = useT('manageChurches')
  return (
    <AdminPanel id="identity" title={t('section_name')}>
      <div className={styles.fields}>
        <TextField label={t('name')} required dir="auto" {...field('name', 200)} />
        <TextField label={t('common_name')} hint={t('common_name_hint')} dir="auto" {...field('common_name', 200)} />
        <TextField label={t('local_name')} hint={t('local_name_hint')} dir="auto" {...field('local_name', 200)} />
        <SelectField label={t('chapter')} {...field('chapter_id')}>
          <option value="">{t('none')}</option>
          <ChapterOptions chapters={choices.chapters} />
        </SelectField>
      </div>
    </AdminPanel>
  )
}

function AddressPanel({ inputs, values, choices }: { inputs: Inputs; values: FormValues; choices: LocaleChoices }) {
  const t = useT('manageChurches')
  const { field, check, problem } = inputs
  return (
    <AdminPanel id="address" title={t('section_address')}>
      <div className={styles.fields}>
        <CheckField label={t('has_physical_locale')} {...check('has_physical_locale')} />
        <TextField label={t('address_line1')} dir="auto" {...field('address_line1', 300)} />
        <TextField label={t('address_line2')} dir="auto" {...field('address_line2', 300)} />
        <TextField label={t('city')} dir="auto" {...field('city', 120)} />
        <TextField label={t('state_province')} dir="auto" {...field('state_province', 120)} />
        <TextField label={t('postal_code')} dir="auto" {...field('postal_code', 20)} />
        <CountryField
          label={t('country_code')}
          {...field('country_code')}
          none={t('none')}
          countries={choices.countries}
        />
        <TextField
          label={t('local_address')}
          hint={t('local_address_hint')}
          dir="auto"
          {...field('local_address', 500)}
        />
        <ZoneField field={field} zones={choices.zones} timezone={values.timezone} />
      </div>
      <PointFields values={values} problem={problem} />
    </AdminPanel>
  )
}

function ZoneField({
  field,
  zones,
  timezone,
}: {
  field: Inputs['field']
  zones: LocaleChoices['zones']
  timezone: string | undefined
}) {
  const t = useT('manageChurches')
  const isListed = !timezone || zones.some((area) => area.zones.includes(timezone))
  return (
    <SelectField label={t('timezone')} hint={t('timezone_hint')} {...field('timezone')}>
      <option value="">{t('timezone_by_point')}</option>
      {!isListed && <option value={timezone}>{timezone}</option>}
      {zones.map(({ region: area, zones }) => (
        <optgroup key={area} label={area || 'UTC'}>
          {zones.map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  )
}

function ContactPanel({ inputs: { field, check } }: { inputs: Inputs }) {
  const t = useT('manageChurches')
  return (
    <AdminPanel id="contact" title={t('section_contact')}>
      <div className={styles.fields}>
        <TextField label={t('phone')} hint={t('phone_hint')} type="tel" dir="ltr" {...field('phone', 40)} />
        <TextField label={t('email')} type="email" dir="ltr" {...field('email', 320)} />
        <TextField label={t('website')} type="url" dir="ltr" {...field('website', 500)} />
        <TextField label={t('online_url')} type="url" dir="ltr" {...field('online_url', 500)} />
        <TextField
          label={t('languages')}
          hint={t('languages_hint')}
          dir="ltr"
          spellCheck={false}
          {...field('languages', 300)}
        />
        <CheckField label={t('general_contact_available')} {...check('general_contact_available')} />
      </div>
    </AdminPanel>
  )
}

function VisibilityPanel({
  inputs: { field, check },
  countryMode,
}: {
  inputs: Inputs
  countryMode: DiscreetMode | null
}) {
  const t = useT('manageChurches')
  return (
    <AdminPanel id="visibility" title={t('section_visibility')}>
      <div className={styles.fields}>
        <SelectField label={t('locale_status')} hint={t('locale_status_hint')} {...field('locale_status')}>
          {LOCALE_STATUSES.map((status) => (
            <option key={status} value={status}>
              {t(`status_${status}`)}
            </option>
          ))}
        </SelectField>
        <SelectField label={t('discreet_mode')} hint={t('discreet_mode_hint')} {...field('discreet_mode')}>
          <option value="">{t('mode_country', { mode: t(`mode_${countryMode ?? 'exact'}`) })}</option>
          {DISCREET_MODES.map((mode) => (
            <option key={mode} value={mode}>
              {t(`mode_${mode}`)}
            </option>
          ))}
        </SelectField>
        <CheckField label={t('is_public')} {...check('is_public')} />
      </div>
    </AdminPanel>
  )
}

function ClosingPanel({ inputs: { field } }: { inputs: Inputs }) {
  const t = useT('manageChurches')
  return (
    <AdminPanel id="closed" title={t('section_closed')}>
      <div className={styles.fields}>
        <TextField label={t('closed_since')} type="date" {...field('closed_since')} />
        <TextField label={t('closed_until')} hint={t('closed_until_hint')} type="date" {...field('closed_until')} />
        <TextField label={t('closed_reason')} dir="auto" {...field('closed_reason', 300)} />
        <TextField
          label={t('external_id')}
          hint={t('external_id_hint')}
          dir="ltr"
          spellCheck={false}
          {...field('external_id', 120)}
        />
      </div>
    </AdminPanel>
  )
}
