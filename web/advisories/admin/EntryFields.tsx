import { ADVISORY_TYPES, NATIONAL_ALERT_LEVELS, SEVERITIES } from '#shared/advisories/severity.ts'
import { useT } from '#web/lib/i18n.tsx'
import { translateMessage } from '#web/lib/server-messages.ts'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import { typeText } from '../status-text.ts'
import { CountriesField } from './CountriesField.tsx'
import styles from './EntryFields.module.css'
import type { Choices } from './entry.server.ts'
import type { EntryField, EntryValues } from './entry-values.ts'
import { ListField, LongField } from './LongField.tsx'

interface Props {
  values: EntryValues
  fields: Record<string, string>
  choices: Choices
  /** A published advisory keeps its source. */
  isSourceFixed: boolean
}

/** Languages in which the sources write; any other is left as it is. */
const TEXT_LANGUAGES = ['en', 'ar', 'fil', 'es', 'pt', 'fr', 'de', 'it', 'ja', 'ko', 'zh']

/** Every field of an advisory, in reading order. */
export function EntryFields({ values, fields, choices, isSourceFixed }: Props) {
  const t = useT('manage')
  const about = useT('advisory')
  const field = useInputs(values, fields)
  const list = (name: EntryField) => ({
    name,
    values,
    fields,
    label: t(name as 'affected_regions'),
    hint: t('one_per_line'),
  })
  return (
    <>
      <SourceChoice field={field} values={values} choices={choices} isFixed={isSourceFixed} />
      <TextField label={t('advisory_title')} required maxLength={300} dir="auto" {...field('title')} />
      <LongField
        label={t('description')}
        hint={t('description_hint')}
        rows={3}
        maxLength={2000}
        {...field('description')}
      />
      <LevelFields field={field} />
      <TextField
        label={t('original_wording')}
        hint={t('original_wording_hint')}
        maxLength={300}
        dir="auto"
        {...field('original_wording')}
      />
      <SelectField label={t('type')} {...field('advisory_type')}>
        {ADVISORY_TYPES.map((type) => (
          <option key={type} value={type}>
            {typeText(about, type)}
          </option>
        ))}
      </SelectField>
      <CountriesField values={values} fields={fields} countries={choices.countries} />
      <div className={styles.pair}>
        <ListField {...list('affected_regions')} rows={3} />
        <ListField {...list('affected_cities')} rows={3} />
      </div>
      <ListField {...list('recommendations')} hint={t('recommendations_hint')} rows={5} />
      <LongField
        label={t('detailed_information')}
        hint={t('detailed_hint')}
        rows={8}
        maxLength={100_000}
        {...field('detailed_information')}
      />
      <TextField
        label={t('source_url')}
        hint={t('source_url_hint')}
        type="url"
        dir="ltr"
        maxLength={2000}
        {...field('source_url')}
      />
      <DateFields field={field} language={values.language} />
      <Check name="is_urgent" label={t('urgent')} hint={t('urgent_hint')} isOn={values.is_urgent === 'on'} />
      <Check name="auto_notify" label={t('auto_notify')} hint={t('notify_hint')} isOn={values.auto_notify === 'on'} />
    </>
  )
}

type Inputs = ReturnType<typeof useInputs>

/** The attributes of a field by its name. */
function useInputs(values: EntryValues, fields: Record<string, string>) {
  const forms = useT('forms')
  return (name: EntryField) => ({
    name,
    defaultValue: values[name],
    error: fields[name] && translateMessage(forms, fields[name]),
  })
}

interface SourceChoiceProps extends Pick<Props, 'values' | 'choices'> {
  field: Inputs
  isFixed: boolean
}

function SourceChoice({ field, values, choices, isFixed }: SourceChoiceProps) {
  const t = useT('manage')
  if (isFixed) return <input type="hidden" name="source_id" value={values.source_id} />
  return (
    <SelectField label={t('source')} hint={t('source_hint')} {...field('source_id')}>
      {choices.writable.map(({ id, organization }) => (
        <option key={id} value={id}>
          {organization}
        </option>
      ))}
    </SelectField>
  )
}

function LevelFields({ field }: { field: Inputs }) {
  const t = useT('manage')
  const about = useT('advisory')
  const common = useT('common')
  return (
    <div className={styles.pair}>
      <SelectField label={about('national_level')} hint={t('national_hint')} {...field('national_alert_level')}>
        <option value="">{t('national_none')}</option>
        {Object.entries(NATIONAL_ALERT_LEVELS).map(([level, severity]) => (
          <option key={level} value={level}>
            {about(`national_level_${level as '1' | '2' | '3' | '4'}`)} ({common(`severity_${severity}`)})
          </option>
        ))}
      </SelectField>
      <SelectField label={t('severity')} hint={t('severity_hint')} {...field('severity_level')}>
        <option value="">{t('severity_by_level')}</option>
        {SEVERITIES.map((severity) => (
          <option key={severity} value={severity}>
            {common(`severity_${severity}`)}
          </option>
        ))}
      </SelectField>
    </div>
  )
}

function DateFields({ field, language: written }: { field: Inputs; language: string }) {
  const t = useT('manage')
  const languages = TEXT_LANGUAGES.includes(written) ? TEXT_LANGUAGES : [written, ...TEXT_LANGUAGES]
  return (
    <div className={styles.pair}>
      <TextField label={t('effective_date')} hint={t('utc')} type="datetime-local" {...field('effective_date')} />
      <TextField label={t('expiry_date')} hint={t('expiry_hint')} type="datetime-local" {...field('expiry_date')} />
      <TextField
        label={t('published_at')}
        hint={t('published_hint')}
        type="datetime-local"
        {...field('last_updated')}
      />
      <SelectField label={t('language')} {...field('language')}>
        {languages.map((language) => (
          <option key={language} value={language}>
            {LANGUAGE_NAMES[language] ?? language}
          </option>
        ))}
      </SelectField>
    </div>
  )
}

/** Endonyms, the same for every user. */
const LANGUAGE_NAMES: Record<string, string> = {
  en: 'English',
  ar: 'العربية',
  fil: 'Filipino',
  es: 'Español',
  pt: 'Português',
  fr: 'Français',
  de: 'Deutsch',
  it: 'Italiano',
  ja: '日本語',
  ko: '한국어',
  zh: '中文',
}

function Check({ name, label, hint, isOn }: { name: EntryField; label: string; hint: string; isOn: boolean }) {
  return (
    <label className={styles.check}>
      <input type="checkbox" name={name} defaultChecked={isOn} aria-describedby={`${name}-hint`} />
      <span>
        <b>{label}</b>
        <span id={`${name}-hint`} className={styles.hint}>
          {hint}
        </span>
      </span>
    </label>
  )
}
