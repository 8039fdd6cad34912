import { DATE_FORMATS, SOURCE_READERS } from '#shared/advisories/mapping.ts'
import { SEVERITIES } from '#shared/advisories/severity.ts'
import { type Key, useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { CountryField } from '#web/ui/CountryField.tsx'
import { SelectField, TextAreaField, TextField } from '#web/ui/Field.tsx'
import { useProblems } from '#web/ui/Form.tsx'
import styles from './SourceForm.module.css'
import type { SourceField, SourceValues } from './source-values.ts'

interface Props {
  values: SourceValues
  error: FormError | undefined
  countries: readonly { code: string; name: string }[]
  /** The id is immutable. */
  isNew: boolean
}

/** Fields that the schema names differently from the form. */
const PROBLEMS: Partial<Record<SourceField, string>> = {
  interval: 'interval_seconds',
  entry_id: 'mapping.id',
  ...{ list: 'mapping.list', country: 'mapping.country', level: 'mapping.level', levels: 'mapping.levels' },
}

/** Form fields of a source: publisher, location, and how its document is mapped. */
export function SourceFields({ values, error, countries, isNew }: Props) {
  const field = useInputs(values, error)
  return (
    <>
      <PublisherPanel field={field} values={values} countries={countries} isNew={isNew} />
      <LocationPanel field={field} values={values} />
      <MappingPanel field={field} values={values} />
    </>
  )
}

type Inputs = ReturnType<typeof useInputs>

/** The attributes of a field by its name. */
function useInputs(values: Props['values'], error: Props['error']) {
  const t = useT('manage')
  const problem = useProblems(error)
  return (name: SourceField) => ({
    name,
    label: t(`source_${name}` as Key<'manage'>),
    defaultValue: values[name],
    error: problem(PROBLEMS[name] ?? name),
  })
}

function PublisherPanel({ field, values, countries, isNew }: Omit<Props, 'error'> & { field: Inputs }) {
  const t = useT('manage')
  return (
    <AdminPanel id="who" title={t('source_who')}>
      <div className={styles.fields}>
        <TextField {...field('name')} maxLength={100} hint={t('source_name_hint')} />
        <TextField {...field('organization')} maxLength={200} />
        <CountryField {...field('country_code')} none={t('source_no_country')} countries={countries} />
        {isNew ? (
          <TextField {...field('id')} dir="ltr" maxLength={60} hint={t('source_id_hint')} />
        ) : (
          <input type="hidden" name="id" value={values.id} />
        )}
        <TextField {...field('licence')} maxLength={500} hint={t('source_licence_hint')} />
        <TextField {...field('licence_url')} type="url" dir="ltr" maxLength={500} />
      </div>
    </AdminPanel>
  )
}

function LocationPanel({ field, values }: Pick<Props, 'values'> & { field: Inputs }) {
  const t = useT('manage')
  return (
    <AdminPanel id="where" title={t('source_where')}>
      <div className={styles.fields}>
        <SelectField {...field('reader')} hint={t('source_reader_hint')}>
          {SOURCE_READERS.map((reader) => (
            <option key={reader} value={reader}>
              {t(`reader_${reader.replace('-', '_')}` as Key<'manage'>)}
            </option>
          ))}
        </SelectField>
        <TextField
          {...field('url')}
          label={t('source_address_label')}
          type="url"
          dir="ltr"
          maxLength={500}
          hint={t('source_url_only')}
        />
        <TextField {...field('homepage')} type="url" dir="ltr" maxLength={500} />
        <TextField {...field('language')} dir="ltr" maxLength={20} hint={t('source_language_hint')} />
        <TextField {...field('interval')} type="number" min={1} max={1440} />
        <TextField {...field('minimum_items')} type="number" min={0} hint={t('minimum_hint')} />
      </div>
      <div className={styles.checks}>
        <CheckField name="auto_notify" label={t('source_notify')} defaultChecked={values.auto_notify === 'on'} />
      </div>
    </AdminPanel>
  )
}

function MappingPanel({ field, values }: Pick<Props, 'values'> & { field: Inputs }) {
  const t = useT('manage')
  const common = useT('common')
  const path = (name: SourceField) => ({ ...field(name), dir: 'ltr' as const, maxLength: 200 })
  const levels = SEVERITIES.map((severity) => common(`severity_${severity}`).toLowerCase()).join(t('comma'))
  return (
    <AdminPanel id="mapping" title={t('source_mapping')}>
      <p className={styles.hint}>{t('source_mapping_hint')}</p>
      <div className={styles.fields}>
        <TextField {...path('list')} hint={t('source_list_hint')} />
        <TextField {...path('country')} />
        <TextField {...path('level')} />
        <TextField {...path('text')} />
        <TextField {...path('link')} />
        <TextField {...path('date')} hint={t('source_date_hint')} />
        <SelectField {...field('date_format')}>
          {DATE_FORMATS.map((format) => (
            <option key={format} value={format}>
              {t(`date_${format}`)}
            </option>
          ))}
        </SelectField>
        <TextField {...path('entry_id')} hint={t('source_entry_id_hint')} />
      </div>
      <div className={styles.checks}>
        <TextAreaField {...field('levels')} rows={6} hint={t('source_levels_hint', { levels })} />
        <CheckField
          name="is_whole_list"
          label={t('source_is_whole_list')}
          defaultChecked={values.is_whole_list === 'on'}
        />
      </div>
    </AdminPanel>
  )
}
