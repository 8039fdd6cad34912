import { PASSWORD_LENGTH } from '#shared/accounts/profile.ts'
import type { FormResult, FormValues } from '#web/lib/form-result.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import { useProblems } from '#web/ui/Form.tsx'
import { LanguageOptions } from '#web/ui/LanguageOptions.tsx'
import { IdentifierField } from './AuthCard.tsx'
import { PasswordField } from './PasswordField.tsx'
import styles from './SignUpFields.module.css'

/** The fields that are shown again when the form is rejected. */
export const SIGN_UP_FIELDS = ['first_name', 'last_name', 'email', 'country_code', 'preferred_language', 'accept_terms']

export function SignUpFields({
  countries,
  tried,
}: {
  countries: { code: string; name: string }[]
  tried: FormResult | undefined
}) {
  const t = useT('accounts')
  const problem = useProblems(tried?.error)
  const values = tried?.values
  return (
    <>
      <NameFields values={values} problem={problem} />
      <IdentifierField
        label={t('email')}
        hint={t('email_hint')}
        name="email"
        type="email"
        defaultValue={values?.email}
        error={problem('email')}
      />
      <PasswordField
        label={t('password')}
        hint={t('password_hint', { n: PASSWORD_LENGTH.min })}
        name="password"
        autoComplete="new-password"
        error={problem('password')}
      />
      <PlaceFields countries={countries} values={values} problem={problem} />
      <CheckField
        name="accept_terms"
        value="yes"
        required
        defaultChecked={values?.accept_terms === 'yes'}
        error={problem('accept_terms')}
        label={<Terms />}
      />
    </>
  )
}

interface PartProps {
  values: FormValues | undefined
  problem: ReturnType<typeof useProblems>
}

function NameFields({ values, problem }: PartProps) {
  const t = useT('accounts')
  return (
    <div className={styles.names}>
      <TextField
        label={t('first_name')}
        name="first_name"
        autoComplete="given-name"
        dir="auto"
        required
        maxLength={100}
        defaultValue={values?.first_name}
        error={problem('first_name')}
      />
      <TextField
        label={t('last_name')}
        name="last_name"
        autoComplete="family-name"
        dir="auto"
        required
        maxLength={100}
        defaultValue={values?.last_name}
        error={problem('last_name')}
      />
    </div>
  )
}

function PlaceFields({ countries, values, problem }: PartProps & { countries: { code: string; name: string }[] }) {
  const t = useT('accounts')
  const language = useLanguage()
  return (
    <>
      <SelectField
        label={t('country')}
        hint={t('country_hint')}
        name="country_code"
        autoComplete="country"
        defaultValue={values?.country_code ?? ''}
        error={problem('country_code')}
      >
        <option value="">{t('country_none')}</option>
        {countries.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('language')}
        name="preferred_language"
        defaultValue={values?.preferred_language ?? language}
        error={problem('preferred_language')}
      >
        <LanguageOptions />
      </SelectField>
    </>
  )
}

function Terms() {
  const t = useT('accounts')
  return (
    <>
      {t('accept_terms')} {/* A new tab, so that the form values stay here. */}
      <a href="/terms" target="_blank" rel="noreferrer">
        {t('terms')}
      </a>{' '}
      {t('accept_and')}{' '}
      <a href="/privacy-policy" target="_blank" rel="noreferrer">
        {t('privacy_policy')}
      </a>
    </>
  )
}
