import { NEW_LOCALES } from '#shared/churches/import-fields.ts'
import type { LocaleImportDetail } from '#shared/churches/imports.ts'
import type { SettingsForm } from '#web/imports/MappingForm.tsx'
import { useT } from '#web/lib/i18n.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { CountryOptions } from '#web/ui/CountryOptions.tsx'
import { SelectField, TextField } from '#web/ui/Field.tsx'

interface Props extends SettingsForm {
  detail: LocaleImportDetail
  countries: { code: string; name: string }[]
}

/** How the cells of a list of locales are read, and what becomes of new locales. */
export function LocaleSettings({ detail: { id_prefix, options }, countries, values, problem }: Props) {
  const t = useT('importChurches')
  const isTicked = (name: 'title_case_cities' | 'clears_empty') => (values ? values[name] === 'on' : options[name])
  return (
    <>
      <TextField
        name="id_prefix"
        label={t('id_prefix')}
        hint={t('id_prefix_hint')}
        error={problem('id_prefix')}
        defaultValue={values?.id_prefix ?? id_prefix}
        maxLength={40}
        dir="ltr"
        autoComplete="off"
      />
      <TextField
        name="missing_words"
        label={t('missing_words')}
        hint={t('missing_words_hint')}
        error={problem('options.missing_words')}
        defaultValue={values?.missing_words ?? options.missing_words.join(', ')}
        autoComplete="off"
      />
      <SelectField
        name="default_country"
        label={t('default_country')}
        defaultValue={values?.default_country ?? options.default_country ?? ''}
      >
        <option value="">{t('default_country_none')}</option>
        <CountryOptions countries={countries} />
      </SelectField>
      <CheckField
        name="title_case_cities"
        label={t('title_case_cities')}
        defaultChecked={isTicked('title_case_cities')}
      />
      <CheckField name="clears_empty" label={t('clears_empty')} defaultChecked={isTicked('clears_empty')} />
      <SelectField
        name="new_locales"
        label={t('new_locales')}
        hint={t('new_locales_hint')}
        defaultValue={values?.new_locales ?? options.new_locales}
      >
        {NEW_LOCALES.map((choice) => (
          <option key={choice} value={choice}>
            {t(`new_${choice}`)}
          </option>
        ))}
      </SelectField>
    </>
  )
}
