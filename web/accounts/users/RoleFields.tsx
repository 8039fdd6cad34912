import { ROLES } from '#shared/roles.ts'
import { useT } from '#web/lib/i18n.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import { CountriesField } from './PlacesField.tsx'
import styles from './Users.module.css'

interface Props {
  role: string
  /** Country codes of the role's scope. */
  scope: readonly string[]
  /** Submitted form values. */
  values: Record<string, string> | undefined
  countries: readonly { code: string; name: string }[]
  isEverywhere: boolean
  scopeReason: string
  problem: (field: string) => string | undefined
}

/** A role and its scope: countries, or everywhere by choice and with a reason. */
export function RoleFields({ role, scope, values, countries, isEverywhere, scopeReason, problem }: Props) {
  const t = useT('users')
  const tAdmin = useT('admin')
  return (
    <>
      <div className={styles.role}>
        <SelectField label={t('role')} name="role" defaultValue={role} error={problem('role')}>
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {tAdmin(`role_${role}`)}
            </option>
          ))}
        </SelectField>
        <CountriesField
          label={t('scope')}
          hint={t('scope_hint')}
          name="scope"
          countries={countries}
          chosen={scope}
          values={values}
          error={problem('scope_countries')}
        />
      </div>
      <CheckField name="everywhere" value="yes" label={t('scope_everywhere')} defaultChecked={isEverywhere} />
      <TextField
        label={t('scope_reason')}
        hint={t('scope_reason_hint')}
        name="scope_reason"
        maxLength={500}
        dir="auto"
        defaultValue={scopeReason}
        error={problem('scope_reason')}
      />
    </>
  )
}
