import type { SettingState } from '#shared/settings/endpoints.ts'
import { SETTING_KINDS } from '#shared/settings/list.ts'
import { useT } from '#web/lib/i18n.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Settings.module.css'

/** What may be chosen where the portal knows it. */
export interface Choices {
  organizations: string[]
  zones: string[]
}

interface Props {
  state: SettingState
  /** Submitted values that were rejected. */
  values: string[] | undefined
  choices: Choices
  control: { id: string; 'aria-describedby': string; 'aria-invalid': true | undefined }
  labelId: string
}

const INPUTS = {
  text: {},
  email: { type: 'email', dir: 'ltr' },
  url: { type: 'url', dir: 'ltr' },
  days: { inputMode: 'numeric' },
  time: { type: 'time', dir: 'ltr' },
} as const

/** The control of one setting, by its type. */
export function SettingField({ state: { key, value }, values, choices, control, labelId }: Props) {
  const t = useT('settings')
  const kind = SETTING_KINDS[key]
  const text = values ? (values.at(-1) ?? '') : String(value)
  if (kind === 'yesno')
    return (
      <span className={styles.switch}>
        <input {...control} type="checkbox" name={key} value="yes" defaultChecked={text === 'true' || text === 'yes'} />
        <span aria-hidden="true">{t('on')}</span>
      </span>
    )
  if (kind === 'organizations')
    return (
      // biome-ignore lint/a11y/useSemanticElements: a legend cannot stand in another column
      <div {...control} role="group" aria-labelledby={labelId} className={styles.choices}>
        {choices.organizations.map((organization) => (
          <CheckField
            key={organization}
            label={<bdi>{organization}</bdi>}
            name={key}
            value={organization}
            defaultChecked={(values ?? (value as string[])).includes(organization)}
          />
        ))}
      </div>
    )
  if (kind === 'organization' || kind === 'zone') {
    const known = kind === 'zone' ? choices.zones : choices.organizations
    return (
      <select {...control} className={styles.control} name={key} defaultValue={text}>
        {kind === 'organization' && <option value="">{t('all_sources')}</option>}
        {[...new Set([...known, ...(text ? [text] : [])])].map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    )
  }
  return (
    <input
      type="text"
      {...(INPUTS[kind] as object)}
      {...control}
      className={classes(styles.control, (kind === 'days' || kind === 'time') && styles.short)}
      name={key}
      defaultValue={text}
      autoComplete="off"
    />
  )
}
