import { useId } from 'react'
import type { SettingState } from '#shared/settings/endpoints.ts'
import { labelOf, SETTING_KINDS } from '#shared/settings/list.ts'
import { useT } from '#web/lib/i18n.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import styles from './Settings.module.css'

interface Props {
  state: SettingState
  /** Submitted values that were rejected. */
  values: string[] | undefined
  error: string | undefined
  organizations: string[]
  zones: string[]
}

/** The field of one setting, by its type. */
export function SettingField({ state: { key, value }, values, error, organizations, zones }: Props) {
  const t = useT('settings')
  const kind = SETTING_KINDS[key]
  const label = t(labelOf(key))
  const hint = t(`${labelOf(key)}_hint`)
  const text = values ? (values.at(-1) ?? '') : String(value)
  if (kind === 'yesno')
    return (
      <>
        <CheckField
          label={label}
          name={key}
          value="yes"
          defaultChecked={text === 'true' || text === 'yes'}
          error={error}
        />
        <p className={styles.about}>{hint}</p>
      </>
    )
  if (kind === 'organizations')
    return (
      <Organizations
        name={key}
        label={label}
        hint={hint}
        error={error}
        all={organizations}
        chosen={values ?? (value as string[])}
      />
    )
  if (kind === 'organization' || kind === 'zone')
    return (
      <SelectField label={label} hint={hint} error={error} name={key} defaultValue={text}>
        {kind === 'organization' && <option value="">{t('all_sources')}</option>}
        {[...new Set([...(kind === 'zone' ? zones : organizations), ...(text ? [text] : [])])].map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </SelectField>
    )
  const input = {
    text: {},
    email: { type: 'email', dir: 'ltr' },
    url: { type: 'url', dir: 'ltr' },
    days: { inputMode: 'numeric' },
    time: { type: 'time', dir: 'ltr' },
  } as const
  return (
    <TextField
      label={label}
      hint={hint}
      error={error}
      name={key}
      defaultValue={text}
      autoComplete="off"
      {...(input[kind] as object)}
    />
  )
}

interface OrganizationsProps {
  name: string
  label: string
  hint: string
  error: string | undefined
  all: string[]
  chosen: string[]
}

function Organizations({ name, label, hint, error, all, chosen }: OrganizationsProps) {
  const id = useId()
  return (
    <fieldset className={styles.choices} aria-describedby={`${id}-hint`}>
      <legend>{label}</legend>
      {all.map((organization) => (
        <CheckField
          key={organization}
          label={<bdi>{organization}</bdi>}
          name={name}
          value={organization}
          defaultChecked={chosen.includes(organization)}
        />
      ))}
      <p id={`${id}-hint`} className={styles.about}>
        {hint}
      </p>
      {error && <p className={styles.error}>{error}</p>}
    </fieldset>
  )
}
