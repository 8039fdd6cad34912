import type { Readers as ReaderCounts } from '#shared/advisories/announcements.ts'
import { NATIONAL_ALERT_LEVELS, SEVERITIES } from '#shared/advisories/severity.ts'
import { Section } from '#web/compose/Composer.tsx'
import { useT } from '#web/lib/i18n.tsx'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import { CountriesField } from './CountriesField.tsx'
import { DETAILS, EntryDetails } from './EntryDetails.tsx'
import styles from './EntryFields.module.css'
import type { Choices } from './entry.server.ts'
import type { EntryField, EntryValues } from './entry-values.ts'
import { type Inputs, useInputs } from './inputs.ts'
import { LongField } from './LongField.tsx'
import { Readers } from './Readers.tsx'

interface Props {
  values: EntryValues
  fields: Record<string, string>
  choices: Choices
  /** A published advisory keeps its source. */
  isSourceFixed: boolean
  /** Subscribers whom it covers, once there is a preview. */
  readers: ReaderCounts | undefined
}

/** Every field of an advisory, in reading order. */
export function EntryFields({ values, fields, choices, isSourceFixed, readers }: Props) {
  const t = useT('manage')
  const tCompose = useT('compose')
  const field = useInputs(values, fields)
  const isDetailed = DETAILS.some((name) => values[name] !== '' || fields[name])
  return (
    <>
      <Section id="content" title={tCompose('what')}>
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
      </Section>
      <Section id="audience" title={tCompose('who')}>
        <CountriesField values={values} fields={fields} countries={choices.countries} />
        <Check name="is_urgent" label={t('urgent')} hint={t('urgent_hint')} isOn={values.is_urgent === 'on'} />
        <Check name="auto_notify" label={t('auto_notify')} hint={t('notify_hint')} isOn={values.auto_notify === 'on'} />
        {readers && (
          <div role="status">
            <Readers readers={readers} />
          </div>
        )}
      </Section>
      <Section id="validity" title={tCompose('how')}>
        <TextField label={t('expiry_date')} hint={t('expiry_hint')} type="datetime-local" {...field('expiry_date')} />
        <Fold look="link" summary={tCompose('optional')} open={isDetailed}>
          <EntryDetails field={field} values={values} fields={fields} />
        </Fold>
      </Section>
    </>
  )
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
