import { Link } from 'react-router'
import { resend, signUp } from '#shared/accounts/endpoints.ts'
import { nameOfCountry } from '#shared/countries/country.ts'
import { searchCountries } from '#shared/countries/endpoints.ts'
import { languageOf } from '#shared/language.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, attempt, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import type { Route } from './+types/SignUpPage'
import { AuthCard } from './AuthCard.tsx'
import { failed, loadAuthPage, readForm } from './auth-page.server.ts'
import { BrowserZone } from './BrowserZone.tsx'
import { CheckYourEmail } from './LookIntoMail.tsx'
import { OtherSignInMethods } from './OtherSignInMethods.tsx'
import { SignUpFields } from './SignUpFields.tsx'
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

export async function action({ context, request }: Route.ActionArgs) {
  const { text } = await readForm(request)
  if (text('intent') === 'resend') {
    const email = text('identifier')
    const { done, error } = await attempt(context, (call) => call(resend, { body: { email } }))
    return error ? failed(error, { sentTo: email }) : { sentTo: email, message: done.message }
  }
  const names = ['first_name', 'last_name', 'email', 'country_code', 'preferred_language'] as const
  const values = Object.fromEntries(names.map((name) => [name, text(name)])) as Record<(typeof names)[number], string>
  const { done, error } = await attempt(context, (call) =>
    call(signUp, {
      body: {
        ...values,
        time_zone: text('time_zone') || undefined,
        country_code: values.country_code || undefined,
        preferred_language: languageOf(values.preferred_language) ?? 'en',
        password: text('password'),
        accept_terms: (text('accept_terms') === 'yes') as true,
      },
    }),
  )
  if (error) return failed(error, { values, hasAccepted: text('accept_terms') === 'yes' })
  return { sentTo: values.email.trim(), message: done.message }
}

export default function SignUpPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('accounts')
  const { returnTo, providers } = loaderData
  if (actionData && 'sentTo' in actionData) return <CheckYourEmail {...actionData} />
  return (
    <AuthCard title={t('create_account')}>
      <p>{t('sign_up_text')}</p>
      <Form error={actionData?.error}>
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
