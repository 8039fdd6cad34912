import { IMPORT_FIELDS } from '#shared/churches/import-fields.ts'
import { type ImportDetail, NEW_LOCALES } from '#shared/churches/imports.ts'
import { useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { CountryOptions } from '#web/ui/CountryOptions.tsx'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import styles from './Import.module.css'
import type { ActionData } from './import.server.ts'
import { useTranslateError } from './useTranslateError.ts'

interface Props {
  detail: ImportDetail
  countries: { code: string; name: string }[]
  actionData: ActionData | undefined
}

/** Mapping of the file: which field each column provides, and what its values mean. Open until there is a plan. */
export function MappingForm({ detail, countries, actionData }: Props) {
  const t = useT('importChurches')
  const isPlanned = detail.import.counts !== null
  const form = <Mapping detail={detail} countries={countries} actionData={actionData} />
  if (!isPlanned)
    return (
      <AdminPanel id="mapping" title={t('mapping_title')}>
        <div className={styles.panel}>{form}</div>
      </AdminPanel>
    )
  return (
    <details className={styles.details} open={actionData !== undefined}>
      <summary>{t('mapping_again')}</summary>
      <div className={styles.panel}>{form}</div>
    </details>
  )
}

function Mapping({ detail, countries, actionData }: Props) {
  const t = useT('importChurches')
  const error = useTranslateError()(actionData?.error)
  const problem = useProblems(error)
  const values = actionData?.values
  const { columns, mapping, id_prefix, options } = detail
  const fieldOf = (i: number, name: string) => values?.[`field_${i}`] ?? mapping[name] ?? ''
  const isTicked = (name: 'title_case_cities' | 'clears_empty') => (values ? values[name] === 'on' : options[name])
  return (
    <Form error={error}>
      <input type="hidden" name="intent" value="plan" />
      <p className={styles.hint}>{t('mapping_hint')}</p>
      <table className={styles.mapping}>
        <thead>
          <tr>
            <th scope="col">{t('mapping_column')}</th>
            <th scope="col">{t('mapping_samples')}</th>
            <th scope="col">{t('mapping_field')}</th>
          </tr>
        </thead>
        <tbody>
          {columns.map(({ name, samples }, i) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{name}</bdi>
                <input type="hidden" name={`name_${i}`} value={name} />
              </th>
              <td className={styles.samples}>
                {samples.length === 0 && t('no_samples')}
                {samples.map((sample) => (
                  <div key={sample}>
                    <bdi>{sample}</bdi>
                  </div>
                ))}
              </td>
              <td>
                <SelectField
                  name={`field_${i}`}
                  label={t('mapping_field_of', { column: name })}
                  isLabelHidden
                  error={i === 0 && problem('mapping')}
                  defaultValue={fieldOf(i, name)}
                >
                  <option value="">{t('mapping_none')}</option>
                  {IMPORT_FIELDS.map((field) => (
                    <option key={field} value={field}>
                      {t(`field_${field}`)}
                    </option>
                  ))}
                </SelectField>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <fieldset className={styles.options}>
        <legend>{t('options_title')}</legend>
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
      </fieldset>
      <div>
        <Submit look={detail.import.counts ? 'secondary' : 'primary'} busyLabel={t('planning_busy')}>
          {detail.import.counts ? t('plan_again') : t('make_plan')}
        </Submit>
      </div>
    </Form>
  )
}
