import { Link } from 'react-router'
import { resend, signUp } from '#shared/accounts/endpoints.ts'
import { nameOfCountry } from '#shared/countries/country.ts'
import { searchCountries } from '#shared/countries/endpoints.ts'
import { languageOf } from '#shared/language.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import type { Route } from './+types/SignUpPage'
import { AuthCard } from './AuthCard.tsx'
import { loadAuthPage } from './auth-page.server.ts'
import { BrowserZone } from './BrowserZone.tsx'
import { CheckYourEmail } from './LookIntoMail.tsx'
import { OtherSignInMethods } from './OtherSignInMethods.tsx'
import { SIGN_UP_FIELDS, SignUpFields } from './SignUpFields.tsx'
import { withReturnTo } from './with-return-to.ts'

export const handle = { ns: ['accounts', 'forms'] } satisfies RouteHandle

export async function loader({ context, request }: Route.LoaderArgs) {
  const found = await loadAuthPage(context, request)
  const { language } = visitorOf(context)
  const { countries } = await api(context)(searchCountries, { query: { limit: 300 } })
  const named = countries.map((country) => ({ code: country.code, name: nameOfCountry(country, language) }))
  const { compare } = new Intl.Collator(language)
  return { ...found, countries: named.sort((a, b) => compare(a.name, b.name)) }
}

export const action = formAction<{ message: string }>(
  async (call, { text }) => {
    if (text('intent') === 'resend')
      return { message: (await call(resend, { body: { email: text('identifier') } })).message }
    const body = {
      first_name: text('first_name'),
      last_name: text('last_name'),
      email: text('email'),
      country_code: text('country_code') || undefined,
      time_zone: text('time_zone') || undefined,
      preferred_language: languageOf(text('preferred_language')) ?? 'en',
      password: text('password'),
      accept_terms: (text('accept_terms') === 'yes') as true,
    }
    return { message: (await call(signUp, { body })).message }
  },
  { returned: [...SIGN_UP_FIELDS, 'identifier'] },
)

export default function SignUpPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('accounts')
  const { returnTo, providers } = loaderData
  const { intent, error, message, values } = actionData ?? {}
  if (message || intent === 'resend')
    return <CheckYourEmail sentTo={values?.identifier ?? values?.email ?? ''} message={message} error={error} />
  return (
    <AuthCard title={t('create_account')}>
      <p>{t('sign_up_text')}</p>
      <Form error={error}>
        <BrowserZone />
        <SignUpFields countries={loaderData.countries} tried={actionData} />
        <Submit busyLabel={t('creating')}>{t('create_account')}</Submit>
      </Form>
      <p>
        {t('have_account')} <Link to={withReturnTo('/login', returnTo)}>{t('sign_in')}</Link>
      </p>
      {(providers.google || providers.hub) && <OtherSignInMethods providers={providers} returnTo={returnTo} />}
    </AuthCard>
  )
}
