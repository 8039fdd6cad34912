import type { ReactNode } from 'react'
import type { ImportDetail } from '#shared/imports/model.ts'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { SelectField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import styles from './Import.module.css'
import type { ActionData, FormValues } from './imports.server.ts'
import { useImportKind } from './kind.ts'
import { useImportText, useTranslateError } from './text.ts'

/** What the fields of a kind's settings are shown with: rejected values, and the problem of each field. */
export interface SettingsForm {
  values: FormValues | undefined
  problem: (name: string) => ReactNode
}

interface Props {
  detail: ImportDetail
  settings: (form: SettingsForm) => ReactNode
  actionData: ActionData | undefined
}

/** Mapping of the file: which field each column provides, and what its values mean. Open until there is a plan. */
export function MappingForm({ detail, settings, actionData }: Props) {
  const t = useImportText()
  const isPlanned = detail.import.counts !== null
  const form = <Mapping detail={detail} settings={settings} actionData={actionData} />
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

function Mapping({ detail, settings, actionData }: Props) {
  const { fields } = useImportKind()
  const t = useImportText()
  const error = useTranslateError()(actionData?.error)
  const problem = useProblems(error)
  const values = actionData?.values
  const { columns, mapping } = detail
  const fieldOf = (i: number, name: string) => values?.[`field_${i}`] ?? mapping[name] ?? ''
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
                  {fields.map((field) => (
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
        {settings({ values, problem })}
      </fieldset>
      <div>
        <Submit look={detail.import.counts ? 'secondary' : 'primary'} busyLabel={t('planning_busy')}>
          {detail.import.counts ? t('plan_again') : t('make_plan')}
        </Submit>
      </div>
    </Form>
  )
}
