import { useSearchParams } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { CountryField } from '#web/ui/CountryField.tsx'
import { DetailDrawer } from '#web/ui/DetailDrawer.tsx'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { LanguageOptions } from '#web/ui/LanguageOptions.tsx'
import { addressWith } from '#web/ui/table-address.ts'
import { type ActionData, actionDataFor } from './action-data.ts'
import { PasswordField } from './RoleChange.tsx'
import { RoleFields } from './RoleFields.tsx'

interface Props {
  actionData: ActionData | undefined
  countries: { code: string; name: string }[]
}

/** Creates an account for a user, who is notified by email and chooses the password. */
export function NewUserDrawer({ actionData, countries }: Props) {
  const t = useT('users')
  const [params] = useSearchParams()
  const { values, error } = actionDataFor(actionData, 'create')
  const problem = useProblems(error)
  const text = (name: string) => ({ name, defaultValue: values?.[name], error: problem(name), required: true })
  return (
    <DetailDrawer
      title={t('new_user')}
      subtitle={t('new_user_hint')}
      closeTo={addressWith(params, { action: null, page: params.get('page') })}
    >
      <Form error={error}>
        <input type="hidden" name="intent" value="create" />
        <TextField label={t('first_name')} {...text('first_name')} dir="auto" maxLength={100} autoComplete="off" />
        <TextField label={t('last_name')} {...text('last_name')} dir="auto" maxLength={100} autoComplete="off" />
        <TextField label={t('email')} {...text('email')} type="email" dir="ltr" maxLength={254} autoComplete="off" />
        <RoleFields
          role={values?.role ?? 'traveler'}
          scope={[]}
          values={values}
          countries={countries}
          isEverywhere={values?.everywhere === 'yes'}
          scopeReason={values?.scope_reason ?? ''}
          problem={problem}
        />
        <CountryField
          label={t('country')}
          name="country_code"
          defaultValue={values?.country_code ?? ''}
          error={problem('country_code')}
          none={t('none')}
          countries={countries}
        />
        <SelectField label={t('reads')} name="preferred_language" defaultValue={values?.preferred_language ?? 'en'}>
          <LanguageOptions />
        </SelectField>
        {error?.fields.current_password && <PasswordField error={error} />}
        <Buttons>
          <Submit>{t('create')}</Submit>
        </Buttons>
      </Form>
    </DetailDrawer>
  )
}
