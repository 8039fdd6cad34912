import { HOTLINE_CODES, REQUIREMENT_CODES, RULE_CODES } from '#shared/assistant/facts.ts'
import { PURPOSES } from '#shared/assistant/intents.ts'
import type { FormValues } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { CountryField } from '#web/ui/CountryField.tsx'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import styles from './Admin.module.css'
import { useFactName } from './FactValue.tsx'
import { kindOf } from './fact-values.ts'

interface Props {
  values: FormValues
  countries: { code: string; name: string }[]
  problem: (name: string) => string | undefined
}

const CODES = { hotline: HOTLINE_CODES, requirement: REQUIREMENT_CODES, rule: RULE_CODES }

/** Content of a fact; the kind decides the fields. */
export function FactFields({ values, countries, problem }: Props) {
  const t = useT('assistantAdmin')
  const nameOf = useFactName()
  const kind = kindOf(values.kind) ?? 'hotline'
  const field = (name: string) => ({ name, defaultValue: values[name] ?? '', error: problem(name) })
  // The value is validated as a whole, so its error is shown at the fields that were filled in.
  const valueField = (name: string) => ({
    name: `value.${name}`,
    defaultValue: values[`value.${name}`] ?? '',
    error: problem(`value.${name}`) ?? problem(name) ?? (values[`value.${name}`] ? problem('value') : undefined),
  })
  const amount = (name: 'months' | 'days' | 'hours' | 'years') => ({
    ...valueField(name),
    type: 'number',
    min: 1,
    label: t(`value_${name}`),
  })
  return (
    <AdminPanel id="sentences" title={t(`kind_${kind}`)}>
      <div className={styles.fields}>
        <SelectField label={t(`code_${kind}`)} required {...field('code')}>
          <option value="">{t('choose')}</option>
          {CODES[kind].map((code) => (
            <option key={code} value={code}>
              {nameOf({ kind, code })}
            </option>
          ))}
        </SelectField>
        {/* Rules belong to the organisation and apply everywhere. */}
        {kind !== 'rule' && (
          <CountryField label={t('country')} {...field('country_code')} none={t('everywhere')} countries={countries} />
        )}
        {kind === 'hotline' && (
          <>
            <TextField label={t('value_phone')} dir="ltr" maxLength={60} required {...valueField('phone')} />
            <TextField label={t('value_name')} hint={t('value_name_hint')} dir="auto" {...valueField('name')} />
            <TextField label={t('value_open')} hint={t('value_open_hint')} dir="auto" {...valueField('hours')} />
            <TextField label={t('value_url')} inputMode="url" dir="ltr" {...valueField('url')} />
            <CountryField
              label={t('value_nationality')}
              hint={t('value_nationality_hint')}
              {...valueField('nationality')}
              none={t('value_nationality_any')}
              countries={countries}
            />
          </>
        )}
        {kind === 'requirement' && (
          <>
            <SelectField label={t('purpose')} {...field('purpose')}>
              <option value="">{t('purpose_any')}</option>
              {PURPOSES.map((purpose) => (
                <option key={purpose} value={purpose}>
                  {t(`purpose_${purpose}`)}
                </option>
              ))}
            </SelectField>
            <TextField {...amount('months')} hint={t('value_months_hint')} />
          </>
        )}
        {kind === 'rule' && (
          <>
            <TextField {...amount('days')} hint={t('value_duration_hint')} />
            <TextField {...amount('hours')} hint={t('value_duration_hint')} />
            <TextField {...amount('years')} hint={t('value_years_hint')} />
          </>
        )}
      </div>
    </AdminPanel>
  )
}
