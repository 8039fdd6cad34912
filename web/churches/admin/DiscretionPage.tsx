import { Link, useSearchParams } from 'react-router'
import { DISCREET_MODES, type DiscreetMode } from '#shared/churches/discretion.ts'
import { decideDiscretion, getDiscretion, setDiscretion } from '#shared/churches/managed-discretion.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { api, attempt, type FormError, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel, BackLink } from '#web/ui/AdminPage.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/DiscretionPage'
import styles from './Admin.module.css'
import { countriesIn } from './choices.server.ts'
import { DiscretionRequests } from './DiscretionRequests.tsx'
import { DISCRETION, LOCALES, UUID } from './paths.ts'

export const handle = { ns: ['manageChurches', 'forms'] } satisfies RouteHandle

export async function loader({ context }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const { discretion, countries, requests } = await api(context)(getDiscretion)
  const nameOf = nameIn(language)
  const counted = new Map(countries.map((row) => [row.country_code, row]))
  return {
    requests: requests.map((row) => ({ ...row, country: nameOf(row.country_code) })),
    discretion: discretion.map((row) => ({
      ...row,
      country: nameOf(row.country_code),
      ...(counted.get(row.country_code) ?? { locales: 0, own_mode: 0 }),
    })),
    countries: countriesIn(language).map(({ code, name }) => ({
      code,
      name,
      locales: counted.get(code)?.locales ?? 0,
    })),
  }
}

export const action = formAction<{ error: FormError }>(async (call, { values, context, flash }) => {
  const { country_code = '', reason = '', intent, request = '' } = values
  const decision = DECISIONS.find((known) => known === intent)
  if (decision) {
    if (!UUID.test(request)) throw new Response('Bad Request', { status: 400 })
    await call(decideDiscretion, { params: { id: request }, body: { decision } })
    return flash(DISCRETION, DECIDED[decision])
  }
  const discreet_mode = values.discreet_mode as DiscreetMode
  const needs_second = values.needs_second === 'on'
  const { error } = await attempt(context, () =>
    call(setDiscretion, { body: { country_code, discreet_mode, reason, needs_second } }),
  )
  // It would reveal more: a separate page states what becomes public.
  if (error?.fields.confirm) {
    const more = { country: country_code, mode: discreet_mode, reason, ...(needs_second ? {} : { second: 'no' }) }
    return `${DISCRETION}/more?${new URLSearchParams(more)}`
  }
  return error ? { error } : flash(DISCRETION, 'discretion')
})

const DECISIONS = ['approve', 'decline', 'withdraw'] as const
const DECIDED = { approve: 'approved', decline: 'declined', withdraw: 'withdrawn' }

export default function DiscretionPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('manageChurches')
  const [params] = useSearchParams()
  const decisionResult = actionData?.values.request ? actionData : undefined
  const ruleResult = decisionResult ? undefined : actionData
  const { discretion, countries, requests } = loaderData
  // Opened from a row of the list, the form starts with its values.
  const selectedRule = discretion.find(({ country_code }) => country_code === params.get('country'))
  return (
    <AdminPage title={t('discretion')}>
      <BackLink to={LOCALES}>{t('back_to_locales')}</BackLink>
      <FlashMessage namespace="manageChurches" />
      <p className={styles.text}>{t('discretion_text')}</p>
      <div className={styles.stack}>
        <DiscretionRequests
          requests={requests}
          error={decisionResult?.error && { ...decisionResult.error, request: decisionResult.values.request ?? '' }}
        />
        <AdminPanel id="countries" title={t('discretion_list')}>
          {discretion.length === 0 && <p className={styles.none}>{t('discretion_none')}</p>}
          <ul className={styles.rows}>
            {discretion.map((row) => (
              <RuleRow key={row.country_code} row={row} />
            ))}
          </ul>
        </AdminPanel>
        <AdminPanel id="change" title={t('discretion_set')}>
          <div className={styles.inPanel}>
            <RuleForm
              key={selectedRule?.country_code}
              selectedRule={selectedRule}
              result={ruleResult}
              countries={countries}
            />
          </div>
        </AdminPanel>
      </div>
    </AdminPage>
  )
}

type Rule = Route.ComponentProps['loaderData']['discretion'][number]

function RuleRow({ row }: { row: Rule }) {
  const t = useT('manageChurches')
  const language = useLanguage()
  const count = (n: number) => t('locales_count', { count: n, n: formatNumber(language, n) })
  return (
    <li>
      <div>
        <b>
          <bdi>{row.country}</bdi>
        </b>{' '}
        {t(`mode_${row.discreet_mode}`)}
        <p className={styles.muted}>
          {count(row.locales - row.own_mode)}
          {row.own_mode > 0 && ` ${t('own_mode', { count: row.own_mode, n: formatNumber(language, row.own_mode) })}`}
        </p>
        {row.reason && (
          <p>
            <bdi>{row.reason}</bdi>
          </p>
        )}
        <p className={styles.muted}>
          <Time value={row.updated_at} look="day" />
          {row.updated_by && (
            <>
              {t('comma')}
              <bdi>{row.updated_by}</bdi>
            </>
          )}
        </p>
      </div>
      <Buttons>
        <Link to={`?country=${row.country_code}#change`}>{t('change')}</Link>
        {/* Shows the consequences first, and requires a reason and a typed name. */}
        <Link
          to={`${DISCRETION}/more?country=${row.country_code}`}
          aria-label={t('discretion_remove_of', { country: row.country })}
        >
          {t('discretion_remove')}
        </Link>
      </Buttons>
    </li>
  )
}

interface RuleFormProps {
  /** The rule that the form starts with. */
  selectedRule: Rule | undefined
  result: Route.ComponentProps['actionData']
  countries: Route.ComponentProps['loaderData']['countries']
}

function RuleForm({ selectedRule, result, countries }: RuleFormProps) {
  const t = useT('manageChurches')
  const language = useLanguage()
  const problem = useProblems(result?.error)
  const value = (name: 'country_code' | 'discreet_mode' | 'reason') =>
    result?.values[name] ?? selectedRule?.[name] ?? (name === 'discreet_mode' ? 'contact_only' : '')
  return (
    <Form error={result?.error}>
      <div className={styles.inner}>
        <SelectField
          label={t('country_code')}
          name="country_code"
          defaultValue={value('country_code')}
          error={problem('country_code')}
        >
          <option value="">{t('choose')}</option>
          {countries.map(({ code, name, locales }) => (
            <option key={code} value={code}>
              {locales > 0 ? `${name} (${formatNumber(language, locales)})` : name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('discreet_mode')}
          name="discreet_mode"
          defaultValue={value('discreet_mode')}
          error={problem('discreet_mode')}
        >
          {DISCREET_MODES.map((mode) => (
            <option key={mode} value={mode}>
              {t(`mode_${mode}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('reason')}
          hint={t('discretion_reason_hint')}
          name="reason"
          maxLength={500}
          dir="auto"
          defaultValue={value('reason')}
          error={problem('reason')}
        />
      </div>
      <CheckField
        label={t('needs_second')}
        name="needs_second"
        defaultChecked={result ? result.values.needs_second === 'on' : (selectedRule?.needs_second ?? true)}
      />
      <Buttons>
        <Submit>{t('save')}</Submit>
      </Buttons>
    </Form>
  )
}
