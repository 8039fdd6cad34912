import { ADVISORY_TYPES } from '#shared/advisories/severity.ts'
import { useT } from '#web/lib/i18n.tsx'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import { typeText } from '../status-text.ts'
import styles from './EntryFields.module.css'
import type { EntryField, EntryValues } from './entry-values.ts'
import type { Inputs } from './inputs.ts'
import { ListField, LongField } from './LongField.tsx'

interface Props {
  field: Inputs
  values: EntryValues
  fields: Record<string, string>
}

/** Languages in which the sources write; any other is left as it is. */
const TEXT_LANGUAGES = ['en', 'ar', 'fil', 'es', 'pt', 'fr', 'de', 'it', 'ja', 'ko', 'zh']

/** Folded until one of them is filled in or rejected. */
export const DETAILS = [
  ...(['affected_regions', 'affected_cities', 'recommendations', 'detailed_information'] as const),
  ...(['source_url', 'effective_date', 'last_updated'] as const),
] satisfies EntryField[]

/** The optional fields of an advisory. */
export function EntryDetails({ field, values, fields }: Props) {
  const t = useT('manage')
  const about = useT('advisory')
  const list = (name: EntryField) => ({
    name,
    values,
    fields,
    label: t(name as 'affected_regions'),
    hint: t('one_per_line'),
  })
  return (
    <div className={styles.details}>
      <SelectField label={t('type')} {...field('advisory_type')}>
        {ADVISORY_TYPES.map((type) => (
          <option key={type} value={type}>
            {typeText(about, type)}
          </option>
        ))}
      </SelectField>
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
      <div className={styles.pair}>
        <TextField label={t('effective_date')} hint={t('utc')} type="datetime-local" {...field('effective_date')} />
        <TextField
          label={t('published_at')}
          hint={t('published_hint')}
          type="datetime-local"
          {...field('last_updated')}
        />
        <LanguageField field={field} language={values.language} />
      </div>
    </div>
  )
}

function LanguageField({ field, language: written }: { field: Inputs; language: string }) {
  const t = useT('manage')
  const languages = TEXT_LANGUAGES.includes(written) ? TEXT_LANGUAGES : [written, ...TEXT_LANGUAGES]
  return (
    <SelectField label={t('language')} {...field('language')}>
      {languages.map((language) => (
        <option key={language} value={language}>
          {LANGUAGE_NAMES[language] ?? language}
        </option>
      ))}
    </SelectField>
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
