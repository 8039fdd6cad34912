import { Form, Link } from 'react-router'
import { type CountryAlias, listAliases, removeAlias, resolveName } from '#shared/advisories/admin-sources.ts'
import { listUnresolvedNames } from '#shared/advisories/endpoints.ts'
import { firstOf } from '#shared/assert.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import type { FormResult } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import { translateMessage } from '#web/lib/server-messages.ts'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel } from '#web/ui/AdminPage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import { allNames, nameIn } from '../reader.server.ts'
import type { Route } from './+types/NamesAdminPage'
import { AdvisoryTabs } from './AdvisoryTabs.tsx'
import styles from './NamesAdminPage.module.css'
import { editPath, MANAGE } from './paths.ts'

export const handle = { ns: ['manage', 'forms'] } satisfies RouteHandle

export async function loader({ context }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const call = api(context)
  const [{ names }, { aliases }] = await Promise.all([call(listUnresolvedNames), call(listAliases)])
  const nameOf = nameIn(language)
  return {
    names: names.map((name) => ({
      ...name,
      suggestions: name.suggestions.map(({ code, name: english }) => ({ code, name: nameOf(code, english) })),
    })),
    aliases: aliases.map((alias) => ({ ...alias, country: nameOf(alias.country_code) })),
    countries: allNames(language)
      .map(({ name }) => name)
      .sort(new Intl.Collator(language).compare),
  }
}

export const action = formAction(async (call, { text, flash }) => {
  const name = text('name')
  if (text('intent') === 'take_back') {
    await call(removeAlias, { params: { alias: name } })
    return flash(`${MANAGE}/names`, 'taken_back')
  }
  await call(resolveName, { body: { name, country: text('suggestion') || text('country') } })
  return flash(`${MANAGE}/names`, 'resolved')
})

type LoaderData = Awaited<ReturnType<typeof loader>>
type UnresolvedName = LoaderData['names'][number]
const COUNTRIES = 'all-countries'

export default function NamesAdminPage({
  loaderData: { names, aliases, countries },
  actionData,
}: Route.ComponentProps) {
  const t = useT('manage')
  const forms = useT('forms')
  const error = actionData?.error
  return (
    <AdminPage title={t('names_title')}>
      <AdvisoryTabs current="names" />
      <FlashMessage namespace="manage" kinds={{ skipped: 'unknown' }} />
      {error && !error.fields.country && (
        <Note kind="error" isLive title={translateMessage(forms, error.fields.name ?? error.error)} />
      )}
      {names.length > 0 ? (
        <p className={styles.text}>{t('names_text')}</p>
      ) : (
        <Note kind="success" heading="h2" title={t('names_empty')} />
      )}
      <ul className={styles.names}>
        {names.map((name) => (
          <Name
            key={`${name.source_id} ${name.name}`}
            unresolved={name}
            failed={actionData?.values.name === name.name ? actionData : undefined}
          />
        ))}
      </ul>
      <datalist id={COUNTRIES}>
        {countries.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {aliases.length > 0 && <Aliases aliases={aliases} />}
    </AdminPage>
  )
}

interface NameProps {
  unresolved: UnresolvedName
  failed: FormResult | undefined
}

function Name({ unresolved: { name, source_id, advisory_ids, suggestions }, failed }: NameProps) {
  const t = useT('manage')
  const forms = useT('forms')
  const error = failed?.error?.fields.country
  return (
    <li className={styles.name}>
      <div>
        <h2 dir="auto">{name}</h2>
        <p className={styles.text}>
          <bdi dir="ltr">{source_id}</bdi> ·{' '}
          <Link to={editPath(firstOf(advisory_ids))}>{t('names_advisories', { count: advisory_ids.length })}</Link>
        </p>
      </div>
      <Form method="post" className={styles.choose} preventScrollReset>
        <input type="hidden" name="name" value={name} />
        <TextField
          label={t('country_of', { name })}
          name="country"
          list={COUNTRIES}
          autoComplete="off"
          defaultValue={failed?.values.country}
          error={error && translateMessage(forms, error)}
        />
        <Button type="submit">{t('resolve')}</Button>
        {suggestions.map((country) => (
          <Button key={country.code} type="submit" name="suggestion" value={country.code}>
            {country.name}
          </Button>
        ))}
      </Form>
    </li>
  )
}

function Aliases({ aliases }: { aliases: (CountryAlias & { country: string })[] }) {
  const t = useT('manage')
  return (
    <AdminPanel id="aliases" title={t('aliases_title')}>
      <p className={styles.inPanel}>{t('aliases_text')}</p>
      <ul className={styles.aliases}>
        {aliases.map(({ alias, country, created_at }) => (
          <li key={alias}>
            <span>
              <bdi>{alias}</bdi> = <bdi>{country}</bdi>{' '}
              <span className={styles.text}>
                <Time value={created_at} look="day" />
              </span>
            </span>
            <Form method="post" preventScrollReset>
              <input type="hidden" name="name" value={alias} />
              <Button type="submit" isSmall name="intent" value="take_back">
                {t('take_back')}
                <span className="visually-hidden">: {alias}</span>
              </Button>
            </Form>
          </li>
        ))}
      </ul>
    </AdminPanel>
  )
}
